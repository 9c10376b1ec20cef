internal import Synchronization

/// A few connections, lent to one closure at a time.
///
/// Connections are opened when they are needed, first come, first served. One that was lost is replaced by the next that
/// asks. A closure that asks for a second connection while it holds one can wait for ever when all do: pass the first along.
package final class ConnectionPool: Sendable {
    package let configuration: ConnectionConfiguration
    package let size: Int

    private let state = Mutex(State())

    package init(_ configuration: ConnectionConfiguration, size: Int = 8) {
        precondition(size > 0, "a pool holds one connection or more")
        self.configuration = configuration
        self.size = size
    }

    /// How many closures wait for a connection.
    package var waitingCount: Int { self.state.withLock { $0.waiting.count } }

    /// How many connections are lent, or being opened for somebody.
    package var lentCount: Int { self.state.withLock { $0.places - $0.idle.count } }
    /// How many times a connection was lent since the pool was made.
    package var lendings: Int { self.state.withLock { $0.lendings } }

    /// Lends a connection to `body`. A transaction that it leaves open is rolled back; what it sets for the session stays, so
    /// use `SET LOCAL`.
    package func withConnection<Answer>(
        _ body: (Connection) async throws -> Answer
    ) async throws -> Answer {
        let connection = try await self.take()
        self.state.withLock { $0.lendings += 1 }
        do {
            let answer = try await body(connection)
            await self.giveBack(connection)
            return answer
        } catch {
            await self.giveBack(connection)
            throw error
        }
    }

    /// Runs one statement on any connection.
    package func query(_ query: Query) async throws -> Rows {
        try await self.withConnection { try await $0.query(query) }
    }

    /// Lends no more, turns away who waits, and returns when every connection is closed: those lent are when they come back.
    package func close() async {
        let (idle, waiting) = self.state.withLock { $0.close() }
        for continuation in waiting { continuation.resume(throwing: PostgresError(.closed)) }
        for connection in idle {
            await connection.close()
            self.dismiss()
        }
        await withCheckedContinuation { continuation in
            if self.state.withLock({ $0.isEmpty(or: continuation) }) { continuation.resume() }
        }
    }

    private func take() async throws -> Connection {
        try Task.checkCancellation()
        var lent = self.state.withLock { $0.lend(size: self.size) }
        if lent == nil { lent = try await self.wait() }
        if case .connection(let connection) = lent {
            if await connection.isUsable() { return connection }
            await connection.close()
        }
        do {
            // A place without a connection: it is ours to fill.
            return try await Connection.open(self.configuration)
        } catch {
            self.dismiss()
            throw error
        }
    }

    private func wait() async throws -> Lent {
        let number = self.state.withLock { $0.nextNumber() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = self.state.withLock { state -> Swift.Result<Lent, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.isClosed { return .failure(PostgresError(.closed)) }
                    // One may have come back since we looked.
                    if let lent = state.lend(size: self.size) { return .success(lent) }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            self.state.withLock { $0.stopWaiting(number) }?.resume(throwing: CancellationError())
        }
    }

    private func giveBack(_ connection: Connection) async {
        guard await connection.isReusable() else { return self.dismiss() }
        let (next, isClosed) = self.state.withLock { $0.takeBack(connection) }
        next?.resume(returning: .connection(connection))
        if isClosed {
            await connection.close()
            self.dismiss()
        }
    }

    /// Gives up a place whose connection is closed: the next who waits opens another.
    private func dismiss() {
        let (next, emptied) = self.state.withLock { $0.dismiss() }
        next?.resume(returning: .place)
        for continuation in emptied { continuation.resume() }
    }
}

/// What a closure that waited gets.
private enum Lent: Sendable {
    case connection(Connection)
    /// The right to open one.
    case place
}

private struct State {
    typealias Waiting = CheckedContinuation<Lent, any Error>

    var idle: [Connection] = []
    /// Connections that are open or being opened.
    var places = 0
    var lendings = 0
    var waiting: [(number: UInt64, continuation: Waiting)] = []
    var isClosed = false
    private var closing: [CheckedContinuation<Void, Never>] = []
    private var lastNumber: UInt64 = 0

    mutating func nextNumber() -> UInt64 {
        self.lastNumber += 1
        return self.lastNumber
    }

    /// An idle connection or a free place, unless others wait for one.
    mutating func lend(size: Int) -> Lent? {
        guard !self.isClosed, self.waiting.isEmpty else { return nil }
        if let connection = self.idle.popLast() { return .connection(connection) }
        guard self.places < size else { return nil }
        self.places += 1
        return .place
    }

    mutating func stopWaiting(_ number: UInt64) -> Waiting? {
        guard let index = self.waiting.firstIndex(where: { $0.number == number }) else { return nil }
        return self.waiting.remove(at: index).continuation
    }

    /// The one who gets the connection next, or whether it is to be closed; else it is idle.
    mutating func takeBack(_ connection: Connection) -> (next: Waiting?, isClosed: Bool) {
        if self.isClosed { return (nil, true) }
        if !self.waiting.isEmpty { return (self.waiting.removeFirst().continuation, false) }
        self.idle.append(connection)
        return (nil, false)
    }

    mutating func dismiss() -> (next: Waiting?, emptied: [CheckedContinuation<Void, Never>]) {
        if !self.waiting.isEmpty { return (self.waiting.removeFirst().continuation, []) }
        self.places -= 1
        guard self.isClosed, self.places == 0 else { return (nil, []) }
        defer { self.closing = [] }
        return (nil, self.closing)
    }

    mutating func close() -> (idle: [Connection], waiting: [Waiting]) {
        self.isClosed = true
        defer {
            self.idle = []
            self.waiting = []
        }
        return (self.idle, self.waiting.map(\.continuation))
    }

    mutating func isEmpty(or closing: CheckedContinuation<Void, Never>) -> Bool {
        if self.places == 0 { return true }
        self.closing.append(closing)
        return false
    }
}
