import Compression
import Foundation
import HTTPTypes
import Hummingbird
import IMDF
import NIOCore

/// A file that browsers get, in memory: plain, and as short as each coding makes it.
struct ConsoleFile: Sendable {
    let type: String
    /// Of the plain bytes.
    private let hash: String
    private let plain: ByteBuffer
    private let packed: [ContentCoding: ByteBuffer]

    /// - Parameters:
    ///   - name: tells the type by its ending.
    ///   - codings: in which the file is kept besides.
    init(_ bytes: [UInt8], name: String, codings: [ContentCoding] = ContentCoding.allCases) throws {
        self.type = Self.type(of: name)
        self.hash = Digest(of: bytes).hex
        self.plain = ByteBuffer(bytes: bytes)
        var packed: [ContentCoding: ByteBuffer] = [:]
        for coding in codings where !self.type.hasPrefix("image/png") {
            let short = try coding.compressed(bytes)
            if short.count < bytes.count { packed[coding] = ByteBuffer(bytes: short) }
        }
        self.packed = packed
    }

    /// The file as this request takes it; 304 when the browser has it. Browsers keep it and ask each time.
    func response(to request: Request) -> Response {
        let coding = ContentCoding.preferred(by: request.headers[.acceptEncoding]).flatMap {
            self.packed[$0] == nil ? nil : $0
        }
        // Strong, so every coding has its own (RFC 9110 §8.8.3.3).
        let tag = "\"\(self.hash.prefix(24))\(coding.map { "-\($0.rawValue)" } ?? "")\""
        var headers: HTTPFields = [.eTag: tag, .cacheControl: "no-cache", .vary: "Accept-Encoding"]
        headers.protectPage()
        let known = (request.headers[.ifNoneMatch] ?? "").split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }
        guard !known.contains(where: { $0 == tag || $0 == "*" || $0 == "W/\(tag)" }) else {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = self.type
        if let coding { headers[.contentEncoding] = coding.rawValue }
        let body = coding.flatMap { self.packed[$0] } ?? self.plain
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        default: "application/octet-stream"
        }
    }
}

extension HTTPFields {
    /// What a page of ours may do: load what this server has, and nothing else. MapLibre starts its workers from blobs, and draws
    /// pictures that are written as data.
    fileprivate mutating func protectPage() {
        self[.contentSecurityPolicy] = Self.policy
        self[.xContentTypeOptions] = "nosniff"
        self[.referrerPolicy] = "no-referrer"
    }

    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:",
        "connect-src 'self'",
        "worker-src blob:", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'none'",
    ].joined(separator: "; ")
}

extension HTTPField.Name {
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
}
