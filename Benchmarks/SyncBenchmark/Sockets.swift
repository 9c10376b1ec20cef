import Foundation

struct SocketFailure: Error {
    let step: String
    let code: Int32

    init(_ step: String) {
        self.step = step
        self.code = errno
    }
}

extension sockaddr_in {
    /// 127.0.0.`host` with a port.
    static func loopback(_ port: Int, host: UInt32 = 1) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr = in_addr(s_addr: in_addr_t(0x7F00_0000 + host).bigEndian)
        return address
    }

    func with(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: self) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

func newSocket() throws -> Int32 {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw SocketFailure("socket") }
    return socket
}

/// A port that was free a moment ago, below those that the system gives to clients.
func freePort() throws -> Int {
    for _ in 0..<1_000 {
        let port = Int.random(in: 20_000..<32_000)
        let socket = try newSocket()
        defer { close(socket) }
        if sockaddr_in.loopback(port).with({ bind(socket, $0, $1) }) == 0 { return port }
    }
    throw SocketFailure("bind")
}

/// The head of a GET request with the benchmark's key.
func requestHead(_ path: String, port: Int, extra: [String] = []) -> [UInt8] {
    let lines =
        ["GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Authorization: Bearer \(Stage.key)"] + extra + ["", ""]
    return Array(lines.joined(separator: "\r\n").utf8)
}

/// When the first and the last byte of an answer came, and how many there were, head and all.
struct Fetch {
    var firstByte: Duration
    var total: Duration
    var bytes: Int
    /// The beginning of the answer.
    var head: [UInt8]

    /// One request on a connection of its own, read as fast as it comes and thrown away.
    init(_ path: String, port: Int) throws {
        let socket = try newSocket()
        defer { close(socket) }
        guard sockaddr_in.loopback(port).with({ connect(socket, $0, $1) }) == 0 else { throw SocketFailure("connect") }
        let request = requestHead(path, port: port, extra: ["Connection: close"])
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

func waitUntilAnswering(port: Int, path: String) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while (try? Fetch(path, port: port))?.isOK != true {
        guard ContinuousClock.now < deadline else { throw SocketFailure("start") }
        try await Task.sleep(for: .milliseconds(20))
    }
}

extension Duration {
    var milliseconds: Double { self / .milliseconds(1) }
}
