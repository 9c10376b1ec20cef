package io.venuesync.client;

import java.util.List;

/**
 * The result of a synchronization. Features of added and dropped levels are counted only there.
 *
 * @param from the previous revision; null if there was none
 * @param to the current revision
 * @param changes the first 10,000 changes; all are counted
 * @param levelsAdded levels that were added
 * @param levelsDropped levels that were dropped
 * @param repaired levels that were fetched again because their digest differed; null is the venue-wide part
 * @param requests the number of successful requests
 * @param hasStartedOver true if the history was lost; levels whose digest still matched were kept
 * @param hasCommitted true if the replica was written, even if only the cursor changed
 * @param isExternal true if another process stored this. Only the revisions are known then: the counts are 0, and the lists are empty
 */
public record SyncReport(
    Long from, long to, int added, int changed, int removed, List<Change> changes, List<LevelCount> levelsAdded,
    List<LevelCount> levelsDropped, List<String> repaired, int requests, boolean hasStartedOver, boolean hasCommitted, boolean isExternal) {
    /**
     * An added or dropped level.
     *
     * @param level null is the venue-wide part
     * @param features the number of its features
     */
    public record LevelCount(String level, int features) {}

    /** True if any feature or level changed, or if another process may have changed some. */
    public boolean hasChanges() {
        return isExternal || added + changed + removed > 0 || !levelsAdded.isEmpty() || !levelsDropped.isEmpty();
    }

    static SyncReport unchanged(long revision) {
        return new SyncReport(revision, revision, 0, 0, 0, List.of(), List.of(), List.of(), List.of(), 1, false, false, false);
    }

    /** Another process has stored a revision. */
    static SyncReport external(Long from, long to) {
        return new SyncReport(from, to, 0, 0, 0, List.of(), List.of(), List.of(), List.of(), 0, false, true, true);
    }

    /** Adds the result of the change set that followed this one. */
    SyncReport and(SyncReport later) {
        return new SyncReport(
            from, later.to, added + later.added, changed + later.changed, removed + later.removed, joined(changes, later.changes),
            joined(levelsAdded, later.levelsAdded), joined(levelsDropped, later.levelsDropped), joined(repaired, later.repaired),
            requests + later.requests, hasStartedOver, true, false);
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        List<T> all = new java.util.ArrayList<>(first);
        all.addAll(second);
        return all;
    }
}
