// The API key that requests are sent with. It is kept in the session storage of this tab only: never in a URL, never in a cookie,
// and it is deleted when the tab is closed.

import { tabStorage } from "./storage.js";

const storageKey = "venuesync.key";

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
        this.dispatchEvent(new Event("change"));
    }

    /** The headers that authorize a request. */
    get headers() {
        return this.key === null ? {} : { Authorization: `Bearer ${this.key}` };
    }
}

export const session = new Session();
