// The result of a synchronization.

/** Features of added and dropped levels are counted only there. */
export class SyncReport {
    /** The changes of features, without those of added and dropped levels. */
    changes = [];
    /** The added and the dropped levels with the number of their features: `[{level, features}]`. */
    levelsAdded = [];
    levelsDropped = [];
    /** The held levels with other features than before, and the dropped ones. */
    touchedLevels = [];
    /** The levels that were fetched again because their digest differed. */
    repaired = [];
    /** The number of successful requests. */
    requests = 0;
    /** Whether the history was lost. Levels whose digest still matched were kept. */
    hasStartedOver = false;
    /** Whether the replica was written, even if only the cursor changed. */
    hasCommitted = false;

    constructor(venue, from, to) {
        this.venue = venue;
        /** The previous revision; null if there was none. */
        this.from = from;
        /** The current revision. */
        this.to = to;
    }

    get added() {
        return this.#count("added");
    }

    get changed() {
        return this.#count("changed");
    }

    get removed() {
        return this.#count("removed");
    }

    /** Whether any feature or level changed. */
    get hasChanges() {
        return this.changes.length + this.levelsAdded.length + this.levelsDropped.length > 0;
    }

    #count(kind) {
        return this.changes.reduce((count, change) => count + (change.kind === kind ? 1 : 0), 0);
    }

    /** Adds the result of the change set that followed this one; returns this report. */
    merge(later) {
        this.to = later.to;
        this.hasStartedOver ||= later.hasStartedOver;
        this.hasCommitted ||= later.hasCommitted;
        this.requests += later.requests;
        for (const name of ["changes", "levelsAdded", "levelsDropped", "repaired"]) this[name].push(...later[name]);
        this.touchedLevels = [...new Set([...this.touchedLevels, ...later.touchedLevels])];
        return this;
    }
}
