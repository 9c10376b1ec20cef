import Logging
package import ServiceLifecycle

/// Runs services, one of which listens on a free port of this machine, until a test has ended.
///
/// - Parameters:
///   - services: Creates them, with a function that the one that listens calls.
///   - test: May stop them earlier.
package func withServices<Result: Sendable>(
    _ services: (_ isRunning: @escaping @Sendable (_ port: Int) async -> Void) -> [any Service],
    _ test: @escaping @Sendable (_ port: Int, _ stop: @escaping @Sendable () async -> Void) async throws -> Result
) async throws -> Result {
    let (ports, feed) = AsyncStream.makeStream(of: Int.self)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let group = ServiceGroup(configuration: .init(services: services { feed.yield($0) }, logger: logger))
    let stop: @Sendable () async -> Void = { await group.triggerGracefulShutdown() }
    async let running: Void = {
        defer { feed.finish() }
        try await group.run()
    }()
    do {
        guard let port = await ports.first(where: { _ in true }) else {
            try await running
            throw ServicesEnded()
        }
        let result = try await test(port, stop)
        await stop()
        try await running
        return result
    } catch {
        await stop()
        throw error
    }
}

/// Runs services like ``withServices(_:_:)``, and returns when all have ended.
///
/// - Parameter test: May stop them, and cancel them as when the time for a graceful shutdown is over.
package func withCancellableServices(
    _ services: (_ isRunning: @escaping @Sendable (_ port: Int) async -> Void) -> [any Service],
    _ test:
        @escaping @Sendable (
            _ port: Int, _ stop: @escaping @Sendable () async -> Void, _ cancel: @escaping @Sendable () -> Void
        ) async throws -> Void
) async throws {
    let (ports, feed) = AsyncStream.makeStream(of: Int.self)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let group = ServiceGroup(configuration: .init(services: services { feed.yield($0) }, logger: logger))
    let running: Task<Void, any Error> = Task {
        defer { feed.finish() }
        try await group.run()
    }
    let outcome: Result<Void, any Error>
    do {
        guard let port = await ports.first(where: { _ in true }) else { throw ServicesEnded() }
        try await test(port, { await group.triggerGracefulShutdown() }, { running.cancel() })
        outcome = .success(())
    } catch {
        outcome = .failure(error)
    }
    running.cancel()
    // That they were cancelled is no failure.
    _ = await running.result
    try outcome.get()
}

/// The services ended before one of them listened.
package struct ServicesEnded: Error {}
