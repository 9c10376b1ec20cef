import Foundation

/// A client that sends arbitrary bytes over a socket.
package final class RawClient: Sendable {
    private let socket: Int32

    package enum Failure: Error {
        case notConnected(errno: Int32)
        case notSent(errno: Int32)
    }

    package init(port: Int) throws {
        #if os(Linux)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        self.socket = Foundation.socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(self.socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure.notConnected(errno: errno) }
    }

    deinit { close(self.socket) }

    package func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard Foundation.send(self.socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Failure.notSent(errno: errno)
        }
    }

    /// Closes the sending direction.
    package func finish() { shutdown(self.socket, Int32(SHUT_WR)) }

    /// Everything received until the other end closes, or nil when it does not close in time. Waits on its own thread,
    /// because the server uses the shared ones.
    package func rest(within seconds: Int) async -> String? {
        await self.received(within: seconds) { _ in false }
    }

    /// One response with a Content-Length, or its beginning if the other end closed; nil when neither happens in time.
    package func response(within seconds: Int) async -> String? {
        await self.received(within: seconds, until: Self.isComplete)
    }

    /// What has been received when it ends with a text, or the other end closed; nil when neither happens in time.
    package func text(until end: String, within seconds: Int) async -> String? {
        await self.received(within: seconds) { $0.hasSuffix(end) }
    }

    /// Blocks the calling thread until a complete response has arrived or the other end has closed.
    package func blockingResponse(within seconds: Int) -> (text: String, isComplete: Bool)? {
        self.wait(within: seconds, until: Self.isComplete).map { ($0, Self.isComplete($0)) }
    }

    private func received(within seconds: Int, until isEnough: @escaping @Sendable (String) -> Bool) async -> String? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.wait(within: seconds, until: isEnough)) }
        }
    }

    private static func isComplete(_ text: String) -> Bool {
        guard let end = text.firstRange(of: "\r\n\r\n"),
            let length = text[..<end.lowerBound].firstMatch(of: /(?i)\r\ncontent-length: (\d+)/)
        else { return false }
        return Int(length.output.1) == text[end.upperBound...].utf8.count
    }

    private func wait(within seconds: Int, until isEnough: (String) -> Bool) -> String? {
        var received: [UInt8] = [], buffer = [UInt8](repeating: 0, count: 1 << 16)
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            var events = pollfd(fd: self.socket, events: Int16(POLLIN), revents: 0)
            guard poll(&events, 1, 100) > 0 else { continue }
            let count = recv(self.socket, &buffer, buffer.count, 0)
            if count > 0 { received += buffer[..<count] }
            let text = String(decoding: received, as: UTF8.self)
            if count <= 0 || isEnough(text) { return text }
        }
        return nil
    }
}
