import Foundation
import Logging
import ServiceLifecycle
import SyncServer
import UnixSignals

extension ServiceGroup {
    /// A group that stops its services on SIGTERM or SIGINT, and ends the process if they do not stop in time.
    ///
    /// - Parameters:
    ///   - services: They are stopped from the last to the first.
    ///   - grace: How long current work may take. It is cancelled then.
    ///   - logger: Reports what was abandoned.
    init(
        services: [ServiceGroupConfiguration.ServiceConfiguration], grace: Duration, logger: Logger
    ) {
        let deadline = ShutdownDeadline(duration: grace + .seconds(5), logger: logger)
        var configuration = ServiceGroupConfiguration(
            services: services + [.init(service: deadline)], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger)
        configuration.maximumGracefulShutdownDuration = grace
        self.init(configuration: configuration)
    }
}

/// Ends the process some time after a shutdown began, whatever the other services do: work that computes reacts to cancellation only
/// between its steps, and a database may not respond. The group's own limit traps instead, and writes a backtrace for a minute.
private struct ShutdownDeadline: Service {
    let duration: Duration
    let logger: Logger

    func run() async throws {
        // Throws when the group is cancelled because another service has failed.
        try? await gracefulShutdown()
        // Not a task: all threads for tasks may be busy with what does not end.
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: self.duration / .seconds(1))
            self.logger.warning("Work that did not stop in time was abandoned", metadata: ["limit": "\(self.duration)"])
            // Without destructors, whose objects may be in use. All state is in PostgreSQL, and unfinished transactions are rolled back.
            _exit(ExitStatus.success.rawValue)
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
