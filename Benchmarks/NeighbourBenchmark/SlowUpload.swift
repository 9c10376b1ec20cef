import BenchmarkSupport
import Foundation

/// An upload that sends one byte per second.
struct SlowUpload {
    let port: Int

    func run(for time: Duration) async throws {
        let socket = try newSocket()
        defer { close(socket) }
        guard sockaddr_in.loopback(self.port).with({ connect(socket, $0, $1) }) == 0 else {
            throw SocketFailure("connect")
        }
        let head = [
            "POST /venues/slow/uploads HTTP/1.1", "Host: 127.0.0.1:\(self.port)",
            "Authorization: Bearer \(Service.key)",
            "Content-Type: application/zip", "Content-Length: 1000000", "", "",
        ].joined(separator: "\r\n")
        try self.send(Array(head.utf8), to: socket)
        let deadline = ContinuousClock.now + time
        while ContinuousClock.now < deadline {
            try self.send([0x50], to: socket)
            try await Task.sleep(for: .seconds(1))
        }
    }

    private func send(_ bytes: [UInt8], to socket: Int32) throws {
        guard Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw SocketFailure("send")
        }
    }
}
