internal import Synchronization

/// A bounded number of connections, each of which is used by one closure at a time.
///
/// Connections are opened when they are needed, in the order of the requests. A connection that was lost is replaced at the next
/// request. A closure that requests a second connection while it holds one may deadlock: use the first one.
package final class ConnectionPool: Sendable {
    package let configuration: ConnectionConfiguration
    package let size: Int

    private let state = Mutex(State())

    package init(_ configuration: ConnectionConfiguration, size: Int = 8) {
        precondition(size > 0, "a pool has at least one connection")
        self.configuration = configuration
        self.size = size
    }

    /// The number of closures that wait for a connection.
    package var waitingCount: Int { self.state.withLock { $0.waiting.count } }

    /// The number of connections that are in use, or being opened.
    package var inUseCount: Int { self.state.withLock { $0.slots - $0.idle.count } }

    /// How often a connection was used since the pool was created.
    package var useCount: Int { self.state.withLock { $0.useCount } }

    /// Runs `body` with a connection. A transaction that it leaves open is rolled back. Settings of the session are kept, so use
    /// `SET LOCAL`.
    package func withConnection<Result>(
        _ body: (Connection) async throws -> Result
    ) async throws -> Result {
        let connection = try await self.take()
        self.state.withLock { $0.useCount += 1 }
        do {
            let result = try await body(connection)
            await self.returnConnection(connection)
            return result
        } catch {
            // The server remains a standby. A new connection may lead to the primary.
            if (error as? PostgresError)?.isReadOnlyServer == true { await connection.close() }
            await self.returnConnection(connection)
            throw error
        }
    }

    /// Runs one statement on any connection.
    package func query(_ query: Query) async throws -> Rows {
        try await self.withConnection { try await $0.query(query) }
    }

    /// Rejects all further and waiting requests, and returns when every connection is closed; those in use are closed afterwards.
    package func close() async {
        let (idle, waiting) = self.state.withLock { $0.close() }
        for continuation in waiting { continuation.resume(throwing: PostgresError(.closed)) }
        for connection in idle {
            await connection.close()
            self.releaseSlot()
        }
        await withCheckedContinuation { continuation in
            if self.state.withLock({ $0.isEmpty(or: continuation) }) { continuation.resume() }
        }
    }

    private func take() async throws -> Connection {
        try Task.checkCancellation()
        var grant = self.state.withLock { $0.grant(size: self.size) }
        if grant == nil { grant = try await self.wait() }
        if case .connection(let connection) = grant {
            if await connection.isUsable() { return connection }
            await connection.close()
        }
        do {
            // A free slot, for which a connection is to be opened.
            return try await Connection.open(self.configuration)
        } catch {
            self.releaseSlot()
            throw error
        }
    }

    private func wait() async throws -> Grant {
        let number = self.state.withLock { $0.nextNumber() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = self.state.withLock { state -> Swift.Result<Grant, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.isClosed { return .failure(PostgresError(.closed)) }
                    // A connection may have been returned meanwhile.
                    if let grant = state.grant(size: self.size) { return .success(grant) }
                    state.waiting.append((number, continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            self.state.withLock { $0.stopWaiting(number) }?.resume(throwing: CancellationError())
        }
    }

    private func returnConnection(_ connection: Connection) async {
        guard await connection.isReusable() else { return self.releaseSlot() }
        let (next, isClosed) = self.state.withLock { $0.takeBack(connection) }
        next?.resume(returning: .connection(connection))
        if isClosed {
            await connection.close()
            self.releaseSlot()
        }
    }

    /// Releases the slot of a connection that was closed; the next waiting closure opens another one.
    private func releaseSlot() {
        let (next, emptied) = self.state.withLock { $0.releaseSlot() }
        next?.resume(returning: .slot)
        for continuation in emptied { continuation.resume() }
    }
}

/// What a closure receives that requested a connection.
private enum Grant: Sendable {
    case connection(Connection)
    /// Permission to open a connection.
    case slot
}

private struct State {
    typealias Waiter = CheckedContinuation<Grant, any Error>

    var idle: [Connection] = []
    /// The number of connections that are open or being opened.
    var slots = 0
    var useCount = 0
    var waiting: [(number: UInt64, continuation: Waiter)] = []
    var isClosed = false
    private var closing: [CheckedContinuation<Void, Never>] = []
    private var lastNumber: UInt64 = 0

    mutating func nextNumber() -> UInt64 {
        self.lastNumber += 1
        return self.lastNumber
    }

    /// An idle connection or a free slot, unless others are waiting.
    mutating func grant(size: Int) -> Grant? {
        guard !self.isClosed, self.waiting.isEmpty else { return nil }
        if let connection = self.idle.popLast() { return .connection(connection) }
        guard self.slots < size else { return nil }
        self.slots += 1
        return .slot
    }

    mutating func stopWaiting(_ number: UInt64) -> Waiter? {
        guard let index = self.waiting.firstIndex(where: { $0.number == number }) else { return nil }
        return self.waiting.remove(at: index).continuation
    }

    /// Returns the closure that gets the connection next, or whether it is to be closed; otherwise it becomes idle.
    mutating func takeBack(_ connection: Connection) -> (next: Waiter?, isClosed: Bool) {
        if self.isClosed { return (nil, true) }
        if !self.waiting.isEmpty { return (self.waiting.removeFirst().continuation, false) }
        self.idle.append(connection)
        return (nil, false)
    }

    mutating func releaseSlot() -> (next: Waiter?, emptied: [CheckedContinuation<Void, Never>]) {
        if !self.waiting.isEmpty { return (self.waiting.removeFirst().continuation, []) }
        self.slots -= 1
        guard self.isClosed, self.slots == 0 else { return (nil, []) }
        defer { self.closing = [] }
        return (nil, self.closing)
    }

    mutating func close() -> (idle: [Connection], waiting: [Waiter]) {
        self.isClosed = true
        defer {
            self.idle = []
            self.waiting = []
        }
        return (self.idle, self.waiting.map(\.continuation))
    }

    mutating func isEmpty(or closing: CheckedContinuation<Void, Never>) -> Bool {
        if self.slots == 0 { return true }
        self.closing.append(closing)
        return false
    }
}
