// The API key that requests are sent with. It is kept in the session storage of this tab only: never in a URL, never in a cookie,
// and it is deleted when the tab is closed.

import { tabStorage } from "./storage.js";

const storageKey = "venuesync.key";
/** What the names in `tabStorage` of what was entered with the key, and not saved, begin with. */
export const draftPrefix = "venuesync.unsaved-";

/** Events: `change` after a sign-in or sign-out, `refused` when the server has answered that the key is not valid, because it was revoked. */
class Session extends EventTarget {
    get key() {
        return tabStorage.get(storageKey);
    }

    get isSignedIn() {
        return this.key !== null;
    }

    /** Stores a key. Validate it with `checkKey` of api.js first. */
    signIn(key) {
        tabStorage.set(storageKey, key);
        this.dispatchEvent(new Event("change"));
    }

    signOut() {
        tabStorage.remove(storageKey);
        tabStorage.removeAll(draftPrefix);
        this.dispatchEvent(new Event("change"));
    }

    /** Reports that the server refuses `key`, unless another one is used by now. */
    refuse(key) {
        if (key !== null && key === this.key) this.dispatchEvent(new Event("refused"));
    }

    /** The headers that authorize a request. */
    get headers() {
        return this.key === null ? {} : { Authorization: `Bearer ${this.key}` };
    }
}

export const session = new Session();
