import ArgumentParser
import Foundation
import Hummingbird
import Ingestion
import Logging
import Postgres
import RevisionStore
import ServiceLifecycle
import SyncServer
import UnixSignals

/// `venue up`
struct Up: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run everything on this machine, with a private PostgreSQL, whose programs have to be installed.")

    @Option(help: "The port to listen on.")
    var port = 8080

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The folder of the private database.")
    var data: String?

    func run() async throws {
        try await self.reporting {
            let configuration = try await VenueConfiguration.load()
            let stack = ServiceStack(
                configuration: configuration, host: self.host, port: self.port, dataFolder: self.data)
            try await stack.run { address, adminKey in
                Terminal.say("VenueSync is at \(address)")
                if configuration.adminKey == nil {
                    Terminal.say("Admin key, until the next start: \(adminKey)")
                    Terminal.say("Set VENUE_ADMIN_KEY to choose one that stays.")
                }
                return .goOn
            }
        }
    }
}

/// `venue serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Answer over HTTP. Needs VENUE_DATABASE_URL, migrated.")

    @Option(help: "The port to listen on.")
    var port = 8080

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    func run() async throws {
        try await self.reporting {
            let configuration = try await VenueConfiguration.load()
            let connections = NodeConnections(to: try configuration.database(), replica: configuration.replica())
            let logger = configuration.logger()
            try await Migrator.expectMigrated(connections.store.pool)
            try await connections.store.checkLineage(telling: logger)
            let settings = configuration.serverSettings(
                host: self.host, port: self.port, adminKey: configuration.adminKey)
            let server = SyncApplication.services(Live(node: connections.node), settings: settings, logger: logger)
            let drain = Drain(readiness: settings.readiness, patience: configuration.access.drain)
            try await ServiceGroup(
                configuration: .init(
                    services: server + [drain], after: configuration.access.drain, logger: logger)
            ).run()
            await connections.close()
        }
    }
}

/// `venue work`
struct Work: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Work on uploads. Any number may run. Needs VENUE_DATABASE_URL, migrated.")

    @Option(help: "After how many seconds the job of a worker that went silent is another's.")
    var lease = 30.0

    @Option(help: .hidden)
    var parent: Int32?

    func validate() throws {
        guard self.lease > 0, self.lease <= 86_400 else {
            throw ValidationError("--lease takes seconds, a day at most")
        }
    }

    func run() async throws {
        try await self.reporting {
            let configuration = try await VenueConfiguration.load()
            // Two connections for each job that may run at once, and a few for the queue.
            let pool = ConnectionPool(try configuration.database().forStore(lockTimeout: .seconds(10)), size: 8)
            let logger = configuration.logger()
            let store = RevisionStore(pool: pool)
            try await Migrator.expectMigrated(pool)
            try await store.checkLineage(telling: logger)
            var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
                .init(
                    service: IngestionWorker(
                        store: store,
                        settings: .init(lease: .seconds(self.lease), limits: configuration.archiveLimits),
                        logger: logger))
            ]
            if let parent {
                services.append(
                    .init(service: ParentWatch(parent: parent), successTerminationBehavior: .gracefullyShutdownGroup))
            }
            var group = ServiceGroupConfiguration(
                services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
            // The worker ends by itself before that.
            group.maximumGracefulShutdownDuration = .seconds(10)
            group.maximumCancellationDuration = .seconds(3)
            try await ServiceGroup(configuration: group).run()
            // A job that was given back may still compute with a connection in its hands; it ends with the process.
            _ = await bounded(by: .seconds(1)) { await pool.close() }
        }
    }

    /// Ends when the process that started this one is gone, however it went.
    private struct ParentWatch: Service {
        let parent: Int32

        func run() async throws {
            while getppid() == self.parent, !Task.isShuttingDownGracefully, !Task.isCancelled {
                try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(1)) }
            }
        }
    }
}

/// `venue migrate`
struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring the database of VENUE_DATABASE_URL to the newest schema.")

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await self.reporting {
            let configuration = try await VenueConfiguration.load()
            let database = try configuration.database()
            let applied = try await Migrator.migrate(database)
            let pool = ConnectionPool(database, size: 1)
            try await RevisionStore(pool: pool).checkLineage(telling: configuration.logger())
            await pool.close()
            if self.json {
                try Terminal.say(json: ["applied": applied])
            } else {
                Terminal.say(
                    applied.isEmpty
                        ? "The schema is the newest already." : "Applied: \(applied.joined(separator: ", "))")
            }
        }
    }
}
