// Media queries that a test decides about, instead of those of `page.js`, which never match. Import it before the modules of the console.

import { window } from "./page.js";

const wide = "(min-width: 720px)";
const queries = new Map();

class Query extends EventTarget {
    constructor(media) {
        super();
        this.media = media;
    }

    get matches() {
        return matching.has(this.media);
    }
}

const matching = new Set([wide]);

window.matchMedia = globalThis.matchMedia = (media) => {
    if (!queries.has(media)) queries.set(media, new Query(media));
    return queries.get(media);
};

/** Whether a media query matches from now on. At first only that of wide windows does. */
export function setMedia(media, matches) {
    if (matches) matching.add(media);
    else matching.delete(media);
    queries.get(media)?.dispatchEvent(Object.assign(new Event("change"), { matches }));
}

export const setDark = (isDark) => setMedia("(prefers-color-scheme: dark)", isDark);
export const setPhone = (isPhone) => {
    setMedia(wide, !isPhone);
    setMedia("(pointer: coarse)", isPhone);
};
