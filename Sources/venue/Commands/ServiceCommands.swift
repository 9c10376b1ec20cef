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
        abstract: "Run the server, a worker and a private PostgreSQL on this machine. PostgreSQL has to be installed."
    )

    @OptionGroup var listening: PortOption

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The folder of the private database; by default .venue, and /var/lib/venuesync for root.")
    var data: String?

    func run() async throws {
        try await self.reportingErrors {
            let configuration = try await VenueConfiguration.load()
            let stack = ServiceStack(
                configuration: configuration, host: self.host, port: self.listening.port, dataFolder: self.data)
            try await stack.run { address, adminKey in
                Terminal.print("VenueSync is at \(address)")
                if configuration.adminKey == nil {
                    Terminal.print("Admin key, until the next start: \(adminKey)")
                    Terminal.print("Set VENUE_ADMIN_KEY to choose a permanent one.")
                }
                return .keepServing
            }
        }
    }
}

/// `venue serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Serve the HTTP API and the console. The command waits until the database of VENUE_DATABASE_URL is migrated."
    )

    @OptionGroup var listening: PortOption

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    func run() async throws {
        try await self.reportingErrors {
            let configuration = try await VenueConfiguration.load()
            try configuration.checkAdminKey()
            let connections = NodeConnections(
                to: try configuration.database(), replica: configuration.replica(),
                signing: try configuration.signing(), archives: try configuration.archives(),
                unconfirmed: configuration.access.unconfirmed)
            let logger = configuration.logger()
            let start = DatabaseStart(store: connections.store, logger: logger)
            var late: [any Service] = []
            if try await !start.isPossible() {
                connections.readModel.suspend()
                late = [LateStart(start: start, readModel: connections.readModel)]
            }
            let settings = configuration.serverSettings(
                host: self.host, port: self.listening.port, adminKey: configuration.adminKey)
            let server = SyncApplication(readModel: connections.readModel, settings: settings)
                .services(logger: logger)
            let drain = Drain(readiness: settings.readiness, duration: configuration.access.drain)
            do {
                try await BoundedServices(
                    (late + server + [drain]).map { .init(service: $0) }, grace: drain.duration + Drain.requests,
                    logger: logger
                ).run()
            } catch {
                throw Failure(error, listeningAt: self.host, port: self.listening.port) ?? error
            }
            await connections.close()
        }
    }
}

/// `venue work`
struct Work: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Process uploads. Any number of workers may run. They wait until the database of VENUE_DATABASE_URL is migrated."
    )

    @Option(
        help: "The time, in seconds, after which another worker takes over the job of a worker that does not respond.")
    var lease = 30.0

    @Option(help: .hidden)
    var parent: Int32?

    func validate() throws {
        guard self.lease > 0, self.lease <= 86_400 else {
            throw ValidationError("--lease must be more than 0 and at most 86400 seconds")
        }
    }

    func run() async throws {
        try await self.reportingErrors {
            let configuration = try await VenueConfiguration.load()
            // Two connections for each job that may run at once, and a few for the queue.
            let pool = ConnectionPool(try configuration.database().forStore(lockTimeout: .seconds(10)), size: 8)
            let logger = configuration.logger()
            let store = RevisionStore(
                pool: pool, signing: try configuration.signing(), archives: try configuration.archives())
            let worker = IngestionWorker(
                store: store,
                settings: .init(
                    lease: .seconds(self.lease), limits: configuration.archiveLimits,
                    timeZones: try configuration.timeZones()),
                logger: logger)
            let start = DatabaseStart(store: store, logger: logger)
            let isPossible = try await start.isPossible()
            var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
                .init(service: isPossible ? worker as any Service : Postponed(start: start, content: worker))
            ]
            if let parent {
                services.append(
                    .init(service: ParentMonitor(parent: parent), successTerminationBehavior: .gracefullyShutdownGroup))
            }
            // The worker stops by itself within this time.
            try await BoundedServices(services, grace: .seconds(10), logger: logger).run()
            // A released job may still be computing and hold a connection. It ends with the process.
            _ = await withTimeout(.seconds(1)) { await pool.close() }
        }
    }

    /// Returns when the process that started this one has ended, for whatever reason.
    private struct ParentMonitor: Service {
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
        abstract: "Apply the missing migrations to the database of VENUE_DATABASE_URL.")

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await self.reportingErrors {
            let configuration = try await VenueConfiguration.load()
            let database = try configuration.database()
            let applied = try await Migrator.migrate(database)
            let pool = ConnectionPool(database, size: 1)
            try await RevisionStore(pool: pool).checkLineage(logger: configuration.logger())
            await pool.close()
            if self.json {
                try Terminal.print(json: ["applied": applied])
            } else {
                Terminal.print(
                    applied.isEmpty
                        ? "The schema is up to date." : "Applied: \(applied.joined(separator: ", "))")
            }
        }
    }
}
