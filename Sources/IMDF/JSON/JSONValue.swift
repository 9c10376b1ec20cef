/// A JSON value by RFC 8785: numbers are IEEE doubles, and members of objects are sorted by the UTF-16 code units of their keys.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    /// Strings are equal if they have the same bytes, as in JSON; for `String` it is enough that they have the same Unicode normal form.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.hasBytes(of: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0 as UInt8)
        case .bool(let value):
            hasher.combine(1 as UInt8)
            hasher.combine(value)
        case .number(let value):
            hasher.combine(2 as UInt8)
            hasher.combine(value)
        case .string(let value):
            hasher.combine(3 as UInt8)
            hasher.combine(ExactText(value))
        case .array(let values):
            hasher.combine(4 as UInt8)
            hasher.combine(values)
        case .object(let object):
            hasher.combine(5 as UInt8)
            hasher.combine(object)
        }
    }
}

/// A JSON object: members with unique keys, in canonical order. Equality does not depend on the order in which they were written.
public struct JSONObject: Hashable, Sendable {
    public struct Member: Hashable, Sendable {
        public var key: String
        public var value: JSONValue

        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }

        public static func == (left: Member, right: Member) -> Bool {
            left.key.hasBytes(of: right.key) && left.value == right.value
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(ExactText(self.key))
            hasher.combine(self.value)
        }
    }

    /// In the order of ``CanonicalJSON``, with unique keys.
    public private(set) var members: [Member]

    public init() {
        self.members = []
    }

    /// The last of several members with the same key is used.
    public init(_ unsorted: [Member]) {
        let isSorted = zip(unsorted, unsorted.dropFirst()).allSatisfy { CanonicalJSON.precedes($0.key, $1.key) }
        if isSorted {
            self.members = unsorted
            return
        }
        let order = unsorted.indices.sorted { one, other in
            if CanonicalJSON.precedes(unsorted[one].key, unsorted[other].key) { return true }
            return one < other && !CanonicalJSON.precedes(unsorted[other].key, unsorted[one].key)
        }
        self.members = []
        self.members.reserveCapacity(unsorted.count)
        for index in order {
            if let last = self.members.last, !CanonicalJSON.precedes(last.key, unsorted[index].key) {
                self.members.removeLast()
            }
            self.members.append(unsorted[index])
        }
    }

    /// A member's value. Setting nil removes the member, setting `.null` does not.
    public subscript(key: String) -> JSONValue? {
        get {
            let position = self.position(of: key)
            // In `isFound ? value : nil` the literal would be the JSON value null.
            return position.isFound ? .some(self.members[position.index].value) : .none
        }
        set {
            let position = self.position(of: key)
            switch (newValue, position.isFound) {
            case (.some(let value), true): self.members[position.index].value = value
            case (.some(let value), false): self.members.insert(Member(key: key, value: value), at: position.index)
            case (.none, true): self.members.remove(at: position.index)
            case (.none, false): break
            }
        }
    }

    /// The index of a member, or the index at which it would have to be inserted.
    private func position(of key: String) -> (index: Int, isFound: Bool) {
        // Members are usually added in order, so the end is checked first.
        guard let last = self.members.last else { return (0, false) }
        if CanonicalJSON.precedes(last.key, key) { return (self.members.count, false) }
        var low = 0
        var high = self.members.count
        while low < high {
            let middle = (low + high) / 2
            if CanonicalJSON.precedes(self.members[middle].key, key) { low = middle + 1 } else { high = middle }
        }
        // Compared by bytes, because Swift's string equality treats different Unicode normal forms as equal.
        return (low, low < self.members.count && !CanonicalJSON.precedes(key, self.members[low].key))
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements.map { Member(key: $0.0, value: $0.1) })
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(nilLiteral: ()) { self = .null }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { .init(key: $0.0, value: $0.1) }))
    }
}

extension JSONValue {
    /// A member of an object; nil for a missing one and for every other kind of value.
    public subscript(key: String) -> JSONValue? { self.object?[key] }

    public var isNull: Bool { self == .null }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var number: Double? { if case .number(let value) = self { value } else { nil } }
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }
}
