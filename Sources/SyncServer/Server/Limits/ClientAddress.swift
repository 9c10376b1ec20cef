import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The address of a client, as far as it distinguishes clients: an IPv4 address, or the first 64 bits of an IPv6 address, because one
/// client can use any of the others.
enum ClientAddress: Hashable, Sendable {
    case v4(UInt32)
    case v6(UInt64)
    /// Without a socket, as in tests.
    case unknown

    init(_ address: SocketAddress?) {
        switch address {
        case .v4(let address): self = .v4(UInt32(bigEndian: address.address.sin_addr.s_addr))
        case .v6(let address):
            self = withUnsafeBytes(of: address.address.sin6_addr) { Self(v6: Array($0)) }
        default: self = .unknown
        }
    }

    /// Parses an address as proxies write it, with or without a port.
    init?(_ text: some StringProtocol) {
        var text = text.trimmingCharacters(in: .whitespaces)
        if text.hasPrefix("[") {
            text = String(text.dropFirst().prefix { $0 != "]" })
        } else if text.count(where: { $0 == ":" }) == 1 {
            text = String(text.prefix { $0 != ":" })
        }
        var v4 = in_addr(), v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self = .v4(UInt32(bigEndian: v4.s_addr))
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            self = withUnsafeBytes(of: v6) { Self(v6: Array($0)) }
        } else {
            return nil
        }
    }

    private init(v6 bytes: [UInt8]) {
        // An IPv4-mapped IPv6 address.
        if bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] {
            self = .v4(bytes.suffix(4).reduce(0) { $0 << 8 | UInt32($1) })
        } else {
            self = .v6(bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
        }
    }

    /// The address of the client behind a number of proxies, each of which appends the address of its own client to
    /// `X-Forwarded-For`. Values further to the front may be forged. A request that did not come through all proxies has the address
    /// of the nearest one.
    ///
    /// - Parameter address: The address of the connection.
    init(of request: Request, at address: SocketAddress?, behind proxies: Int) {
        self.init(address)
        guard proxies > 0, let field = request.headers[.forwardedFor] else { return }
        let hops = String(decoding: field.utf8.suffix(2_048), as: UTF8.self).split(separator: ",").suffix(proxies)
        guard hops.count == proxies, let first = hops.first, let address = ClientAddress(first) else { return }
        self = address
    }
}

extension HTTPField.Name {
    static let forwardedFor = Self("X-Forwarded-For")!
}
