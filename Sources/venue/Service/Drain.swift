import Logging
import ServiceLifecycle
import SyncServer
import UnixSignals

extension ServiceGroupConfiguration {
    /// Stops the services on SIGTERM or SIGINT within a bounded time. Requests that take more than 30 seconds after the drain are
    /// cancelled. What does not react to cancellation, because a database does not respond, ends with the process.
    init(services: [any Service], after drain: Duration, logger: Logger) {
        self.init(services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        self.maximumGracefulShutdownDuration = drain + .seconds(30)
        self.maximumCancellationDuration = .seconds(15)
    }
}

/// Reports on shutdown that the server is not ready, and waits until load balancers have noticed. Has to be the last service of
/// its group: services are stopped from the last to the first, so the server keeps serving meanwhile.
struct Drain: Service {
    let readiness: Readiness
    let duration: Duration

    func run() async throws {
        try? await gracefulShutdown()
        self.readiness.drain()
        try? await Task.sleep(for: self.duration)
    }
}
