import IMDF

extension DecodingError {
    /// A description without the type names of our code.
    ///
    /// - Parameter body: The body, if it is JSON.
    func message(of body: JSONValue?) -> String {
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
