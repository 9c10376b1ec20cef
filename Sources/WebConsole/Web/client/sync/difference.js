// The difference between two contents of a venue in memory.

import { SyncReport } from "./sync-report.js";
import { ReplicaChange } from "./transaction.js";

/** A report of what another writer has changed. Features of added and dropped levels are counted only there. */
export function differenceOf(before, after) {
    const report = new SyncReport(after.venue, before.state.revision, after.state.revision);
    report.hasCommitted = true;
    const [dropped, added] = [[before, after], [after, before]].map(([one, other]) =>
        [...one.levels.keys()].filter((level) => !other.levels.has(level)));
    report.levelsAdded = added.map((level) => ({ level, features: after.levels.get(level).size }));
    report.levelsDropped = dropped.map((level) => ({ level, features: before.levels.get(level).size }));
    report.touchedLevels = [...new Set([...before.levels.keys(), ...after.levels.keys()])]
        .filter((level) => before.digests.get(level) !== after.digests.get(level));
    for (const id of new Set([...before.features.keys(), ...after.features.keys()])) {
        const [old, now] = [before.features.get(id) ?? null, after.features.get(id) ?? null];
        if (old?.body === now?.body && old?.level === now?.level) continue;
        if (!old && added.includes(now.level)) continue;
        if (!now && dropped.includes(old.level)) continue;
        report.changes.push(new ReplicaChange(id, old, now));
    }
    return report;
}
