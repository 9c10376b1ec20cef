import Postgres
import RevisionStore
import SyncServer

/// A node and its connections to the database, and to the replica if there is one.
struct NodeConnections {
    let store: RevisionStore
    let node: Node
    private let pools: [ConnectionPool]

    init(to database: ConnectionConfiguration, replica: ConnectionConfiguration?) {
        let pool = ConnectionPool(database.forStore())
        // However long others read, somebody looks for news.
        let pollStore = ConnectionPool(database.forStore(), size: 1)
        let replicaPool = replica.map { ConnectionPool($0.forStore()) }
        self.store = RevisionStore(pool: pool)
        self.node = Node(
            store: self.store, replica: replicaPool.map { RevisionStore(pool: $0) },
            pollStore: RevisionStore(pool: pollStore))
        self.pools = [replicaPool, pollStore, pool].compactMap(\.self)
    }

    /// Closes all, but does not wait long for those that a database which does not answer keeps.
    func close() async {
        for pool in self.pools { _ = await bounded(by: .seconds(5)) { await pool.close() } }
    }
}
