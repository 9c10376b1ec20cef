import Logging
import ServiceLifecycle
import SyncServer
import UnixSignals

extension ServiceGroupConfiguration {
    /// Ends on a signal, and surely: a request that takes longer than half a minute more is broken off, and what cannot be broken
    /// off, because a database does not answer, goes down with the process.
    init(services: [any Service], after drain: Duration, logger: Logger) {
        self.init(services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        self.maximumGracefulShutdownDuration = drain + .seconds(30)
        self.maximumCancellationDuration = .seconds(15)
    }
}

/// Ends before the server does: says that requests should go elsewhere, and waits until that has got about. To be the last of a
/// group's services, which are stopped from the last to the first.
struct Drain: Service {
    let readiness: Readiness
    let patience: Duration

    func run() async throws {
        try? await gracefulShutdown()
        self.readiness.drain()
        try? await Task.sleep(for: self.patience)
    }
}
