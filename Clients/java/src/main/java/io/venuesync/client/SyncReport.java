package io.venuesync.client;

import java.util.List;

/**
 * What a synchronization did. Features of levels that came or went as a whole are counted there and nowhere else.
 *
 * @param from the revision that was held before; null when nothing was
 * @param to the revision that is held now
 * @param changes the first 10,000 changes; all are counted
 * @param levelsAdded levels that are held now and were not before
 * @param levelsDropped levels that were held before and are not any more
 * @param repaired levels that differed from their digest and were fetched once more; null is the venue-wide part
 * @param requests how many requests succeeded
 * @param hasStartedOver whether the server had lost the history that the replica came from; levels that were still right were kept
 * @param hasCommitted whether anything about the replica is another than before, if only its cursor
 */
public record SyncReport(
    Long from, long to, int added, int changed, int removed, List<Change> changes, List<LevelCount> levelsAdded,
    List<LevelCount> levelsDropped, List<String> repaired, int requests, boolean hasStartedOver, boolean hasCommitted) {
    /**
     * A level that came or went.
     *
     * @param level null is the venue-wide part
     * @param features how many it has, or had
     */
    public record LevelCount(String level, int features) {}

    /** Whether anything that a map shows is another. */
    public boolean hasChanges() {
        return added + changed + removed > 0 || !levelsAdded.isEmpty() || !levelsDropped.isEmpty();
    }

    static SyncReport unchanged(long revision) {
        return new SyncReport(revision, revision, 0, 0, 0, List.of(), List.of(), List.of(), List.of(), 1, false, false);
    }

    /** Together with what a second change set did right after this one. */
    SyncReport and(SyncReport later) {
        return new SyncReport(
            from, later.to, added + later.added, changed + later.changed, removed + later.removed, joined(changes, later.changes),
            joined(levelsAdded, later.levelsAdded), joined(levelsDropped, later.levelsDropped), joined(repaired, later.repaired),
            requests + later.requests, hasStartedOver, true);
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        List<T> all = new java.util.ArrayList<>(first);
        all.addAll(second);
        return all;
    }
}
