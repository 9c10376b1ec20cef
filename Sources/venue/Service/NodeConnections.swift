import ArchiveStore
import Postgres
import RevisionStore
import SyncServer

/// A node with its connections to the primary and, if configured, to a read replica.
struct NodeConnections {
    let store: RevisionStore
    let readModel: ReadModel
    private let pools: [ConnectionPool]

    init(
        to database: ConnectionConfiguration, replica: ConnectionConfiguration?, signing: SigningKeys?,
        archives: (any ArchiveStore)?, unconfirmed: UnconfirmedLimits
    ) {
        let pool = ConnectionPool(database.forStore())
        // A connection of its own, so that long reads never delay the change poller.
        let pollPool = ConnectionPool(database.forStore(), size: 1)
        let replicaPool = replica.map { ConnectionPool($0.forStore()) }
        self.store = RevisionStore(pool: pool, signing: signing, archives: archives)
        self.readModel = ReadModel(
            store: self.store, replica: replicaPool.map { RevisionStore(pool: $0) },
            pollStore: RevisionStore(pool: pollPool), unconfirmed: unconfirmed)
        self.pools = [replicaPool, pollPool, pool].compactMap(\.self)
    }

    /// Closes all connections. Waits at most 5 seconds for each pool, because a database may not respond.
    func close() async {
        for pool in self.pools { _ = await withTimeout(.seconds(5)) { await pool.close() } }
    }
}
