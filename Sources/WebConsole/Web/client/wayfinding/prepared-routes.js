// What routes need of the features that are held, made once for each content.

import { PassageHours } from "./passage-hours.js";

export class PreparedRoutes {
    /** What was held last: `{ key, content }`. */
    #latest = null;
    /** The last map that was made, of which floors that are the same are taken over. */
    #former = null;

    /**
     * A promise of `{ map, passageHours }` for what is held, which the key names. `build` is called with the former map, or null, and returns a
     * promise of the `WayfindingMap`. A failure is not kept.
     */
    content(key, build) {
        if (this.#latest?.key !== key) this.#prepare(key, build);
        return this.#latest.content;
    }

    #prepare(key, build) {
        const prepared = { key, content: contentOf(build(this.#former)) };
        this.#latest = prepared;
        // By then something newer may be held, or nothing may be wanted any more.
        const ifLatest = (change) => { if (this.#latest === prepared) change(); };
        prepared.content.then(({ map }) => ifLatest(() => { this.#former = map; }), () => ifLatest(() => { this.#latest = null; }));
    }

    /** Frees the memory. The next question prepares everything again. */
    discard() {
        this.#latest = this.#former = null;
    }
}

async function contentOf(building) {
    const map = await building;
    return { map, passageHours: new PassageHours(map.timetables) };
}
