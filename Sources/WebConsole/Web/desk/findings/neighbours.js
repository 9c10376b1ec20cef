// Which finding comes before and which after another: of the whole report, rule by rule, in the order in which the page of an upload lists them.

import { loadFinding } from "./groups.js";

/**
 * `[previous, next]` of a finding, each with its `index`, or null at the ends of the report. `groups` are those of `loadReport`. Findings for
 * which `isIncluded` is false are passed over. Only stored findings count, and they are loaded as far as they are needed; if that fails, both are null.
 */
export const neighbours = (groups, { rule, index }, signal, isIncluded = () => true) =>
    Promise.all([-1, 1].map((by) => neighbour(groups, rule, index, by, signal, isIncluded))).catch((error) => {
        if (signal.aborted) throw error;
        return [null, null];
    });

async function neighbour(groups, rule, index, by, signal, isIncluded) {
    const own = groups.findIndex((group) => group.rule === rule);
    for (let position = own; groups[position]; position += by) {
        const group = groups[position];
        let next = index + by;
        if (position !== own) next = by > 0 ? 0 : await lastIndex(group, signal);
        for (let finding; (finding = await loadFinding(group, next, signal)); next += by) {
            if (isIncluded(finding)) return { ...finding, index: next };
        }
    }
    return null;
}

/** The index of the last stored finding of a rule. A rule has at most 1,000, so this takes one or two requests. */
async function lastIndex(group, signal) {
    await loadFinding(group, Infinity, signal);
    return group.findings.length - 1;
}
