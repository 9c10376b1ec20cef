package import Foundation

package struct SocketFailure: Error {
    package let step: String
    package let code: Int32

    package init(_ step: String) {
        self.step = step
        self.code = errno
    }
}

extension sockaddr_in {
    /// 127.0.0.`host` with a port.
    package static func loopback(_ port: Int, host: UInt32 = 1) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr = in_addr(s_addr: in_addr_t(0x7F00_0000 + host).bigEndian)
        return address
    }

    package func with(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: self) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

package func newSocket() throws -> Int32 {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw SocketFailure("socket") }
    return socket
}

/// A free port below the range of ephemeral ports.
package func freePort() throws -> Int {
    for _ in 0..<1_000 {
        let port = Int.random(in: 20_000..<32_000)
        let socket = try newSocket()
        defer { close(socket) }
        if sockaddr_in.loopback(port).with({ bind(socket, $0, $1) }) == 0 { return port }
    }
    throw SocketFailure("bind")
}
