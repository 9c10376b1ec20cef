import Foundation
import Hummingbird
import IMDF
import IMDFArchive
import NIOCore
import SyncModel

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
