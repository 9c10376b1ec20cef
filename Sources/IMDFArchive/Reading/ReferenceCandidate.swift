internal import IMDF

/// An id in a feature's properties. Whether it refers to something shows when all features are known.
struct ReferenceCandidate {
    let target: FeatureID
    /// Where the id stands in the feature's body.
    let offset: UInt32
    /// See ``SpelledID/capitals``.
    let capitals: UInt32
    let role: Reference.Role

    /// Spells the id in small letters, or the way the archive does.
    func spell(small: Bool, in body: inout [UInt8]) {
        guard self.capitals != 0 else { return }
        for (digit, place) in SpelledID.places.enumerated() where self.capitals & (0x8000_0000 >> UInt32(digit)) != 0 {
            let index = Int(self.offset) + place
            body[index] = small ? body[index] | 0x20 : body[index] & ~0x20
        }
    }
}
