import IMDF

extension Matcher {
    /// Matches features whose sketches are equal.
    package mutating func matchByContent(stored sketches: [ContentDigest], arrived: [ContentDigest]) {
        self.partners.connect(sketches, arrived)
        for sketch in sketches where sketch.isDistinctive {
            guard let number = self.partners.stored.number(of: sketch.id) else { continue }
            self.distinctive.insert(number)
            if sketch.isNamed { self.named.insert(number) }
        }
        self.contents = self.looks(sketches, arrived)
        self.settleContents(across: false)
    }

    /// Joins what says the same to the letter, as far as there is only one such.
    ///
    /// - Parameter floors: whether something may have gone from one floor to another. What stands on a floor is looked for there
    ///   first: a new floor often is a copy of an old one.
    mutating func settleContents(across floors: Bool) {
        let isPossible = self.isPossible(across: floors)
        self.partners.settle(self.contents, confirm: isPossible)
    }

    /// Whether features that look alike may be the same.
    func isPossible(across floors: Bool) -> Matching.Confirmation {
        { [distinctive, named] partners, pair in
            // What says nothing of itself is what it holds together.
            guard distinctive.contains(pair.stored) || partners.share(pair) > 0 else { return false }
            return switch partners.floors(of: pair) {
            case .same: true
            case .unknown, .other: floors
            case .apart: floors && (named.contains(pair.stored) || partners.share(pair) > 0)
            }
        }
    }

    /// Equal sketches look alike. Only what has no partner yet is looked at.
    private func looks(_ stored: [ContentDigest], _ arrived: [ContentDigest]) -> EquivalenceClasses {
        var numbers: [Digest: Int32] = [:]
        var looks = EquivalenceClasses(stored: self.stored.count, arrived: self.arrived.count)
        for sketch in stored {
            guard let number = self.partners.stored.number(of: sketch.id), self.partners.ofStored[Int(number)] < 0
            else { continue }
            let next = Int32(numbers.count)
            let look = numbers[sketch.content] ?? next
            if look == next { numbers[sketch.content] = next }
            looks.stored[Int(number)] = look
        }
        for sketch in arrived {
            guard let look = numbers[sketch.content], let number = self.partners.arrived.number(of: sketch.id),
                self.partners.ofArrived[Int(number)] < 0
            else { continue }
            looks.arrived[Int(number)] = look
        }
        return looks
    }
}
