import Postgres

/// What tells that a worker's process is alive: an advisory lock, held over a connection of its own.
///
/// The server frees the lock when the process ends, however it went, so a job whose worker was killed is taken over at once and not
/// when its lease has run out. A worker that is alive and only lost the connection takes the lock again over the next one and goes on
/// renewing its leases. Where it does neither for a moment its jobs may be taken from it: it finds that its lease is another's when it
/// renews it, or when it publishes.
package struct WorkerSession: Sendable, Hashable {
    let number: Int64

    package init() {
        self.number = Int64.random(in: .min ... .max)
    }
}

extension RevisionStore {
    /// That there is something in the queue. While somebody iterates, the session lives.
    package func uploadSignals(holding session: WorkerSession) -> WakeUps {
        WakeUps(
            listener: Listener(
                self.pool.configuration, channels: [Channel.upload],
                onConnect: ["SET lock_timeout TO 0", "SELECT pg_advisory_lock(\(session.number))"]))
    }

    /// Whether the worker of a job is gone: its lease has run out, or its session has ended and it renewed nothing since. Right after
    /// the server was started all sessions have ended, and workers that are alive come back first.
    static let isAbandoned: Query = """
        (lease_until < now() OR renewed_at < now() - interval '1500 milliseconds' AND lease_session IS NOT NULL
            AND pg_postmaster_start_time() < now() - interval '3 seconds'
            AND NOT EXISTS (
                SELECT FROM pg_locks
                WHERE locktype = 'advisory' AND objsubid = 1 AND granted
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    AND classid::bigint << 32 | objid::bigint = lease_session))
        """
}
