package import IMDF

extension FeatureID {
    /// The ids that a feature may have got instead of one that is not a UUID, the likely one first.
    ///
    /// - Parameters:
    ///   - text: The id as archives have it.
    ///   - venue: The id of the venue feature.
    package static func assigned(to text: String, in venue: FeatureID) -> [FeatureID] {
        let space: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
        let name = text.utf8.drop { space.contains($0) }.reversed().drop { space.contains($0) }.reversed()
        guard !name.isEmpty else { return [] }
        return [venue, AssignedIDs.venues].map { FeatureID(name: name, namespace: $0) }
    }
}
