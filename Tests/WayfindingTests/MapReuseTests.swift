import IMDF
import SampleVenue
import Testing

@testable import Wayfinding

/// Maps after changes, which take floors over from the map before.
@Suite struct MapReuseTests {
    private static let sample: [WayfindingFeature] = {
        let venue = SampleVenue(.init(levels: 4, unitsPerLevel: 10))
        return venue.features.map { WayfindingFeature(id: $0.id, type: $0.type, content: $0.body) }
    }()

    private func expectSame(_ one: WayfindingMap, _ other: WayfindingMap, _ step: Int) {
        let (first, second) = (one.mesh, other.mesh)
        #expect(first.points == second.points, "points after step \(step)")
        #expect(first.origins == second.origins && first.twins == second.twins)
        #expect(first.portalOfEdge == second.portalOfEdge && first.spaceOfPiece == second.spaceOfPiece)
        #expect(first.trianglesOfSpace == second.trianglesOfSpace && first.portalsOfSpace == second.portalsOfSpace)
        #expect(first.pieceOfTriangle == second.pieceOfTriangle && first.extents == second.extents)
        #expect(first.tooComplexOrdinals == second.tooComplexOrdinals)
        #expect(first.portals.count == second.portals.count)
        for (portal, other) in zip(first.portals, second.portals) {
            #expect(portal.doorway == other.doorway && portal.width == other.width && portal.edges == other.edges)
            #expect(portal.start == other.start && portal.end == other.end)
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `after any history of changes a map equals a new one`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var features = Self.sample
        var map = WayfindingMap(features, language: "ja-JP")
        for step in 0..<12 {
            let index = features.indices.randomElement(using: &random) ?? 0
            switch step % 4 {
            case 0: features.remove(at: index)
            case 1:
                // Everything of a level goes, and later one returns.
                let level = features.first { $0.type == .level }
                features.removeAll { $0.id("level_id") == level?.id || $0.id == level?.id }
            case 2: features = Self.sample.filter { _ in Int.random(in: 0..<20, using: &random) > 0 }
            default:
                let old = features[index]
                var properties = old.properties
                properties["hours"] = "24/7"
                properties["restriction"] = "employeesonly"
                features[index] = WayfindingFeature(
                    id: old.id, type: old.type, properties: properties, geometry: old.geometry)
            }
            map = WayfindingMap(features, language: "ja-JP", reusing: map)
            self.expectSame(map, WayfindingMap(features, language: "ja-JP"), step)
        }
    }

    @Test func `only floors that differ are computed`() throws {
        let former = WayfindingMap(Self.sample)
        #expect(former.computedOrdinals == former.mesh.ordinals && former.mesh.ordinals.count == 4)
        #expect(WayfindingMap(Self.sample, reusing: former).computedOrdinals == [])
        // Names and hours make no difference; an opening does, on its floor.
        var features = Self.sample.map { feature in
            var properties = feature.properties
            properties["name"] = ["en": "Renamed"]
            properties["hours"] = "24/7"
            return WayfindingFeature(
                id: feature.id, type: feature.type, properties: properties, geometry: feature.geometry)
        }
        #expect(WayfindingMap(features, reusing: former).computedOrdinals == [])
        let opening = try #require(features.firstIndex { $0.type == .opening })
        let level = features[opening].id("level_id")
        let ordinal = try #require(former.plan.levels.first { $0.id == level }?.ordinal)
        features.remove(at: opening)
        #expect(WayfindingMap(features, reusing: former).computedOrdinals == [ordinal])
    }
}
