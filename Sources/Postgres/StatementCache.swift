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

    /// The server keeps a plan for each, so there is a bound.
    static let capacity = 256

    private var statements: [Key: Statement] = [:]
    private var uses: UInt64 = 0
    private var names: UInt64 = 0
    /// Names that no text leads to any more, not yet deallocated.
    private var dropped: [String] = []

    mutating func name(_ key: Key) -> String? {
        self.uses += 1
        guard let index = self.statements.index(forKey: key) else { return nil }
        self.statements.values[index].lastUse = self.uses
        return self.statements.values[index].name
    }

    /// A name that no statement of the session has had.
    mutating func newName() -> String {
        self.names += 1
        return "s\(self.names)"
    }

    /// Remembers a statement that the server has prepared, and drops the one unused for longest if there are too many.
    mutating func insert(_ name: String, for key: Key) {
        self.uses += 1
        self.statements[key] = Statement(name: name, lastUse: self.uses)
        guard self.statements.count > Self.capacity else { return }
        if let oldest = self.statements.min(by: { $0.value.lastUse < $1.value.lastUse }) { self.remove(oldest.key) }
    }

    mutating func remove(_ key: Key) {
        if let statement = self.statements.removeValue(forKey: key) { self.dropped.append(statement.name) }
    }

    /// Takes one name to deallocate.
    mutating func takeDropped() -> String? { self.dropped.popLast() }
}
