import BenchmarkSupport
import Foundation

/// The head of a GET request with the benchmark's key.
func requestHead(_ path: String, port: Int, extra: [String] = []) -> [UInt8] {
    let lines =
        ["GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Authorization: Bearer \(BenchmarkEnvironment.key)"] + extra
        + ["", ""]
    return Array(lines.joined(separator: "\r\n").utf8)
}

/// The time to the first and to the last byte of a response, and the number of bytes including the head.
struct Fetch {
    var firstByte: Duration
    var total: Duration
    var bytes: Int
    /// The beginning of the response.
    var head: [UInt8]

    /// Sends one request on a new connection, and reads and discards the response.
    init(_ path: String, port: Int, accepting coding: String? = nil) throws {
        let socket = try newSocket()
        defer { close(socket) }
        guard sockaddr_in.loopback(port).with({ connect(socket, $0, $1) }) == 0 else { throw SocketFailure("connect") }
        let extra = ["Connection: close"] + (coding.map { ["Accept-Encoding: \($0)"] } ?? [])
        let request = requestHead(path, port: port, extra: extra)
        let start = ContinuousClock.now
        guard write(socket, request, request.count) == request.count else { throw SocketFailure("write") }
        (self.firstByte, self.bytes, self.head) = (.zero, 0, [])
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(socket, &buffer, buffer.count)
            guard count >= 0 else { throw SocketFailure("read") }
            if self.bytes == 0 { self.firstByte = start.duration(to: .now) }
            if count == 0 { break }
            if self.head.count < 4_096 { self.head += buffer[..<min(count, 4_096)] }
            self.bytes += count
        }
        self.total = start.duration(to: .now)
    }

    var isOK: Bool { String(decoding: self.head.prefix(12), as: UTF8.self) == "HTTP/1.1 200" }
}

func waitUntilResponding(port: Int, path: String) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while (try? Fetch(path, port: port))?.isOK != true {
        guard ContinuousClock.now < deadline else { throw SocketFailure("start") }
        try await Task.sleep(for: .milliseconds(20))
    }
}

extension Duration {
    var milliseconds: Double { self / .milliseconds(1) }
}
