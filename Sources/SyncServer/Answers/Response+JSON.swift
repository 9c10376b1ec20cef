import Foundation
import HTTPTypes
import Hummingbird
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

    /// Sets who may keep the answer and for how long: one key's answers are never another's.
    func cached(_ control: String, isPublic: Bool) -> Response {
        var response = self
        response.headers.cache(control, isPublic: isPublic)
        return response
    }

    /// For answers in whose sentences the reader's language is.
    var toldByLanguage: Response {
        var response = self
        response.headers[.vary] = [response.headers[.vary], "Accept-Language"].compactMap(\.self).joined(
            separator: ", ")
        return response
    }

    /// 304 when the client has this already. Weak, as RFC 9110 §13.1.2 compares for `If-None-Match`.
    func tagged(_ tag: String, for request: Request) -> Response {
        var response = self
        response.headers[.eTag] = "W/\"\(tag)\""
        let known = request.headers[.ifNoneMatch]?.split(separator: ",") ?? []
        let isKnown = known.contains { candidate in
            let candidate = candidate.trimmingPrefix { $0 == " " }
            return candidate == "*" || candidate.hasPrefix("W/\"\(tag)\"") || candidate.hasPrefix("\"\(tag)\"")
        }
        guard isKnown else { return response }
        // What the client keeps is brought up to date by these, and by no others (RFC 9110 §15.4.5).
        let kept: [HTTPField.Name] = [.cacheControl, .contentLocation, .eTag, .vary]
        return Response(status: .notModified, headers: response.headers.filter { kept.contains($0.name) })
    }
}

extension HTTPFields {
    /// Sets who may keep an answer and for how long.
    mutating func cache(_ control: String, isPublic: Bool) {
        self[.cacheControl] = "\(isPublic ? "public" : "private"), \(control)"
        self[.vary] = isPublic ? "Accept-Encoding" : "Authorization, Accept-Encoding"
    }
}

extension Response {
    /// Says where what was asked for is to be found itself.
    func located(_ path: String?) -> Response {
        var response = self
        response.headers[.contentLocation] = path
        return response
    }
}

/// Answers about a revision never change.
let immutable = "max-age=31536000, immutable"

extension Request {
    /// The body as JSON of a type; nothing at all counts as an empty object.
    func json<Value: Decodable>(_ type: Value.Type) async throws -> Value {
        var buffer = ByteBuffer()
        let pace = MinimumUploadRate()
        for try await var part in self.body {
            buffer.writeBuffer(&part)
            guard buffer.readableBytes <= 64 << 10 else {
                throw Problem("too-large", status: 413, title: "The body is too large", detail: "64 KiB at most.")
            }
            try pace.check(Int64(buffer.readableBytes))
        }
        let text = buffer.readableBytes == 0 ? Array("{}".utf8) : Array(buffer.readableBytesView)
        do {
            // Foundation lets commas stand where none may, and takes the first of two equal members without a word.
            guard try JSONReader().duplicateMembers(in: text) == 0 else {
                throw Problem.body("a member stands twice in its object")
            }
            return try WireJSON.value(type, from: Data(text))
        } catch let error as DecodingError {
            throw Problem.body(error.sentence)
        } catch let error as JSONReadingError {
            throw Problem.body("\(error)")
        }
    }
}

extension DecodingError {
    /// What is wrong and where, without the type names of our code.
    fileprivate var sentence: String {
        switch self {
        case .dataCorrupted(let context): Self.place(context) + context.debugDescription
        case .keyNotFound(let key, _): "“\(key.stringValue)” is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            Self.place(context) + "a value of another kind is expected"
        @unknown default: "it cannot be read"
        }
    }

    private static func place(_ context: Context) -> String {
        context.codingPath.isEmpty ? "" : "“\(context.codingPath.map(\.stringValue).joined(separator: "."))”: "
    }
}
