import IMDF

/// A label of a level as a point of vector tiles.
struct LabelPointEntry: Sendable {
    let feature: TileFeature
    let point: WorldPoint
    let labelClass: LabelClass
    let pictogram: Pictogram?
    let rank: Int
    /// The space for the name; nil for a point.
    let space: LabelSpace?

    var id: FeatureID { self.feature.id }

    /// Whether tiles contain the same of both, besides their levels.
    func isEqual(to other: LabelPointEntry) -> Bool {
        self.feature.contentDigest == other.feature.contentDigest && self.point == other.point
            && self.labelClass == other.labelClass && self.pictogram == other.pictogram && self.rank == other.rank
            && self.space == other.space
    }

    /// How a name is set in the space; nil if there is no name, or a pictogram instead.
    func fit(_ name: String?) -> LabelSpace.Fit? {
        guard self.pictogram == nil, let name else { return nil }
        return self.space?.fit(name)
    }

    /// Appends bytes that determine what a tile contains of it, besides its level.
    func append(to bytes: inout [UInt8]) {
        bytes += self.feature.contentDigest.bytes
        bytes.append(bigEndian: self.point.x.bitPattern)
        bytes.append(bigEndian: self.point.y.bitPattern)
        bytes.append(counted: self.labelClass.rawValue)
        bytes.append(counted: self.pictogram?.id ?? "")
        bytes.append(bigEndian: self.rank)
        bytes.append(self.space == nil ? 0 : 1)
        self.space?.append(to: &bytes)
    }
}

extension LabelPointEntry {
    /// How many edges are looked at for the points of a level, at most. The remaining labels are at their preferred points.
    private static let budget = 100_000_000

    /// The points of all labels of a level, by id.
    static func entries(of level: PreparedLevel) -> [LabelPointEntry] {
        var work = 0
        let features = Dictionary(level.features.map { ($0.id, $0) }) { first, _ in first }
        return level.candidates.compactMap { candidate -> LabelPointEntry? in
            // An amenity is where its point is: several of them may be in one unit.
            let hasOwnPoint = candidate.type == .amenity && candidate.preferred != nil
            let place = candidate.areas.first.flatMap { area in
                hasOwnPoint || work >= Self.budget
                    ? nil : LabelSpace.find(in: area, preferred: candidate.preferred, work: &work)
            }
            guard let feature = features[candidate.id], let point = place?.middle ?? candidate.preferred else {
                return nil
            }
            return LabelPointEntry(
                feature: feature, point: point, labelClass: candidate.labelClass, pictogram: candidate.pictogram,
                rank: candidate.rank, space: place?.space)
        }.sorted { $0.id < $1.id }
    }
}
