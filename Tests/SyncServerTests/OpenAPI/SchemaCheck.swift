import Foundation
import IMDF
import SyncModel

/// Validates values against the schemas of the document. It supports the keywords that the document uses and reports
/// any other.
///
/// It is stricter than a client may be: members without a schema are faults unless `additionalProperties` allows them.
struct SchemaCheck {
    let document: OpenAPIDocument

    private static let annotations: Set = ["description", "default", "example", "examples"]

    /// The faults of a value, each with its path.
    func faults(of value: JSONValue, in schema: JSONValue, at path: String = "", isWhole: Bool = true) -> [String] {
        var faults: [String] = []
        func fault(_ text: String) { faults.append("\(path.isEmpty ? "/" : path): \(text)") }
        for keyword in schema.object?.members ?? [] {
            let wanted = keyword.value
            switch keyword.key {
            case "$ref":
                guard let target = wanted.string.flatMap(self.document.target) else {
                    fault("there is no \(wanted)")
                    continue
                }
                faults += self.faults(of: value, in: target, at: path, isWhole: false)
            case "allOf":
                faults += (wanted.array ?? []).flatMap { self.faults(of: value, in: $0, at: path, isWhole: false) }
            case "anyOf":
                let attempts = (wanted.array ?? []).map { self.faults(of: value, in: $0, at: path) }
                if !attempts.contains(where: \.isEmpty) { faults += attempts.min { $0.count < $1.count } ?? [] }
            case "type":
                let types = wanted.array?.compactMap(\.string) ?? [wanted.string ?? ""]
                if !types.contains(where: value.isOf) { fault("\(value.brief) is not of type \(types)") }
            case "enum": if wanted.array?.contains(value) != true { fault("\(value.brief) is not listed") }
            case "const": if wanted != value { fault("\(value.brief) is not \(wanted)") }
            case "required":
                for name in wanted.array?.compactMap(\.string) ?? [] where value.object != nil && value[name] == nil {
                    fault("\(name) is missing")
                }
            case "properties":
                for member in wanted.object?.members ?? [] {
                    guard let found = value[member.key] else { continue }
                    faults += self.faults(of: found, in: member.value, at: "\(path)/\(member.key)")
                }
            case "additionalProperties":
                let own = schema["properties"]?.keys ?? []
                for member in value.object?.members ?? [] where wanted.object != nil && !own.contains(member.key) {
                    faults += self.faults(of: member.value, in: wanted, at: "\(path)/\(member.key)")
                }
            case "items":
                for (index, item) in (value.array ?? []).enumerated() {
                    faults += self.faults(of: item, in: wanted, at: "\(path)/\(index)")
                }
            case let name where Self.annotations.contains(name): break
            default:
                guard let isSatisfied = Self.isSatisfied(keyword.key, wanted, by: value) else {
                    fault("the checker does not know \(keyword.key)")
                    continue
                }
                if !isSatisfied { fault("\(value.brief) does not keep to \(keyword.key): \(wanted)") }
            }
        }
        if isWhole, let object = value.object, let known = self.members(in: schema) {
            for member in object.members where !known.contains(member.key) { fault("\(member.key) is not described") }
        }
        return faults
    }

    /// The members that a schema describes; nil when it allows others, or when its alternatives check members
    /// themselves.
    private func members(in schema: JSONValue) -> Set<String>? {
        guard schema["anyOf"] == nil else { return nil }
        if let more = schema["additionalProperties"], more != .bool(false) { return nil }
        var members = schema["properties"]?.keys ?? []
        var parts = schema["allOf"]?.array ?? []
        if let target = schema["$ref"]?.string.flatMap(self.document.target) { parts.append(target) }
        for part in parts {
            guard let others = self.members(in: part) else { return nil }
            members.formUnion(others)
        }
        // A schema without members allows any.
        return members.isEmpty ? nil : members
    }

    /// Keywords for a scalar or a size; nil for an unknown keyword. Values of other types satisfy them.
    private static func isSatisfied(_ keyword: String, _ wanted: JSONValue, by value: JSONValue) -> Bool? {
        let (number, text, bound) = (value.number, value.string, wanted.number ?? 0)
        switch keyword {
        case "minimum": return number.map { $0 >= bound } ?? true
        case "maximum": return number.map { $0 <= bound } ?? true
        case "minLength": return text.map { Double($0.unicodeScalars.count) >= bound } ?? true
        case "maxLength": return text.map { Double($0.unicodeScalars.count) <= bound } ?? true
        case "minItems": return value.array.map { Double($0.count) >= bound } ?? true
        case "uniqueItems": return value.array.map { Set($0).count == $0.count } ?? true
        case "pattern":
            guard let pattern = try? NSRegularExpression(pattern: wanted.string ?? "") else { return nil }
            return text.map { pattern.firstMatch(in: $0, range: NSRange($0.startIndex..., in: $0)) != nil } ?? true
        case "format":
            switch wanted.string {
            case "date-time": return text.map { Timestamp.date(of: $0) != nil } ?? true
            case "uuid": return text.map { FeatureID($0) != nil } ?? true
            case "int64": return number.map { Int64(exactly: $0) != nil || $0 == 0x1p63 } ?? true
            default: return nil
            }
        default: return nil
        }
    }
}

extension JSONValue {
    fileprivate func isOf(type: String) -> Bool {
        switch (type, self) {
        case ("null", .null), ("boolean", .bool), ("number", .number), ("string", .string), ("array", .array),
            ("object", .object):
            true
        case ("integer", .number(let value)): value == value.rounded()
        default: false
        }
    }

    /// The beginning of the value, for messages.
    fileprivate var brief: String { String(decoding: CanonicalJSON.data(self).prefix(80), as: UTF8.self) }
}
