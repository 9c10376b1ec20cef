import EmbeddedPostgres
import Hummingbird
import Logging
import Postgres
import RevisionStore
import ServiceLifecycle
import SyncServer
import UnixSignals

/// Everything on this machine: a database (a private one, unless there is another), a worker beside the server, the server.
struct ServiceStack {
    var configuration: VenueConfiguration
    var host: String
    var port: Int
    /// Of the private database; nil for the usual folder.
    var dataFolder: String?

    /// Runs until a signal ends it, or until `story`, which is told where the server is, has ended with `.stop`.
    func run(_ story: @escaping @Sendable (_ address: String, _ adminKey: String) async throws -> AfterStory)
        async throws
    {
        let logger = self.configuration.logger()
        let embedded =
            self.configuration.databaseURL == nil ? try await EmbeddedPostgres.start(in: self.dataFolder) : nil
        do {
            let url = self.configuration.databaseURL ?? embedded?.databaseURL ?? ""
            try await self.run(on: url, logger: logger, story)
            await embedded?.stop()
        } catch {
            await embedded?.stop()
            throw error
        }
    }

    enum AfterStory {
        case stop
        case goOn
    }

    private func run(
        on databaseURL: String, logger: Logger,
        _ story: @escaping @Sendable (_ address: String, _ adminKey: String) async throws -> AfterStory
    ) async throws {
        let database = ConnectionConfiguration(url: databaseURL)
        try await Migrator.migrate(database)
        let connections = NodeConnections(to: database, replica: self.configuration.replica())
        try await connections.store.checkLineage(telling: logger)
        let adminKey = self.configuration.adminKey ?? Self.freshKey()
        let (ready, isReady) = AsyncStream.makeStream(of: Int.self)
        let settings = self.configuration.serverSettings(host: self.host, port: self.port, adminKey: adminKey)
        let server = SyncApplication.services(
            Live(node: connections.node), settings: settings, logger: logger
        ) { port in
            isReady.yield(port)
        }
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    WorkerSupervisor(
                        databaseURL: databaseURL, logLevel: self.configuration.logLevel, logger: logger)
                ] + server + [Drain(readiness: settings.readiness, patience: self.configuration.access.drain)],
                after: self.configuration.access.drain, logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { isReady.finish() }
                try await group.run()
            }
            tasks.addTask {
                for await port in ready {
                    do {
                        if try await story("http://\(self.host):\(port)", adminKey) == .stop {
                            await group.triggerGracefulShutdown()
                        }
                    } catch {
                        await group.triggerGracefulShutdown()
                        throw error
                    }
                }
            }
            try await tasks.waitForAll()
        }
        await connections.close()
    }

    private static func freshKey() -> String {
        "vsa_" + (0..<4).map { _ in String(UInt64.random(in: .min ... .max) | 1 << 63, radix: 16) }.joined()
    }
}
