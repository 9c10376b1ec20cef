import Foundation
import IMDF

/// Compares a JSON example with a real response: the same members with values of the same types, in the same nesting.
///
/// In an example the text `…` stands for any value, `{…}` and `[…]` for any object and any array, and a member or an element `…`
/// says that there may be more than is shown.
enum ShapeCheck {
    static func parse(example: String) throws -> JSONValue {
        let valid = example.replacing("{…}", with: #""…""#).replacing("[…]", with: #""…""#)
        return try JSONDecoder().decode(JSONValue.self, from: Data(valid.utf8))
    }

    /// The differences, each with the path of the value; empty if the shapes agree.
    static func differences(_ example: JSONValue, _ response: JSONValue, at path: String = "$") -> [String] {
        switch (example, response) {
        case (.string("…"), _), (.null, .null), (.bool, .bool), (.number, .number), (.string, .string): return []
        case (.object(let example), .object(let response)):
            let shown = Dictionary(uniqueKeysWithValues: example.members.map { ($0.key, $0.value) })
            let actual = Dictionary(uniqueKeysWithValues: response.members.map { ($0.key, $0.value) })
            var differences: [String] = []
            for (key, value) in shown where key != "…" {
                guard let other = actual[key] else {
                    differences.append("\(path).\(key) is not in the response")
                    continue
                }
                differences += Self.differences(value, other, at: "\(path).\(key)")
            }
            if shown["…"] == nil {
                differences += actual.keys.filter { shown[$0] == nil }.map { "\(path).\($0) is not in the example" }
            }
            return differences.sorted()
        case (.array(let example), .array(let response)):
            let shown = example.filter { $0 != .string("…") }
            var differences: [String] = []
            for (index, value) in shown.enumerated() {
                let closest = response.map { Self.differences(value, $0, at: "\(path)[\(index)]") }.min {
                    $0.count < $1.count
                }
                differences += closest ?? ["\(path)[\(index)] is not in the response"]
            }
            if shown.count == example.count {
                for (index, value) in response.enumerated() {
                    let closest = shown.map { Self.differences($0, value, at: "\(path)[\(index)]") }.min {
                        $0.count < $1.count
                    }
                    differences += closest ?? ["\(path)[\(index)] is not in the example"]
                }
            }
            return differences
        default: return ["\(path) is \(response.kind) in the response and \(example.kind) in the example"]
        }
    }
}

extension JSONValue {
    fileprivate var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
