import Foundation
import HTTPTypes
import IMDF
import TestSupport
import Testing
import Yams

/// The OpenAPI document as served.
struct OpenAPIDocument: Sendable {
    /// A method on a path template.
    struct Operation: Sendable {
        let method: String
        let path: String
        /// The operation object.
        let content: JSONValue
        let parameters: [JSONValue]

        var name: String { "\(self.method) \(self.path)" }
        var responses: [String] { self.content["responses"]?.keys.sorted() ?? [] }
    }

    let root: JSONValue
    private(set) var operations: [Operation] = []

    init(servedTo harness: Harness) async throws {
        let response = try await harness.send(.get, "/openapi.yaml", key: nil)
        try #require(response.status == .ok)
        try self.init(yaml: response.text)
    }

    init(yaml: String) throws {
        self.root = JSONValue(yaml: try Yams.load(yaml: yaml))
        for path in try #require(self.root["paths"]?.object).members {
            let shared = path.value["parameters"]?.array ?? []
            for method in path.value.object?.members ?? [] where method.key != "parameters" {
                let parameters = (shared + (method.value["parameters"]?.array ?? [])).map(self.resolved)
                self.operations.append(
                    Operation(
                        method: method.key.uppercased(), path: path.key, content: method.value, parameters: parameters))
            }
        }
    }

    /// The target of a `$ref`; any other value is returned unchanged.
    func resolved(_ value: JSONValue) -> JSONValue {
        guard let reference = value["$ref"]?.string, let target = self.target(of: reference) else { return value }
        return self.resolved(target)
    }

    func target(of reference: String) -> JSONValue? {
        reference.split(separator: "/").dropFirst().reduce(Optional(self.root)) { $0?[String($1)] }
    }

    /// The operation of a request; HEAD counts as GET. Of two matching templates, the one with fewer parameters wins, then the longer one.
    func operation(_ method: String, _ path: String) -> Operation? {
        let method = method == "HEAD" ? "GET" : method
        let segments = path.split(separator: "/")
        return self.operations.filter { operation in
            let template = operation.path.split(separator: "/")
            return operation.method == method && template.count == segments.count
                && zip(template, segments).allSatisfy { Self.matches($0, $1) }
        }.min { ($0.path.count { $0 == "{" }, -$0.path.count) < ($1.path.count { $0 == "{" }, -$1.path.count) }
    }

    /// A parameter may have a prefix or a suffix, such as `{floor}.json`.
    private static func matches(_ template: Substring, _ segment: Substring) -> Bool {
        guard let start = template.firstIndex(of: "{"), let end = template.lastIndex(of: "}") else {
            return template == segment
        }
        let (prefix, suffix) = (template[..<start], template[template.index(after: end)...])
        return segment.hasPrefix(prefix) && segment.hasSuffix(suffix) && segment.count > prefix.count + suffix.count
    }

    /// The response for a status, and its name in the document.
    func response(_ operation: Operation, _ status: Int) -> (name: String, content: JSONValue)? {
        for name in ["\(status)", "\(status / 100)XX"] {
            if let response = operation.content["responses"]?[name] { return (name, self.resolved(response)) }
        }
        return nil
    }
}

extension JSONValue {
    /// Converts a YAML node that Yams decoded.
    fileprivate init(yaml: Any?) {
        switch yaml {
        case let value as String: self = .string(value)
        case let value as Bool: self = .bool(value)
        case let value as Int: self = .number(Double(value))
        case let value as Double: self = .number(value)
        case let values as [Any]: self = .array(values.map { JSONValue(yaml: $0) })
        case let values as [AnyHashable: Any]:
            self = .object(JSONObject(values.map { .init(key: "\($0.key)", value: JSONValue(yaml: $0.value)) }))
        default: self = .null
        }
    }
}
