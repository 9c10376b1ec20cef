import Postgres

/// An advisory lock that a worker's process holds on a connection of its own, as proof that the process lives.
///
/// The server releases the lock when the process ends for any reason, so the job of a worker that was killed is claimed by another one
/// at once, and not only when its lease has expired. A worker that lives and only lost the connection takes the lock again on the next
/// one, and continues to renew its leases. If it does neither for a moment, its jobs may be claimed by others: it notices that when it
/// renews a lease, or when it publishes.
package struct WorkerSession: Sendable, Hashable {
    let number: Int64

    package init() {
        self.number = Int64.random(in: .min ... .max)
    }
}

extension RevisionStore {
    /// Notifications of uploads in the queue. The session lives while they are iterated over.
    package func uploadNotifications(holding session: WorkerSession) -> StoreNotifications {
        StoreNotifications(
            listener: Listener(
                self.pool.configuration, channels: [Channel.upload],
                onConnect: ["SET lock_timeout TO 0", "SELECT pg_advisory_lock(\(session.number))"]))
    }

    /// The condition for a job whose worker is gone: its lease has expired, or its session has ended and it has not renewed the lease
    /// since. Right after the server was started all sessions have ended, and workers get a few seconds to reconnect.
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
