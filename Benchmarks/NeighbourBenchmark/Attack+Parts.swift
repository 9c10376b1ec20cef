import BenchmarkSupport
import Foundation

extension Attack {
    /// Fifty connections without a key that send many parts for few bytes, for fifteen seconds. Refused ones connect again.
    static let parts: [Attack] = [
        .parts("chunks of one byte", head: Self.chunked(to: "/nowhere"), "1\r\nx\r\n"),
        .parts("chunks of one byte to /health", head: Self.chunked(to: "/health"), "1\r\nx\r\n"),
        .parts(
            "extensions of chunks", head: Self.chunked(to: "/nowhere") + "1",
            ";a=\(String(repeating: "x", count: 1_000))"),
        .parts("trailers", head: Self.chunked(to: "/nowhere") + "0\r\n", "a: b\r\n"),
        .parts("pipelined requests", head: "", "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"),
        .parts("pipelined requests that are refused", head: "", "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n"),
    ]

    private static func chunked(to path: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    }

    /// All connections are served by one thread: the attackers of a server would not compute on its processors.
    private static func parts(_ name: String, head: String, _ part: String) -> Attack {
        Attack(name: name) { service in
            let (head, port) = (Array(head.utf8), service.port)
            let parts = Array(String(repeating: part, count: max(1, (64 << 10) / part.utf8.count)).utf8)
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    Self.send(head, then: parts, to: port, until: .now + .seconds(15))
                    continuation.resume()
                }
            }
        }
    }

    /// Sends over fifty connections, reads what the server responds, and opens the connections again that it closes.
    private static func send(
        _ head: [UInt8], then parts: [UInt8], to port: Int, until deadline: ContinuousClock.Instant
    ) {
        var senders = (0..<50).map { _ in Sender(head: head, parts: parts) }
        defer { for sender in senders { sender.close() } }
        while ContinuousClock.now < deadline {
            for index in senders.indices { senders[index].openIfNeeded(port) }
            var events = senders.map { pollfd(fd: $0.socket, events: Int16(POLLIN | POLLOUT), revents: 0) }
            guard poll(&events, nfds_t(events.count), 1_000) >= 0 else { return }
            for index in senders.indices { senders[index].proceed(events[index].revents) }
        }
    }
}

/// One connection of an attacker.
private struct Sender {
    let head: [UInt8]
    let parts: [UInt8]
    /// Negative while it is not open.
    var socket: Int32 = -1
    private var next: [UInt8] = []
    private var offset = 0

    init(head: [UInt8], parts: [UInt8]) {
        (self.head, self.parts) = (head, parts)
    }

    mutating func openIfNeeded(_ port: Int) {
        guard self.socket < 0, let socket = try? newSocket() else { return }
        self.socket = socket
        (self.next, self.offset) = (self.head + self.parts, 0)
        // From another address than the victim.
        var source = sockaddr_in.loopback(0)
        source.sin_addr.s_addr = UInt32(0x7F00_0042).bigEndian
        guard source.with({ bind(socket, $0, $1) }) == 0,
            sockaddr_in.loopback(port).with({ connect(socket, $0, $1) }) == 0
        else { return self.end() }
    }

    mutating func proceed(_ events: Int16) {
        if events & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
            var response = [UInt8](repeating: 0, count: 64 << 10)
            guard recv(self.socket, &response, response.count, Int32(MSG_DONTWAIT)) > 0 else { return self.end() }
        }
        guard events & Int16(POLLOUT) != 0 else { return }
        let sent = self.next[self.offset...].withUnsafeBytes {
            Glibc.send(self.socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
        guard sent > 0 || errno == EAGAIN else { return self.end() }
        self.offset += max(0, sent)
        if self.offset == self.next.count { (self.next, self.offset) = (self.parts, 0) }
    }

    private mutating func end() {
        self.close()
        self.socket = -1
    }

    func close() {
        if self.socket >= 0 { Glibc.close(self.socket) }
    }
}
