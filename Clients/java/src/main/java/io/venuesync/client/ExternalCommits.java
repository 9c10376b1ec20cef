package io.venuesync.client;

/** Finds the commits of other writers of a store: other processes, and other replicas in this one. */
final class ExternalCommits {
    private long own;
    private long external;
    private Long revision;

    ExternalCommits(ReplicaState opened) {
        external = opened.commits();
        revision = opened.revision();
    }

    /** Counts a commit of this replica. Call it before the commit is visible, so that it is never taken for that of another writer. */
    synchronized void count() {
        own++;
    }

    /** The transaction of the last {@link #count} was rolled back. */
    synchronized void uncount() {
        own--;
    }

    synchronized void store(long revision) {
        this.revision = revision;
    }

    /** What other writers have committed since the store was opened or this was last called; null if nothing. */
    synchronized SyncReport report(ReplicaState state) {
        long current = state.commits() - own;
        if (current <= external || state.revision() == null) {
            return null;
        }
        SyncReport report = SyncReport.external(revision, state.revision());
        external = current;
        revision = state.revision();
        return report;
    }
}
