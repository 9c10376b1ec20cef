// Where findings are drawn on a map: one mark for all that are at the same position.

import { severities } from "./groups.js";

/** Further marks are not drawn. */
const maximum = 500;

/**
 * `{marks, isComplete}` of findings, `{rule, index, severity, feature_id, at}`. `marks` has `{at, severity, findings, isCurrent}` for each
 * position on the floor whose features have `positions` by their ids; `severity` is the most severe, and `isCurrent` whether the `current`
 * finding is there. `isComplete` is false if there are more.
 */
export function marksOf(findings, positions, current) {
    const marks = new Map();
    let isComplete = true;
    for (const finding of findings) {
        const at = positionOn(positions, finding);
        if (!at) continue;
        const key = at.map((degrees) => degrees.toFixed(6)).join();
        const mark = marks.get(key);
        if (mark) mark.findings.push(finding);
        else if (marks.size < maximum) marks.set(key, { at, findings: [finding] });
        else isComplete = false;
    }
    return {
        isComplete,
        marks: [...marks.values()].map((mark) => ({
            ...mark, severity: severities.find((severity) => mark.findings.some((finding) => finding.severity === severity)) ?? "info",
            isCurrent: mark.findings.some((finding) => isSame(finding, current)),
        })),
    };
}

/** Null if the finding is about no feature of the floor: a position alone may be on any floor. */
function positionOn(positions, { at, feature_id: id }) {
    return positions.has(id) ? at?.slice(0, 2) ?? positions.get(id) ?? null : null;
}

/** The finding that a click on a mark opens: the one after the `current` finding if that is at the same position, else the first. */
export function nextFinding({ findings }, current) {
    return findings[(findings.findIndex((finding) => isSame(finding, current)) + 1) % findings.length];
}

const isSame = (finding, other) => finding.rule === other?.rule && finding.index === other?.index;
