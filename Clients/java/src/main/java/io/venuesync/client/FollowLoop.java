package io.venuesync.client;

import java.time.Duration;

/** Polls until the thread is interrupted, the replica is closed, or a retry cannot help. */
final class FollowLoop {
    /** A poll, and what it needs to know about the replica. */
    interface Source {
        boolean isClosed();

        /** What other writers have stored since the last call; null if nothing. */
        SyncReport externalChanges() throws SyncException;

        /**
         * Synchronizes; null to be called again at once.
         *
         * @param missing levels to add to the selection; null if there are none, so that the request may wait for changes
         */
        SyncReport poll(LevelSelection missing) throws SyncException, InterruptedException;
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
            SyncReport report;
            try {
                report = source.externalChanges();
                if (report == null) {
                    report = source.poll(missing);
                }
            } catch (SyncException error) {
                if (source.isClosed()) {
                    return;
                }
                if (!error.isRetryable()) {
                    throw error;
                }
                isConnected = false;
                Duration pause = policy.pause(++failures, error.retryAfter());
                listener.onSetback(error, pause);
                Thread.sleep(pause.toMillis());
                continue;
            }
            if (report != null) {
                succeed(report, start);
            }
        }
    }

    private void succeed(SyncReport report, long start) throws SyncException, InterruptedException {
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
        } else if (System.nanoTime() - start < policy.shortest().toNanos()) {
            // If the server does not delay its responses, pause between requests.
            Thread.sleep(policy.pause(1, policy.shortest()).toMillis());
        }
    }
}
