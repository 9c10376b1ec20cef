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
    /// No network leads to the address.
    case noRoute
    /// A part of a sentence, from the library.
    case other(String)

    package init(_ error: any Error) {
        guard let error = error as? URLError else {
            self = Self.ofLibrary((error as NSError).localizedDescription)
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
            case .badURL: .invalidAddress
            case .unsupportedURL: Self.isOfLibcurl ? .noHTTP : .invalidAddress
            // Of libcurl: the connection was closed without a response.
            case .badServerResponse: Self.isOfLibcurl ? .interrupted : .noHTTP
            case .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData: .noHTTP
            default: Self.ofLibrary((error as NSError).localizedDescription)
            }
    }

    /// Whether an unsupported protocol is that of the response: a request has a scheme that is supported.
    private static var isOfLibcurl: Bool {
        #if canImport(FoundationNetworking)
            true
        #else
            false
        #endif
    }

    /// On Linux some failures have no code of their own, but the text of libcurl.
    private static let libraryTexts: [(texts: [String], failure: TransportFailure)] = [
        (["certificate"], .untrustedCertificate),
        (["Connection reset", "Broken pipe", "transfer closed", "Empty reply", "closed abruptly"], .interrupted),
        (["Could not resolve", "Couldn't resolve"], .unknownHost),
        (["timed out", "timeout"], .timedOut),
        (["No route to host", "Network is unreachable"], .noRoute),
        (["Failed to connect", "Couldn't connect"], .refused),
        (["SSL", "TLS"], .noTLS),
        (["HTTP", "header", "chunk", "content unencoding", "Content-Length", "Weird server reply"], .noHTTP),
    ]

    private static func ofLibrary(_ text: String) -> TransportFailure {
        let known = Self.libraryTexts.first { $0.texts.contains { text.localizedCaseInsensitiveContains($0) } }
        // The texts of URLSession itself are those of a debugger.
        let isSentence =
            !text.isEmpty && !text.contains("Error Domain") && !text.contains("Swift.") && !text.contains("/")
        return known?.failure ?? .other(isSentence ? String(text.prefix(200)) : "the connection failed")
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
        case .noRoute: "no network leads to this address"
        case .other(let text): text
        }
    }
}
