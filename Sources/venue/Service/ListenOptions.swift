import ArgumentParser
import Foundation
import NIOCore

/// The port of a server.
struct PortOption: ParsableArguments {
    @Option(help: "The port to listen on; 0 selects a free one.")
    var port = 8080

    func validate() throws {
        guard (0...65_535).contains(self.port) else {
            throw ValidationError("--port must be a number from 0 to 65535, not \(self.port)")
        }
    }
}

extension Failure {
    /// Says why a server cannot listen; nil for other errors.
    init?(_ error: any Error, listeningAt host: String, port: Int) {
        let message: String
        switch error {
        case let error as IOError where error.errnoCode == EADDRINUSE:
            message =
                "port \(port) of \(host) is in use by another program. Stop that one, or choose another with --port."
        case let error as IOError where error.errnoCode == EACCES || error.errnoCode == EPERM:
            message = "this user may not listen on port \(port) of \(host). Choose one from 1024 on with --port."
        case let error as IOError where error.errnoCode == EADDRNOTAVAIL:
            message =
                "this machine does not have the address \(host). Use --host 127.0.0.1, or 0.0.0.0 for all of its addresses."
        case is SocketAddressError, is SocketAddressError.UnknownHost:
            message =
                "“\(host)” is neither an address nor the name of a host. Use --host 127.0.0.1, or 0.0.0.0 for all addresses."
        default: return nil
        }
        self.init(.failure, message)
    }
}
