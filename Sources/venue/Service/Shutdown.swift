import Foundation
import Logging
import ServiceLifecycle
import SyncServer
import Synchronization
import UnixSignals

/// Services that are stopped on SIGTERM or SIGINT, and a process that ends if they do not stop in time.
struct BoundedServices {
    let group: ServiceGroup
    private let deadline: ShutdownDeadline

    /// - Parameters:
    ///   - services: They are stopped from the last to the first.
    ///   - grace: How long current work may take. It is cancelled then.
    ///   - logger: Reports what was abandoned.
    init(_ services: [ServiceGroupConfiguration.ServiceConfiguration], grace: Duration, logger: Logger) {
        self.deadline = ShutdownDeadline(duration: grace + .seconds(5), logger: logger)
        var configuration = ServiceGroupConfiguration(
            services: services + [.init(service: self.deadline)], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger)
        configuration.maximumGracefulShutdownDuration = grace
        self.group = ServiceGroup(configuration: configuration)
    }

    /// What follows, such as a database that is stopped, has limits of its own.
    func run() async throws {
        defer { self.deadline.isOver.store(true, ordering: .relaxed) }
        try await self.group.run()
    }
}

/// Ends the process some time after a shutdown began, whatever the other services do: work that computes reacts to cancellation only
/// between its steps, and a database may not respond. The group's own limit traps instead, and writes a backtrace for a minute.
private final class ShutdownDeadline: Service {
    /// Whether all services have ended.
    let isOver = Atomic(false)
    private let duration: Duration
    private let logger: Logger

    init(duration: Duration, logger: Logger) {
        self.duration = duration
        self.logger = logger
    }

    func run() async throws {
        // Throws when the group is cancelled because another service has failed.
        let status = (try? await gracefulShutdown()) == nil ? ExitStatus.failure : .success
        // Not a task: all threads for tasks may be busy with what does not end.
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: self.duration / .seconds(1))
            guard !self.isOver.load(ordering: .relaxed) else { return }
            self.logger.warning("Work that did not stop in time was abandoned", metadata: ["limit": "\(self.duration)"])
            // Without destructors, whose objects may be in use. All state is in PostgreSQL, and unfinished transactions are rolled back.
            _exit(status.rawValue)
        }
    }
}

/// Reports on shutdown that the server is not ready, and waits until load balancers have noticed. Has to be the last service of
/// its group: services are stopped from the last to the first, so the server keeps serving meanwhile.
struct Drain: Service {
    let readiness: Readiness
    let duration: Duration

    /// How long requests may take after the drain.
    static let requests = Duration.seconds(30)

    func run() async throws {
        try? await gracefulShutdown()
        self.readiness.drain()
        try? await Task.sleep(for: self.duration)
    }
}
