import Foundation
import HTTPTypes
import Hummingbird
import IMDF
import IMDFArchive
import NIOCore
import SyncModel

extension Response {
    static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, type: String = "application/json"
    ) throws -> Response {
        Response.bytes(Array(try WireJSON.data(value)), status: status, type: type)
    }

    static func bytes(_ bytes: [UInt8], status: HTTPResponse.Status = .ok, type: String) -> Response {
        Response(
            status: status, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// A response with the digest of its bytes as its entity tag, or 304 if the client has it.
    static func hashed(
        _ bytes: [UInt8], type: String = "application/json", _ control: String, isPublic: Bool, for request: Request
    ) -> Response {
        Response.bytes(bytes, type: type).cached(control, isPublic: isPublic)
            .taggedStrongly(String(Digest(of: bytes).hex.prefix(32)), for: request)
    }

    /// Sets `Cache-Control` and `Vary`. A private response is never served to the holder of another key.
    func cached(_ control: String, isPublic: Bool) -> Response {
        var response = self
        response.headers.cache(control, isPublic: isPublic)
        return response
    }

    /// Adds `Accept-Language` to `Vary`, for responses with sentences.
    var varyingByLanguage: Response {
        var response = self
        response.headers[.vary] = [response.headers[.vary], "Accept-Language"].compactMap(\.self).joined(
            separator: ", ")
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

extension Request {
    private static var maxJSONBytes: Int { 64 << 10 }

    /// The maximum size of an edit, which may contain geometries.
    static var maxEditBytes: Int { 1 << 20 }

    /// The body as text. An empty body is an empty object.
    private func text(maxBytes: Int) async throws -> [UInt8] {
        var buffer = ByteBuffer()
        let rate = MinimumUploadRate()
        for try await var part in self.body {
            buffer.writeBuffer(&part)
            guard buffer.readableBytes <= maxBytes else { throw Problem.tooLarge(maxBytes: Int64(maxBytes)) }
            try rate.check(Int64(buffer.readableBytes))
        }
        return buffer.readableBytes == 0 ? Array("{}".utf8) : Array(buffer.readableBytesView)
    }

    /// The body of an edit as a JSON value. An empty body is an empty object.
    func jsonValue() async throws -> JSONValue {
        let text = try await self.text(maxBytes: Self.maxEditBytes)
        do {
            let reader = JSONReader(boundsMarks: true)
            guard try reader.duplicateMembers(in: text) == 0 else {
                throw Problem.body("duplicate member in an object")
            }
            return try reader.value(of: text)
        } catch let error as JSONReadingError {
            throw Problem.body("\(error)")
        }
    }

    /// Decodes the body as JSON. An empty body is an empty object.
    ///
    /// - Parameter members: Those that the body may have, for requests that would do harm without one that is misspelled; nil: any.
    func json<Value: Decodable>(_ type: Value.Type, members: [String]? = nil) async throws -> Value {
        let text = try await self.text(maxBytes: Self.maxJSONBytes)
        do {
            // Foundation accepts misplaced commas, and takes the first of two duplicate members.
            guard try JSONReader(boundsMarks: true).duplicateMembers(in: text) == 0 else {
                throw Problem.body("duplicate member in an object")
            }
            if let members { try JSONReader().value(of: text).object?.refuseUnknown(except: members) }
            return try WireJSON.value(type, from: Data(text))
        } catch let error as DecodingError {
            throw Problem.body(error.message(of: try? JSONReader().value(of: text)))
        } catch let error as JSONReadingError {
            throw Problem.body("\(error)")
        }
    }
}

extension DecodingError {
    /// A description without the type names of our code.
    ///
    /// - Parameter body: The body, if it is JSON.
    fileprivate func message(of body: JSONValue?) -> String {
        switch self {
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            // Foundation says that JSON is invalid if a number in it is not the whole number that is expected.
            body.flatMap { Self.fraction(in: $0, at: []) }.map { "“\($0)” must be a whole number" }
                ?? context.debugDescription
        case .dataCorrupted(let context): Self.path(context) + context.debugDescription
        case .keyNotFound(let key, _): "“\(key.stringValue)” is missing"
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            context.codingPath.isEmpty
                ? "\(Self.expectation(type)) is expected"
                : "“\(Self.name(context.codingPath))” must be \(Self.expectation(type))"
        @unknown default: "it cannot be read"
        }
    }

    private static func expectation(_ type: any Any.Type) -> String {
        switch type {
        case is any FixedWidthInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is [Any].Type: "a list"
        case is [String: Any].Type: "an object"
        default: "a value of another type"
        }
    }

    /// The member of a body with the first number that is not a whole one, or too large for one; nil if there is none.
    private static func fraction(in value: JSONValue, at path: [String]) -> String? {
        if let number = value.number { return Int64(exactly: number) == nil ? path.joined(separator: ".") : nil }
        if let list = value.array {
            return list.indices.lazy.compactMap { Self.fraction(in: list[$0], at: path + ["\($0)"]) }.first
        }
        return value.object?.members.lazy.compactMap { Self.fraction(in: $0.value, at: path + [$0.key]) }.first
    }

    private static func name(_ path: [any CodingKey]) -> String {
        path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".")
    }

    private static func path(_ context: Context) -> String {
        context.codingPath.isEmpty ? "" : "“\(Self.name(context.codingPath))”: "
    }
}
