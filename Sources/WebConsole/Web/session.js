// The key that requests are sent with. It stays in this tab's session storage: never in an address, never in a cookie, and gone
// when the tab is closed.

const place = "venuesync.key";

class Session extends EventTarget {
    get key() {
        return sessionStorage.getItem(place);
    }

    get isSignedIn() {
        return this.key !== null;
    }

    /** Keeps a key that the server knows. Ask `checkKey` of api.js first. */
    signIn(key) {
        sessionStorage.setItem(place, key);
        this.dispatchEvent(new Event("change"));
    }

    signOut() {
        sessionStorage.removeItem(place);
        this.dispatchEvent(new Event("change"));
    }

    /** What a request has to carry. */
    get headers() {
        return this.key === null ? {} : { Authorization: `Bearer ${this.key}` };
    }
}

export const session = new Session();
