/// Lets any decoder and encoder, such as those of Foundation, read and write JSON of unknown structure.
///
/// Foundation's decoder keeps the keys of an object in a dictionary of Swift strings, in which two keys that differ only in their
/// Unicode normal form are equal. To read such documents without loss, use another reader.
extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        // A wrong guess throws an error, so the most frequent kinds of value come first. Numbers and arrays are mostly in arrays.
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let members = try? decoder.container(keyedBy: MemberKey.self) {
            self = .object(
                JSONObject(
                    try members.allKeys.map { key in
                        .init(key: key.stringValue, value: try members.decode(JSONValue.self, forKey: key))
                    }))
        } else if var elements = try? decoder.unkeyedContainer() {
            self = .array(try Self.elements(of: &elements))
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else {
            let number = try container.decode(Double.self)
            guard number.isFinite else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "The number is not finite")
            }
            self = .number(number)
        }
    }

    /// The elements of an array. Most arrays have elements of one kind, as coordinates do, so the kind of the last element is tried
    /// first, and of the first one, that it is a number or an array.
    private static func elements(of container: inout any UnkeyedDecodingContainer) throws -> [JSONValue] {
        var elements: [JSONValue] = []
        while !container.isAtEnd {
            let last = elements.last
            if last == nil || last?.number != nil, let number = try? container.decode(Double.self), number.isFinite {
                elements.append(.number(number))
            } else if last == nil || last?.array != nil, var nested = try? container.nestedUnkeyedContainer() {
                elements.append(.array(try self.elements(of: &nested)))
            } else {
                elements.append(try container.decode(JSONValue.self))
            }
        }
        return elements
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let object):
            var container = encoder.container(keyedBy: MemberKey.self)
            for member in object.members {
                try container.encode(member.value, forKey: MemberKey(stringValue: member.key))
            }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let bool):
            var container = encoder.singleValueContainer()
            try container.encode(bool)
        case .number(let number):
            var container = encoder.singleValueContainer()
            try container.encode(number)
        case .string(let string):
            var container = encoder.singleValueContainer()
            try container.encode(string)
        }
    }

    private struct MemberKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }
}
