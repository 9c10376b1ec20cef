import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why there was no response, in words. The texts of URLSession are those of its libraries, with codes and paths.
package enum TransportFailure: Hashable, Sendable {
    /// Nothing listens at the address, or a firewall refuses the connection.
    case refused
    case unknownHost
    case timedOut
    case offline
    /// The other side does not speak TLS, or not a version that is known here.
    case noTLS
    case untrustedCertificate
    /// The connection ended before the response was complete.
    case interrupted
    case invalidAddress
    /// What came back is not HTTP.
    case noHTTP
    case other(String)

    package init(_ error: any Error) {
        guard let error = error as? URLError else {
            self = .other((error as NSError).localizedDescription)
            return
        }
        self =
            switch error.code {
            case .cannotConnectToHost: .refused
            case .cannotFindHost, .dnsLookupFailed: .unknownHost
            case .timedOut: .timedOut
            case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff: .offline
            case .secureConnectionFailed, .clientCertificateRejected, .clientCertificateRequired: .noTLS
            case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
                .serverCertificateNotYetValid:
                .untrustedCertificate
            case .networkConnectionLost: .interrupted
            case .badURL, .unsupportedURL: .invalidAddress
            case .badServerResponse, .cannotParseResponse: .noHTTP
            default: Self.ofLibrary(error)
            }
    }

    /// On Linux some failures have no code of their own, but the text of libcurl.
    private static func ofLibrary(_ error: URLError) -> TransportFailure {
        let text = (error as NSError).localizedDescription
        if text.localizedCaseInsensitiveContains("certificate") { return .untrustedCertificate }
        if text.localizedCaseInsensitiveContains("SSL") || text.localizedCaseInsensitiveContains("TLS") {
            return .noTLS
        }
        if text.localizedCaseInsensitiveContains("HTTP") { return .noHTTP }
        return .other(text)
    }

    /// A part of a sentence after a colon.
    package var reason: String {
        switch self {
        case .refused: "nothing listens at this address and port"
        case .unknownHost: "there is no host of this name"
        case .timedOut: "it did not respond in time"
        case .offline: "there is no network"
        case .noTLS: "it does not speak https"
        case .untrustedCertificate: "its certificate is not trusted here, or has expired"
        case .interrupted: "the connection ended before the response"
        case .invalidAddress: "the address is not valid"
        case .noHTTP: "it does not speak HTTP"
        case .other(let text): text
        }
    }
}
