package io.venuesync.client;

import java.time.Duration;

/** Polls until the thread is interrupted, the replica is closed, or the store cannot be used. */
final class FollowLoop {
    /** A poll, and what it needs to know about the replica. */
    interface Source {
        boolean isClosed();

        /** What other writers have stored since the last call; null if nothing. */
        SyncReport externalChanges() throws SyncException;

        /**
         * Synchronizes; null to be called again at once.
         *
         * @param missing levels to add to the selection; null if there are none
         * @param waits whether the request may wait for changes
         */
        SyncReport poll(LevelSelection missing, boolean waits) throws SyncException, InterruptedException;

        /** How many calls have brought the replica up to date. */
        long successes();

        /** Pauses until the replica is closed, or another call has brought it up to date since there were so many. */
        void pause(Duration duration, long successes) throws InterruptedException;
    }

    private final RetryPolicy policy;
    private final FollowListener listener;
    private final Source source;
    private LevelSelection missing;
    private int failures;
    private boolean isConnected;

    FollowLoop(RetryPolicy policy, LevelSelection adding, FollowListener listener, Source source) {
        this.policy = policy;
        this.missing = adding;
        this.listener = listener;
        this.source = source;
    }

    void run() throws SyncException, InterruptedException {
        while (!source.isClosed()) {
            long start = System.nanoTime();
            long successes = source.successes();
            boolean hasWaited = isConnected;
            SyncReport report;
            try {
                report = source.externalChanges();
                if (report == null) {
                    // The first request after the start or a failure does not wait, so that the state of the connection is known at once.
                    report = source.poll(missing, isConnected);
                }
            } catch (SyncException error) {
                if (source.isClosed()) {
                    return;
                }
                // A revoked key may be granted again, a venue created again, and a full disk emptied.
                if (error.kind() == SyncException.Kind.STORE) {
                    throw error;
                }
                isConnected = false;
                Duration pause = policy.pause(++failures, error.retryAfter());
                listener.onSetback(error, pause);
                source.pause(pause, successes);
                continue;
            }
            if (report != null) {
                succeed(report, start, hasWaited);
            }
        }
    }

    private void succeed(SyncReport report, long start, boolean hasWaited) throws SyncException, InterruptedException {
        if (report.isExternal()) {
            listener.onChange(report);
            return;
        }
        missing = null;
        failures = 0;
        if (!isConnected) {
            isConnected = true;
            listener.onConnected();
        }
        if (report.hasCommitted()) {
            listener.onChange(report);
        } else if (hasWaited && System.nanoTime() - start < policy.shortest().toNanos()) {
            // If the server does not delay its responses, pause between requests.
            Thread.sleep(policy.pause(1, policy.shortest()).toMillis());
        }
    }
}
