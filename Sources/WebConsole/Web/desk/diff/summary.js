// The numbers of a difference that the server tells feature by feature only.

import { askJSON } from "../../api.js";

const counters = () => ({ added: 0, changed: 0, removed: 0 });

/** As `changes` of an upload has it: `{added, changed, removed, levels, words}`. */
export async function summaryOf(source, options) {
    const levels = new Map();
    const all = counters();
    let words = [];
    for (let next = `${source}&bodies=false&limit=10000`; next; ) {
        const page = await askJSON(next, options);
        if (page.words.length > 0) words = page.words;
        for (const { level_id: id, kind } of page.changes) {
            if (!levels.has(id)) levels.set(id, { level_id: id, ordinal: null, ...counters() });
            levels.get(id)[kind] += 1;
            all[kind] += 1;
        }
        next = page.next;
    }
    return { ...all, levels: [...levels.values()], words };
}
