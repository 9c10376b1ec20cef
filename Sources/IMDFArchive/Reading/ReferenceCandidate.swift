internal import IMDF

/// An id in a feature's properties that may be a reference. That is decided when all features are known.
struct ReferenceCandidate {
    let target: FeatureID
    /// The offset of the id in the feature's body.
    let offset: UInt32
    /// See ``WrittenID/uppercaseDigits``.
    let uppercaseDigits: UInt32
    let role: Reference.Role

    /// Writes the id in lower case, or as it was written in the archive.
    func write(inLowercase: Bool, in body: inout [UInt8]) {
        guard self.uppercaseDigits != 0 else { return }
        for (digit, digitOffset) in WrittenID.digitOffsets.enumerated()
        where self.uppercaseDigits & (0x8000_0000 >> UInt32(digit)) != 0 {
            let index = Int(self.offset) + digitOffset
            body[index] = inLowercase ? body[index] | 0x20 : body[index] & ~0x20
        }
    }
}
