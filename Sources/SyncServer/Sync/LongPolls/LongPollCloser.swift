import ServiceLifecycle

/// Ends all long polls as soon as the server is asked to stop, so that every waiting request gets a response and none delays the stop.
///
/// Must come after the server in a service group, which stops its services from the last to the first.
struct LongPollCloser: Service {
    let longPolls: LongPolls
    let readiness: Readiness

    func run() async throws {
        try? await gracefulShutdown()
        // First, so that the responses that are sent now announce the end of their connections.
        self.readiness.drain()
        self.longPolls.close()
    }
}
