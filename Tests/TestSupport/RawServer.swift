import Foundation

/// A server that reads once of every connection, sends fixed bytes, and closes it. A connection does not wait for another one, which a client
/// may keep open for later requests.
package final class RawServer: Sendable {
    package let port: Int
    private let listener: Int32

    package enum Failure: Error {
        case notListening(errno: Int32)
    }

    /// - Parameters:
    ///   - reply: What is sent, whatever was received.
    ///   - resets: Whether the connection ends with a reset instead of a regular close.
    package init(replying reply: [UInt8], resets: Bool = false) throws {
        #if os(Linux)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let listener = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound, listen(listener, 16) == 0 else { throw Failure.notListening(errno: errno) }
        (self.listener, self.port) = (listener, Int(in_port_t(bigEndian: address.sin_port)))
        // Accepting blocks, so it has a thread of its own. It ends when the socket is shut down.
        let thread = Thread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { break }
                Thread { Self.answer(connection, reply, resets: resets) }.start()
            }
            close(listener)
        }
        thread.start()
    }

    deinit { shutdown(self.listener, Int32(SHUT_RDWR)) }

    private static func answer(_ connection: Int32, _ reply: [UInt8], resets: Bool) {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        _ = recv(connection, &buffer, buffer.count, 0)
        if !reply.isEmpty { _ = send(connection, reply, reply.count, Int32(MSG_NOSIGNAL)) }
        if resets {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        } else {
            // Until the other end has closed too: closing with unread bytes would reset the connection.
            shutdown(connection, Int32(SHUT_WR))
            while recv(connection, &buffer, buffer.count, 0) > 0 {}
        }
        close(connection)
    }
}
