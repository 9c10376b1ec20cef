import Foundation
import IMDF

/// Compares a JSON example with a real answer: the same members with values of the same types, in the same nesting.
///
/// In an example the text `…` stands for any value, `{…}` and `[…]` for any object and any array, and a member or an element `…`
/// says that there may be more than is shown.
enum ShapeCheck {
    static func parse(example: String) throws -> JSONValue {
        let valid = example.replacing("{…}", with: #""…""#).replacing("[…]", with: #""…""#)
        return try JSONDecoder().decode(JSONValue.self, from: Data(valid.utf8))
    }

    /// What differs, each difference with the path of the value; empty when the shapes agree.
    static func differences(_ example: JSONValue, _ answer: JSONValue, at path: String = "$") -> [String] {
        switch (example, answer) {
        case (.string("…"), _), (.null, .null), (.bool, .bool), (.number, .number), (.string, .string): return []
        case (.object(let example), .object(let answer)):
            let shown = Dictionary(uniqueKeysWithValues: example.members.map { ($0.key, $0.value) })
            let there = Dictionary(uniqueKeysWithValues: answer.members.map { ($0.key, $0.value) })
            var found: [String] = []
            for (key, value) in shown where key != "…" {
                guard let other = there[key] else {
                    found.append("\(path).\(key) is not in the answer")
                    continue
                }
                found += Self.differences(value, other, at: "\(path).\(key)")
            }
            if shown["…"] == nil {
                found += there.keys.filter { shown[$0] == nil }.map { "\(path).\($0) is not in the example" }
            }
            return found.sorted()
        case (.array(let example), .array(let answer)):
            let shown = example.filter { $0 != .string("…") }
            var found: [String] = []
            for (index, value) in shown.enumerated() {
                let best = answer.map { Self.differences(value, $0, at: "\(path)[\(index)]") }.min {
                    $0.count < $1.count
                }
                found += best ?? ["\(path)[\(index)] is not in the answer"]
            }
            if shown.count == example.count {
                for (index, value) in answer.enumerated() {
                    let best = shown.map { Self.differences($0, value, at: "\(path)[\(index)]") }.min {
                        $0.count < $1.count
                    }
                    found += best ?? ["\(path)[\(index)] is not in the example"]
                }
            }
            return found
        default: return ["\(path) is \(answer.kind) in the answer and \(example.kind) in the example"]
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
