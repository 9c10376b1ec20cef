import SyncClient
import Synchronization

/// A network that comes and goes between a device and the real server.
final class UnsteadyTransport: SyncTransport {
    /// What happens to the next request that is not a GET.
    enum Fault: Sendable {
        /// The connection breaks before the request arrives.
        case lostRequest
        /// The request is processed, and the connection breaks before the response arrives.
        case lostResponse
    }

    private struct State {
        var isOffline = false
        var faults: [Fault] = []
        var hook: (@Sendable (_ isBefore: Bool) async -> Void)?
    }

    private let network: HarnessTransport
    private let state = Mutex(State())

    init(_ network: HarnessTransport) {
        self.network = network
    }

    func setOffline(_ isOffline: Bool) { self.state.withLock { $0.isOffline = isOffline } }

    func fail(_ fault: Fault) { self.state.withLock { $0.faults.append(fault) } }

    /// Runs a closure before a request that is not a GET arrives, and after it was processed.
    func around(_ hook: (@Sendable (_ isBefore: Bool) async -> Void)?) { self.state.withLock { $0.hook = hook } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard !self.state.withLock({ $0.isOffline }) else { throw ScriptedTransport.Broken() }
        guard request.method != "GET" else { return try await self.network.send(request) }
        let hook = self.state.withLock { $0.hook }
        await hook?(true)
        let fault = self.state.withLock { $0.faults.isEmpty ? nil : $0.faults.removeFirst() }
        if case .lostRequest = fault { throw ScriptedTransport.Broken() }
        let response = try await self.network.send(request)
        await hook?(false)
        if case .lostResponse = fault { throw ScriptedTransport.Broken() }
        return response
    }
}
