// Computes the summary of a difference for which the API has only the list of changes.

import { requestJSON } from "../../api.js";

const emptyCounts = () => ({ added: 0, changed: 0, removed: 0 });

/** The summary in the form of the member `changes` of an upload: `{added, changed, removed, levels, words}`. */
export async function summaryOf(source, options) {
    const levels = new Map();
    const total = emptyCounts();
    let words = [];
    for (let next = `${source}&bodies=false&limit=10000`; next; ) {
        const page = await requestJSON(next, options);
        if (page.words.length > 0) words = page.words;
        for (const { level_id: id, kind } of page.changes) {
            if (!levels.has(id)) levels.set(id, { level_id: id, ordinal: null, ...emptyCounts() });
            levels.get(id)[kind] += 1;
            total[kind] += 1;
        }
        next = page.next;
    }
    return { ...total, levels: [...levels.values()], words };
}
