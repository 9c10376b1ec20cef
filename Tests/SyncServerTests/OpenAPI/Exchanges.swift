import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import NIOCore
import Synchronization
import TestSupport

/// A request and its response.
struct Exchange: Sendable {
    let method: HTTPRequest.Method
    let uri: String
    let type: String?
    let body: [UInt8]
    let response: TestResponse

    var path: String { String(self.uri.prefix { $0 != "?" }) }
    var name: String { "\(self.method) \(self.uri.prefix(120)) \(self.response.status.code)" }

    /// The decoded parameters of the query.
    var query: [(name: String, value: String)] {
        (URLComponents(string: self.uri)?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
    }
}

/// A client that records all exchanges.
final class Recorder: TestClient {
    private let client: any TestClient
    private let recorded = Mutex<[Exchange]>([])

    init(_ client: any TestClient) {
        self.client = client
    }

    var exchanges: [Exchange] { self.recorded.withLock { $0 } }

    func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields, body: [UInt8]
    ) async throws -> TestResponse {
        let response = try await self.client.send(method, path, headers: headers, body: body)
        let exchange = Exchange(
            method: method, uri: path, type: headers[.contentType], body: body, response: response)
        self.recorded.withLock { $0.append(exchange) }
        return response
    }
}

extension OpenAPIDocument {
    /// Headers that a response may have only where the document describes them.
    private static let describedHeaders: [HTTPField.Name] = [
        .allow, .cacheControl, .contentDisposition, .contentEncoding, .contentLocation, .eTag, .location, .retryAfter,
        .vary,
        .wwwAuthenticate, HTTPField.Name("VenueSync-Left-Out")!,
    ]

    /// The differences between an exchange and the document.
    func faults(in exchange: Exchange) -> [String] {
        guard let operation = self.operation(exchange.method.rawValue, exchange.path) else {
            return ["the operation is not described"]
        }
        guard let (_, response) = self.response(operation, exchange.response.status.code) else {
            return ["the status is not described"]
        }
        return self.faults(ofHeadersIn: exchange, response) + self.faults(ofBodyIn: exchange, response)
            + self.faults(ofRequestIn: exchange, operation)
    }

    private func faults(ofHeadersIn exchange: Exchange, _ response: JSONValue) -> [String] {
        let check = SchemaCheck(document: self)
        var faults: [String] = []
        var described: Set<HTTPField.Name> = []
        for member in response["headers"]?.object?.members ?? [] {
            let header = self.resolved(member.value)
            guard let name = HTTPField.Name(member.key), let schema = header["schema"] else { continue }
            described.insert(name)
            guard let text = exchange.response.headers[name] else {
                if header["required"] == true { faults.append("\(member.key) is missing") }
                continue
            }
            faults += check.faults(of: self.value(text, schema), in: schema, at: member.key)
        }
        for name in Self.describedHeaders where exchange.response.headers[name] != nil && !described.contains(name) {
            faults.append("\(name) is not described")
        }
        return faults
    }

    private func faults(ofBodyIn exchange: Exchange, _ response: JSONValue) -> [String] {
        let data = exchange.response.data
        guard let content = response["content"] else { return data.isEmpty ? [] : ["a body is not described"] }
        let type = exchange.response.headers[.contentType]?.prefix { $0 != ";" } ?? ""
        guard let media = content[String(type)] else { return ["the type “\(type)” is not described"] }
        guard exchange.method != .head else { return data.isEmpty ? [] : ["HEAD has a body"] }
        // Content encodings have their own tests.
        guard type.hasSuffix("json"), exchange.response.headers[.contentEncoding] == nil else {
            return data.isEmpty ? ["the body is missing"] : []
        }
        guard let schema = media["schema"], let value = try? exchange.response.json else { return ["it is no JSON"] }
        return SchemaCheck(document: self).faults(of: value, in: schema)
    }

    /// Whether a parameter is described by a security scheme of the operation.
    private func isCredential(_ name: String, of operation: Operation) -> Bool {
        let schemes = self.root["components"]?["securitySchemes"]
        return operation.content["security"]?.array?.contains { requirement in
            requirement.keys.contains { schemes?[$0]?["in"] == "query" && schemes?[$0]?["name"] == .string(name) }
        } ?? false
    }

    /// The document must allow every request that the server accepts.
    private func faults(ofRequestIn exchange: Exchange, _ operation: Operation) -> [String] {
        guard exchange.response.status.code < 300 else { return [] }
        let check = SchemaCheck(document: self)
        var faults: [String] = []
        for (name, values) in Dictionary(grouping: exchange.query, by: \.name) {
            if self.isCredential(name, of: operation) { continue }
            let parameter = operation.parameters.first { $0["in"] == "query" && $0["name"] == .string(name) }
            guard let schema = parameter?["schema"] else {
                faults.append("the parameter \(name) is not described")
                continue
            }
            let given = values.map(\.value).filter { !$0.isEmpty }
            if let items = schema["items"] {
                faults += given.flatMap { check.faults(of: self.value($0, items), in: items, at: "?\(name)") }
            } else if let first = given.first {
                faults += check.faults(of: self.value(first, schema), in: schema, at: "?\(name)")
            }
        }
        guard !exchange.body.isEmpty else { return faults }
        guard let media = operation.content["requestBody"]?["content"]?[exchange.type ?? ""] else {
            return faults + ["a body of type \(exchange.type ?? "") is not described"]
        }
        guard let schema = media["schema"] else { return faults }
        guard let body = try? JSONReader.value(of: exchange.body) else { return faults + ["the body is no JSON"] }
        return faults + check.faults(of: body, in: schema, at: "body")
    }

    /// The text of a header or query parameter, as a value of the type in its schema.
    private func value(_ text: String, _ schema: JSONValue) -> JSONValue {
        switch self.resolved(schema)["type"]?.string {
        case "integer", "number": Double(text).map(JSONValue.number) ?? .string(text)
        case "boolean": ["true": true, "false": false][text] ?? .string(text)
        default: .string(text)
        }
    }
}
