/// The prepared statements of one session, by their text and the types of their parameters.
struct StatementCache {
    struct Key: Hashable {
        let sql: String
        let types: [UInt32]

        init(_ query: Query) {
            self.sql = query.sql
            self.types = query.parameters.map(\.type)
        }
    }

    private struct Statement {
        let name: String
        var lastUse: UInt64
    }

    /// The maximum number of statements, because the server keeps a plan for each.
    static let capacity = 256

    private var statements: [Key: Statement] = [:]
    private var uses: UInt64 = 0
    private var names: UInt64 = 0
    /// The names of evicted statements that are not deallocated yet.
    private var dropped: [String] = []

    mutating func name(_ key: Key) -> String? {
        self.uses += 1
        guard let index = self.statements.index(forKey: key) else { return nil }
        self.statements.values[index].lastUse = self.uses
        return self.statements.values[index].name
    }

    /// A name that was never used in this session.
    mutating func newName() -> String {
        self.names += 1
        return "s\(self.names)"
    }

    /// Adds a statement that the server has prepared, and evicts the least recently used one if there are too many.
    mutating func insert(_ name: String, for key: Key) {
        self.uses += 1
        self.statements[key] = Statement(name: name, lastUse: self.uses)
        guard self.statements.count > Self.capacity else { return }
        if let oldest = self.statements.min(by: { $0.value.lastUse < $1.value.lastUse }) { self.remove(oldest.key) }
    }

    mutating func remove(_ key: Key) {
        if let statement = self.statements.removeValue(forKey: key) { self.dropped.append(statement.name) }
    }

    /// Removes and returns a name to deallocate.
    mutating func takeDropped() -> String? { self.dropped.popLast() }
}
