import BenchmarkSupport
import Foundation

extension Attack {
    /// Fifty connections without a key that send many parts for few bytes, for fifteen seconds. Refused ones connect again.
    static let parts: [Attack] = [
        .parts("chunks of one byte", head: Self.chunked, "1\r\nx\r\n"),
        .parts("extensions of chunks", head: Self.chunked + "1", ";a=\(String(repeating: "x", count: 1_000))"),
        .parts("trailers", head: Self.chunked + "0\r\n", "a: b\r\n"),
        .parts("pipelined requests", head: "", "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"),
        .parts("pipelined requests that are refused", head: "", "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n"),
    ]

    private static let chunked = "POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static func parts(_ name: String, head: String, _ part: String) -> Attack {
        Attack(name: name) { service in
            let (head, port) = (Array(head.utf8), service.port)
            let parts = Array(String(repeating: part, count: max(1, (64 << 10) / part.utf8.count)).utf8)
            let deadline = ContinuousClock.now + .seconds(15)
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        await withCheckedContinuation { continuation in
                            Thread.detachNewThread {
                                while ContinuousClock.now < deadline {
                                    Self.send(head, then: parts, to: port, until: deadline)
                                }
                                continuation.resume()
                            }
                        }
                    }
                }
            }
        }
    }

    /// Sends until the server closes the connection, and reads what it responds.
    private static func send(
        _ head: [UInt8], then parts: [UInt8], to port: Int, until deadline: ContinuousClock.Instant
    ) {
        guard let socket = try? newSocket() else { return }
        defer { close(socket) }
        guard sockaddr_in.loopback(port).with({ connect(socket, $0, $1) }) == 0 else { return }
        var (next, offset) = (head + parts, 0)
        var response = [UInt8](repeating: 0, count: 64 << 10)
        while ContinuousClock.now < deadline {
            var events = pollfd(fd: socket, events: Int16(POLLIN | POLLOUT), revents: 0)
            guard poll(&events, 1, 1_000) >= 0 else { return }
            if events.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
                guard recv(socket, &response, response.count, Int32(MSG_DONTWAIT)) > 0 else { return }
            }
            guard events.revents & Int16(POLLOUT) != 0 else { continue }
            let sent = next[offset...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            guard sent > 0 || errno == EAGAIN else { return }
            offset += max(0, sent)
            if offset == next.count { (next, offset) = (parts, 0) }
        }
    }
}
