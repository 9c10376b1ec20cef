import SampleVenue

extension SampleVenue {
    /// Two levels with a few shops, an annex and a plaza.
    static let tiny = SampleVenue(.init(levels: 2, unitsPerLevel: 6))

    func edited(_ edits: Edit..., seed: UInt64 = 1) -> SampleVenue {
        var next = self
        _ = next.apply(edits, seed: seed)
        return next
    }

    /// Edits between two exports.
    static let edits: [Edit] = [
        Edit(.rename, 2), Edit(.move, 2), Edit(.relevel, 2), Edit(.floor), Edit(.removeFloor), Edit(.add, 3),
        Edit(.remove, 2), Edit(.hours, 1), Edit(.retype, 1), Edit(.recategorise, 2),
    ]

    mutating func editRandomly(using random: inout SplitMix64) {
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            _ = self.apply(Self.edits.randomElement(using: &random) ?? Edit(.rename, 1), using: &random)
        }
    }
}
