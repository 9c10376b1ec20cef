import Compression
import Foundation
import HTTPTypes
package import Hummingbird
import IMDF
import NIOCore

/// A file of the console in memory: its plain bytes, and every content encoding that makes it shorter.
package struct ConsoleFile: Sendable {
    private let mediaType: String
    private let isServiceWorker: Bool
    /// The SHA-256 of the plain bytes, in hexadecimal digits.
    private let hash: String
    private let plain: ByteBuffer
    private let encoded: [ContentCoding: ByteBuffer]

    /// - Parameters:
    ///   - name: Its extension determines the media type.
    ///   - codings: The content encodings to prepare. PNG files are compressed already and stay plain.
    init(_ bytes: [UInt8], name: String, codings: [ContentCoding] = ContentCoding.allCases) throws {
        self.mediaType = Self.mediaType(of: name)
        self.isServiceWorker = name == ConsoleBuild.serviceWorkerName
        self.hash = Digest(of: bytes).hex
        self.plain = ByteBuffer(bytes: bytes)
        var encoded: [ContentCoding: ByteBuffer] = [:]
        for coding in codings where !self.mediaType.hasPrefix("image/png") {
            let short = try coding.compressed(bytes)
            if short.count < bytes.count { encoded[coding] = ByteBuffer(bytes: short) }
        }
        self.encoded = encoded
    }

    /// The file in the encoding that the request prefers, or 304 if the browser has it already. Browsers keep the file, and
    /// revalidate it at every use unless it is immutable.
    ///
    /// - Parameters:
    ///   - isImmutable: Whether the address contains the version of the file, so that browsers never ask for it again.
    ///   - policy: What the page may load from other hosts, and who may show it in a frame.
    package func response(
        to request: Request, isImmutable: Bool = false, policy: PagePolicy = PagePolicy()
    ) -> Response {
        let coding = ContentCoding.preferred(by: request.headers[.acceptEncoding]).flatMap {
            self.encoded[$0] == nil ? nil : $0
        }
        // A strong entity tag differs between encodings (RFC 9110 §8.8.3.3).
        // It covers the policy, which caches may keep with the page.
        let version = self.hash.prefix(24) + policy.tag
        let tag = "\"\(version)\(coding.map { "-\($0.rawValue)" } ?? "")\""
        var headers: HTTPFields = [
            .eTag: tag, .cacheControl: isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
            .vary: "Accept-Encoding",
        ]
        policy.add(to: &headers)
        // The service worker is for the page, which is not in its folder.
        if self.isServiceWorker { headers[.serviceWorkerAllowed] = "/" }
        let known = (request.headers[.ifNoneMatch] ?? "").split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }
        guard !known.contains(where: { $0 == tag || $0 == "*" || $0 == "W/\(tag)" }) else {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = self.mediaType
        if let coding { headers[.contentEncoding] = coding.rawValue }
        let body = coding.flatMap { self.encoded[$0] } ?? self.plain
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
    }

    private static func mediaType(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "webmanifest": "application/manifest+json"
        default: "application/octet-stream"
        }
    }
}

extension HTTPField.Name {
    fileprivate static let serviceWorkerAllowed = HTTPField.Name("Service-Worker-Allowed")!
}
