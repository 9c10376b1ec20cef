import EmbeddedPostgres
import Hummingbird
import Logging
import Postgres
import RevisionStore
import ServiceLifecycle
import SyncServer
import UnixSignals

/// Runs everything on this machine: a database (private, unless one is configured), a worker process and the server.
struct ServiceStack {
    var configuration: VenueConfiguration
    var host: String
    var port: Int
    /// The folder of the private database; nil for the default folder.
    var dataFolder: String?

    /// Runs until a signal arrives, or until `onReady`, which is called once the server accepts connections, returns `.stop`.
    func run(_ onReady: @escaping @Sendable (_ address: String, _ adminKey: String) async throws -> NextStep)
        async throws
    {
        let logger = self.configuration.logger()
        try self.configuration.checkAdminKey()
        let embedded =
            self.configuration.databaseURL == nil ? try await EmbeddedPostgres.start(in: self.dataFolder) : nil
        do {
            let url = self.configuration.databaseURL ?? embedded?.databaseURL ?? ""
            try await self.run(on: url, embedded, logger: logger, onReady)
            await embedded?.stop()
        } catch {
            await embedded?.stop()
            throw Failure(error, listeningAt: self.host, port: self.port) ?? error
        }
    }

    enum NextStep {
        case stop
        case keepServing
    }

    private func run(
        on databaseURL: String, _ embedded: EmbeddedPostgres?, logger: Logger,
        _ onReady: @escaping @Sendable (_ address: String, _ adminKey: String) async throws -> NextStep
    ) async throws {
        let database = ConnectionConfiguration(url: databaseURL)
        try await Migrator.migrate(database)
        let connections = NodeConnections(
            to: database, replica: self.configuration.replica(), signing: try self.configuration.signing(),
            archives: try self.configuration.archives(), unconfirmed: self.configuration.access.unconfirmed)
        try await connections.store.checkLineage(logger: logger)
        let adminKey = self.configuration.adminKey ?? Self.randomKey()
        let (ready, isReady) = AsyncStream.makeStream(of: Int.self)
        let settings = self.configuration.serverSettings(host: self.host, port: self.port, adminKey: adminKey)
        let server = SyncApplication(readModel: connections.readModel, settings: settings)
            .services(logger: logger) { port in isReady.yield(port) }
        let worker = WorkerSupervisor(
            databaseURL: databaseURL, logLevel: self.configuration.logLevel, logger: logger)
        let drain = Drain(readiness: settings.readiness, duration: self.configuration.access.drain)
        let monitor = embedded.map { [DatabaseMonitor(database: $0)] } ?? []
        let services: [any Service] = monitor + [worker] + server + [drain]
        let bounded = BoundedServices(
            services.map { .init(service: $0) }, grace: drain.duration + Drain.requests, logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { isReady.finish() }
                try await bounded.run()
            }
            tasks.addTask {
                for await port in ready {
                    do {
                        if try await onReady("http://\(self.host):\(port)", adminKey) == .stop {
                            await bounded.group.triggerGracefulShutdown()
                        }
                    } catch {
                        await bounded.group.triggerGracefulShutdown()
                        throw error
                    }
                }
            }
            try await tasks.waitForAll()
        }
        await connections.close()
    }

    private static func randomKey() -> String {
        "vsa_" + (0..<4).map { _ in String(UInt64.random(in: .min ... .max) | 1 << 63, radix: 16) }.joined()
    }
}

/// Ends the program when its private PostgreSQL has ended without being stopped: nothing can be served until it is started again,
/// and whoever supervises the program does that with the pauses that it has for all programs.
private struct DatabaseMonitor: Service {
    let database: EmbeddedPostgres

    func run() async throws {
        let (exits, exit) = AsyncStream.makeStream(of: EmbeddedPostgresError.self)
        Task { exit.yield(await self.database.unexpectedExit()) }
        for await error in exits.cancelOnGracefulShutdown() { throw Failure(.unreachable, "\(error)") }
    }
}
