internal import CLibpq

/// The notifications of some channels, on a connection of its own that is reopened whenever it is lost.
///
/// Notifications may be lost with the connection. So after every ``Event/connected``, read the table that the notifications are about.
///
/// The sequence ends when its task is cancelled.
package struct Listener: AsyncSequence, Sendable {
    package enum Event: Hashable, Sendable {
        /// No notification is lost between this event and the next one of this kind.
        case connected
        case notification(channel: String, payload: String)
    }

    package typealias Element = Event
    package typealias Failure = Never

    let configuration: ConnectionConfiguration
    let channels: [String]
    let onConnect: [String]

    /// - Parameter onConnect: Statements that every new connection runs after `LISTEN`. Notifications that arrive meanwhile are delivered
    ///   afterwards.
    package init(_ configuration: ConnectionConfiguration, channels: [String], onConnect: [String] = []) {
        self.configuration = configuration
        self.channels = channels
        self.onConnect = onConnect
    }

    package func makeAsyncIterator() -> Iterator { Iterator(self) }

    package struct Iterator: AsyncIteratorProtocol {
        private let listener: Listener
        private var connection: Connection?
        private var connectedAt = ContinuousClock.now
        /// The number of consecutive connections that could not be opened or were lost soon.
        private var failures = 0

        fileprivate init(_ listener: Listener) {
            self.listener = listener
        }

        package mutating func next() async -> Event? {
            while !Task.isCancelled {
                do {
                    if let connection = self.connection { return try await connection.notification() }
                    self.connection = try await self.connect()
                    self.connectedAt = .now
                    return .connected
                } catch {
                    let lasted = self.connection != nil && self.connectedAt.duration(to: .now) > .seconds(1)
                    await self.connection?.close()
                    self.connection = nil
                    // A connection that lasted is reopened at once.
                    if lasted { self.failures = 0 } else { await self.pause() }
                }
            }
            await self.connection?.close()
            self.connection = nil
            return nil
        }

        private func connect() async throws -> Connection {
            let connection = try await Connection.open(self.listener.configuration)
            do {
                for channel in self.listener.channels {
                    let name = channel.split(separator: "\"", omittingEmptySubsequences: false).joined(
                        separator: "\"\"")
                    try await connection.execute("LISTEN \"\(name)\"")
                }
                for statement in self.listener.onConnect { try await connection.execute(statement) }
            } catch {
                await connection.close()
                throw error
            }
            return connection
        }

        /// Waits 0.1 s, then twice as long each time up to 5 s, with a jitter of up to a half.
        private mutating func pause() async {
            let seconds = Swift.min(0.1 * Double(1 << Swift.min(self.failures, 6)), 5)
            self.failures += 1
            try? await Task.sleep(for: .seconds(seconds * Double.random(in: 0.5...1)))
        }
    }
}

extension Connection {
    /// Waits for the next notification.
    fileprivate func notification() async throws -> Listener.Event {
        _ = try self.begin()
        defer { self.end() }
        while true {
            if let event = try self.nextNotification() { return event }
            // There is no statement to cancel.
            try Task.checkCancellation()
            try await self.receive(.read)
        }
    }

    private func nextNotification() throws(PostgresError) -> Listener.Event? {
        guard let notification = PQnotifies(try self.open()) else { return nil }
        defer { PQfreemem(notification) }
        return .notification(
            channel: String(cString: notification.pointee.relname), payload: String(cString: notification.pointee.extra)
        )
    }
}
