import Foundation
import HTTPTypes
import Hummingbird
import IMDF
import NIOCore
import SyncModel

extension Response {
    /// A short response, also to a write, which must not be refused any more.
    static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, type: String = "application/json"
    ) throws -> Response {
        Response(
            status: status, headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try WireJSON.data(value))))
    }

    /// A response that may be long.
    ///
    /// - Throws: `Problem.busy` if there is no memory for it; see ``ResponseMemory``.
    static func bytes(_ bytes: [UInt8], status: HTTPResponse.Status = .ok, type: String) throws -> Response {
        Response(status: status, headers: [.contentType: type], body: try .held(ByteBuffer(bytes: bytes)))
    }

    /// Like ``bytes(_:status:type:)``, with the digest of the bytes as the entity tag, or 304 if the client has it.
    static func hashed(
        _ bytes: [UInt8], type: String = "application/json", _ control: String, isPublic: Bool, for request: Request
    ) throws -> Response {
        try Response(status: .ok).cached(control, isPublic: isPublic)
            .taggedStrongly(String(Digest(of: bytes).hex.prefix(32)), for: request).with(bytes, type: type)
    }

    /// The response with a body, unless it is a 304, which needs no memory for one.
    func with(_ bytes: [UInt8], type: String) throws -> Response {
        guard self.status != .notModified else { return self }
        var response = self
        response.headers[.contentType] = type
        response.body = try .held(ByteBuffer(bytes: bytes))
        return response
    }

    /// Sets `Cache-Control` and `Vary`. A private response is never served to the holder of another key.
    func cached(_ control: String, isPublic: Bool) -> Response {
        var response = self
        response.headers.cache(control, isPublic: isPublic)
        return response
    }

    /// Adds a field of the request to `Vary`, such as `Accept-Language` for responses with sentences.
    func varying(by field: HTTPField.Name) -> Response {
        var response = self
        response.headers[.vary] = [response.headers[.vary], field.rawName].compactMap(\.self).joined(separator: ", ")
        return response
    }

    /// Sets the entity tag, and returns 304 if the client has it. Tags are compared weakly (RFC 9110 §13.1.2).
    func tagged(_ tag: String, for request: Request) -> Response {
        self.tagged("W/\"\(tag)\"", tag, for: request)
    }

    /// Like ``tagged(_:for:)``, for a body whose bytes are the same whenever the tag is.
    func taggedStrongly(_ tag: String, for request: Request) -> Response {
        self.tagged("\"\(tag)\"", tag, for: request)
    }

    private func tagged(_ field: String, _ tag: String, for request: Request) -> Response {
        var response = self
        response.headers[.eTag] = field
        guard let known = request.headers[.ifNoneMatch], Self.hasTag(tag, in: known) else { return response }
        // The header fields of a 304 (RFC 9110 §15.4.5).
        let kept: [HTTPField.Name] = [.cacheControl, .contentLocation, .eTag, .vary]
        return Response(status: .notModified, headers: response.headers.filter { kept.contains($0.name) })
    }

    /// Whether a field `If-None-Match` has a tag: a list of tags, strong or weak, of which each may contain commas, or `*` alone
    /// (RFC 9110 §13.1.2). What follows a mistake is not read.
    static func hasTag(_ tag: String, in field: String) -> Bool {
        var rest = Substring(field).utf8.drop(while: Self.isSeparator)
        if rest.first == UInt8(ascii: "*") { return rest.dropFirst().allSatisfy(Self.isSeparator) }
        while !rest.isEmpty {
            if rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
            guard rest.first == UInt8(ascii: "\"") else { return false }
            let text = rest.dropFirst()
            guard let end = text.firstIndex(of: UInt8(ascii: "\"")) else { return false }
            rest = text[end...].dropFirst()
            guard rest.first.map(Self.isSeparator) ?? true else { return false }
            if text[..<end].elementsEqual(tag.utf8) { return true }
            rest = rest.drop(while: Self.isSeparator)
        }
        return false
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}

extension HTTPFields {
    /// Sets `Cache-Control` and `Vary`.
    ///
    /// - Parameter isEncoded: Whether the content encoding depends on the request.
    mutating func cache(_ control: String, isPublic: Bool, isEncoded: Bool = true) {
        self[.cacheControl] = "\(isPublic ? "public" : "private"), \(control)"
        let fields = (isPublic ? [] : ["Authorization"]) + (isEncoded ? ["Accept-Encoding"] : [])
        self[.vary] = fields.isEmpty ? nil : fields.joined(separator: ", ")
    }
}

extension Response {
    /// Sets `Content-Location`, the address of the content itself.
    func located(_ path: String?) -> Response {
        var response = self
        response.headers[.contentLocation] = path
        return response
    }
}

/// For responses about a revision, which never change.
let immutable = "max-age=31536000, immutable"
