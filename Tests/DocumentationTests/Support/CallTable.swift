import Foundation
import Testing
import Yams

/// The calls of the OpenAPI document, as one Markdown table for each tag.
struct CallTable {
    private let root: [String: Any]

    init() throws {
        let url = DocumentationPage.root.appending(path: "Sources/SyncServer/openapi.yaml")
        self.root = try #require(try Yams.load(yaml: String(contentsOf: url, encoding: .utf8)) as? [String: Any])
    }

    private static let methods = ["get", "post", "patch", "put", "delete"]

    private struct Call {
        let tag: String
        let row: [String]
    }

    var lines: [String] {
        let calls = self.calls
        let tags = (self.root["tags"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        return tags.flatMap { tag in
            ["### \(tag.prefix(1).uppercased())\(tag.dropFirst())", ""]
                + GeneratedTable.table(
                    ["call", "parameters", "needs", "summary"], calls.filter { $0.tag == tag }.map(\.row))
                + [""]
        }.dropLast()
    }

    private var calls: [Call] {
        let paths = self.root["paths"] as? [String: [String: Any]] ?? [:]
        return paths.sorted { $0.key < $1.key }.flatMap { path, operations in
            let common = operations["parameters"] as? [[String: Any]] ?? []
            return Self.methods.compactMap { method -> Call? in
                guard let content = operations[method] as? [String: Any] else { return nil }
                let parameters = (common + (content["parameters"] as? [[String: Any]] ?? [])).map(self.resolve)
                    .filter { $0["in"] as? String == "query" }.compactMap { $0["name"] as? String }
                return Call(
                    tag: (content["tags"] as? [String])?.first ?? "",
                    row: [
                        "`\(method.uppercased()) \(path)`", parameters.map { "`\($0)`" }.joined(separator: " "),
                        Self.role(content), content["summary"] as? String ?? "",
                    ])
            }
        }
    }

    private func resolve(_ parameter: [String: Any]) -> [String: Any] {
        guard let reference = parameter["$ref"] as? String else { return parameter }
        let target = reference.split(separator: "/").dropFirst().reduce(self.root as Any?) { value, key in
            (value as? [String: Any])?[String(key)]
        }
        return target as? [String: Any] ?? [:]
    }

    /// The key that a call needs, from its description and its security requirements.
    private static func role(_ content: [String: Any]) -> String {
        let description = (content["description"] as? String ?? "").split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
        if let role = description.firstMatch(of: /[Ff]or keys with the role `([a-z]+)`( that are for every venue)?/) {
            return "`\(role.output.1)`" + (role.output.2 == nil ? "" : " for all venues")
        }
        guard let security = content["security"] as? [[String: Any]] else { return "a key" }
        let isOpen = security.contains { $0.isEmpty }
        return security.isEmpty || (isOpen && security.count == 1) ? "–" : isOpen ? "`read`" : "a key"
    }
}
