import IMDF

extension Recognition {
    /// Matches features whose sketches are equal.
    package mutating func matchByContent(stored sketches: [Sketch], arrived: [Sketch]) {
        self.partners.connect(sketches, arrived)
        self.distinctive = Set(sketches.lazy.filter(\.isDistinctive).map(\.id))
        self.contents = self.looks(sketches, arrived)
        let (stored, distinctive) = (self.stored, self.distinctive)
        self.partners.settle(self.contents) { partners, pair in
            // What says nothing of itself is what it holds together.
            distinctive.contains(stored[Int(pair.stored)].id) || partners.share(pair)
        }
    }

    /// Equal sketches look alike. Only what has no partner yet is looked at.
    private func looks(_ stored: [Sketch], _ arrived: [Sketch]) -> Looks {
        var numbers: [Digest: Int32] = [:]
        var looks = Looks(stored: self.stored.count, arrived: self.arrived.count)
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
