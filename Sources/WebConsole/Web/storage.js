// What the browser remembers for this site. Where it refuses to, as in a frame of another site, values are kept until the page is left.

/** Remembered by this browser. */
export const browserStorage = storage(() => localStorage);
/** Remembered by this tab until it is closed. */
export const tabStorage = storage(() => sessionStorage);

function storage(open) {
    const kept = new Map();
    const attempt = (action, otherwise) => {
        try {
            return action(open());
        } catch {
            return otherwise();
        }
    };
    return {
        /** The text of a name; null if there is none. */
        get: (name) => kept.get(name) ?? attempt((stored) => stored.getItem(name), () => null),
        set(name, text) {
            kept.delete(name);
            attempt((stored) => stored.setItem(name, text), () => kept.set(name, text));
        },
        remove(name) {
            kept.delete(name);
            attempt((stored) => stored.removeItem(name), () => {});
        },
        /** Removes all names that begin with a prefix. */
        removeAll(prefix) {
            const names = [...kept.keys(), ...attempt((stored) => Object.keys(stored), () => [])];
            for (const name of names) if (name.startsWith(prefix)) this.remove(name);
        },
    };
}
