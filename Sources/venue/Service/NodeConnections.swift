import Postgres
import RevisionStore
import SyncServer

/// A read model and its connections to the database, and to the replica if there is one.
struct NodeConnections {
    let store: RevisionStore
    let readModel: ReadModel
    private let pools: [ConnectionPool]

    init(to database: ConnectionConfiguration, replica: ConnectionConfiguration?) {
        let pool = ConnectionPool(database.forStore())
        // A connection of its own, so that changes are read however long requests occupy the others.
        let pollStore = ConnectionPool(database.forStore(), size: 1)
        let replicaPool = replica.map { ConnectionPool($0.forStore()) }
        self.store = RevisionStore(pool: pool)
        self.readModel = ReadModel(
            store: self.store, replica: replicaPool.map { RevisionStore(pool: $0) },
            pollStore: RevisionStore(pool: pollStore))
        self.pools = [replicaPool, pollStore, pool].compactMap(\.self)
    }

    /// Closes all connections. Waits for a database that does not respond for five seconds only.
    func close() async {
        for pool in self.pools { _ = await withTimeout(.seconds(5)) { await pool.close() } }
    }
}
