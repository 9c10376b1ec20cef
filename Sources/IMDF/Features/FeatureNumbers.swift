/// The numbers of features, which are their indices in a list of ids. A hash table that is made and searched faster than a dictionary.
///
/// Ids come from archives and may be chosen to collide, so their hash depends on two numbers that each process draws anew.
package struct FeatureNumbers: Sendable {
    package let ids: [FeatureID]
    /// The number in each slot; -1 if it is empty. At most half of the slots are used.
    private let slots: [Int32]

    private static let secret = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))

    /// - Parameter ids: If several are equal, the last one counts.
    package init(_ ids: [FeatureID]) {
        var capacity = 2
        while capacity < 2 * ids.count { capacity *= 2 }
        var slots = [Int32](repeating: -1, count: capacity)
        slots.withUnsafeMutableBufferPointer { slots in
            for (number, id) in ids.enumerated() {
                var slot = Self.hash(id) & (capacity - 1)
                while slots[slot] >= 0, ids[Int(slots[slot])] != id { slot = (slot + 1) & (capacity - 1) }
                slots[slot] = Int32(number)
            }
        }
        self.ids = ids
        self.slots = slots
    }

    package func number(of id: FeatureID) -> Int32? {
        let mask = self.slots.count - 1
        var slot = Self.hash(id) & mask
        while self.slots[slot] >= 0 {
            let number = self.slots[slot]
            if self.ids[Int(number)] == id { return number }
            slot = (slot + 1) & mask
        }
        return nil
    }

    package func contains(_ id: FeatureID) -> Bool { self.number(of: id) != nil }

    private static func hash(_ id: FeatureID) -> Int {
        let product = (id.high ^ self.secret.0).multipliedFullWidth(by: id.low ^ self.secret.1)
        return Int(truncatingIfNeeded: product.high ^ product.low)
    }
}
