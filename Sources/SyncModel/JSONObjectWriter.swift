import Foundation

/// A JSON object that is composed of members which are encoded already, and would be expensive to encode again.
package struct JSONObjectWriter: Sendable {
    /// The object without its closing brace.
    package private(set) var text: [UInt8]

    /// Starts with the members of a value, which must be encoded as an object.
    package init(_ value: some Encodable) throws {
        self.text = Array(try WireJSON.data(value))
        guard self.text.last == UInt8(ascii: "}") else {
            throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "It is not an object."))
        }
        self.text.removeLast()
    }

    /// Adds a member whose value is JSON already.
    package mutating func add(_ name: String, encoded value: [UInt8]) {
        self.text.reserveCapacity(self.text.count + name.utf8.count + value.count + 5)
        if self.text.count > 1 { self.text.append(UInt8(ascii: ",")) }
        self.text += "\"\(name)\":".utf8
        self.text += value
    }

    /// The text up to the first element of one more member, an array that is written separately.
    package consuming func openArray(_ name: String) -> [UInt8] {
        if self.text.count > 1 { self.text.append(UInt8(ascii: ",")) }
        self.text += "\"\(name)\":[\n".utf8
        return self.text
    }

    package consuming func finish() -> [UInt8] {
        self.text.append(UInt8(ascii: "}"))
        return self.text
    }
}
