import IMDF
import SampleVenue

extension SampleVenue {
    /// Cuts polygons that cross the antimeridian into parts on either side of it (RFC 7946 §3.1.9).
    ///
    /// - Returns: Whether nothing crosses it now; lines are not cut.
    mutating func cutAtAntimeridian() -> Bool {
        var isCut = true
        for index in self.features.indices {
            let geometry = self.features[index].geometry
            let spots = self.features[index].spots.map(\.eastward)
            let isCrossing = spots.contains { $0.x > Spot.antimeridian } && spots.contains { $0.x < Spot.antimeridian }
            guard isCrossing else { continue }
            guard geometry["type"] == "Polygon", let rings = geometry["coordinates"]?.array else {
                isCut = false
                continue
            }
            let outlines = rings.map { ($0.array ?? []).compactMap { Spot($0)?.eastward } }
            let parts = [true, false].map { isWest in
                JSONValue.array(
                    outlines.map { Self.part(of: $0, isWest: isWest) }.filter { !$0.isEmpty }.map { ring in
                        .array((ring + [ring[0]]).map { isWest ? $0.position : $0.moved(degrees: -360).position })
                    })
            }
            self.features[index].geometry = ["type": "MultiPolygon", "coordinates": .array(parts)]
        }
        return isCut
    }

    /// The part of a convex ring on one side, by the algorithm of Sutherland and Hodgman; empty if there is none.
    private static func part(of ring: [Spot], isWest: Bool) -> [Spot] {
        let middle = Spot.antimeridian
        var part: [Spot] = []
        for (start, end) in zip(ring, ring.dropFirst()) {
            if isWest ? start.x <= middle : start.x >= middle { part.append(start) }
            guard (start.x - middle).signum() * (end.x - middle).signum() < 0 else { continue }
            let share = Double(middle - start.x) / Double(end.x - start.x)
            part.append(Spot(middle, start.y + Int((share * Double(end.y - start.y)).rounded())))
        }
        return part.contains { $0.x != middle } ? part : []
    }
}

extension Spot {
    fileprivate static let antimeridian = 1_800_000_000

    /// With a longitude from 0° to 360°.
    fileprivate var eastward: Spot { self.x < 0 ? self.moved(degrees: 360) : self }

    fileprivate func moved(degrees: Int) -> Spot { Spot(self.x + degrees * 10_000_000, self.y) }
}
