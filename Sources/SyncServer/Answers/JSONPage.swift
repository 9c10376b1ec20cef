import Foundation
import Hummingbird
import RevisionStore
import SyncModel

/// A page of a list. It ends at a bound of bytes, whatever the items are and however many were asked for, but has one at least.
struct JSONPage {
    static let byteLimit = RevisionStore.pageBytes

    private var items: [UInt8] = []
    private(set) var count = 0

    /// Puts an item on the page; false when there is no room for it any more, and the page ends before it.
    mutating func append(_ item: some Encodable) throws -> Bool {
        self.append(encoded: Array(try WireJSON.data(item)))
    }

    mutating func append(encoded item: [UInt8]) -> Bool {
        guard self.hasRoom(for: item.count) else { return false }
        if self.count > 0 { self.items.append(UInt8(ascii: ",")) }
        self.items += item
        self.count += 1
        return true
    }

    private func hasRoom(for bytes: Int) -> Bool { self.count == 0 || self.items.count + bytes <= Self.byteLimit }

    /// An object with the items under `member` beside the members of another one.
    func response(_ member: String, beside rest: some Encodable) throws -> Response {
        var text = Array(try WireJSON.data(rest))
        text.removeLast()
        if text.count > 1 { text.append(UInt8(ascii: ",")) }
        text.reserveCapacity(text.count + self.items.count + member.utf8.count + 6)
        text += "\"\(member)\":[".utf8
        text += self.items
        text += "]}".utf8
        return Response.bytes(text, type: "application/json")
    }
}

/// Where a list goes on.
struct NextPage: Encodable {
    @OrNull var next: String?
}
