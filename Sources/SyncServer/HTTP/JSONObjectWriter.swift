import Foundation
import SyncModel

/// A JSON object that is composed of members which are encoded already, and would be expensive to encode again.
struct JSONObjectWriter: Sendable {
    /// The object without its closing brace.
    private(set) var text: [UInt8]

    /// Starts with the members of a value, which must be encoded as an object.
    init(_ value: some Encodable) throws {
        self.text = Array(try WireJSON.data(value))
        guard self.text.last == UInt8(ascii: "}") else {
            throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "It is not an object."))
        }
        self.text.removeLast()
    }

    /// Adds a member whose value is JSON already.
    mutating func add(_ name: String, encoded value: [UInt8]) {
        self.text.reserveCapacity(self.text.count + name.utf8.count + value.count + 5)
        if self.text.count > 1 { self.text.append(UInt8(ascii: ",")) }
        self.text += "\"\(name)\":".utf8
        self.text += value
    }

    consuming func finish() -> [UInt8] {
        self.text.append(UInt8(ascii: "}"))
        return self.text
    }
}
