import Foundation
import Hummingbird
import RevisionStore
import SyncModel

/// A page of a list. It has at least one item, and ends before the item that would exceed its maximum length.
struct JSONPage {
    /// The maximum length of the items together, in bytes.
    static let byteLimit = RevisionStore.pageBytes

    private var items: [UInt8] = []
    private(set) var count = 0

    /// Adds an item, or returns false when there is no room for it.
    mutating func append(_ item: some Encodable) throws -> Bool {
        self.append(encoded: Array(try WireJSON.data(item)))
    }

    mutating func append(encoded item: [UInt8]) -> Bool {
        guard self.count == 0 || self.items.count + item.count <= Self.byteLimit else { return false }
        if self.count > 0 { self.items.append(UInt8(ascii: ",")) }
        self.items += item
        self.count += 1
        return true
    }

    /// An object with the items under `member`, beside the members of another value.
    func response(_ member: String, beside rest: some Encodable) throws -> Response {
        var object = try JSONObjectWriter(rest)
        object.add(member, encoded: [UInt8(ascii: "[")] + self.items + [UInt8(ascii: "]")])
        return try Response.bytes(object.finish(), type: "application/json")
    }
}

/// The address of the next page; null on the last one.
struct NextPage: Encodable {
    @OrNull var next: String?
}
