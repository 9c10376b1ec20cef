import ServiceLifecycle
import SyncServer

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
