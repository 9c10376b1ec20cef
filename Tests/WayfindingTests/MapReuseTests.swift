import Foundation
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

    /// Shafts, obstacles and what can be reached.
    private func expectSamePassages(_ one: WayfindingMap, _ other: WayfindingMap, _ step: Int) {
        let (first, second) = (one.shafts, other.shafts)
        #expect(first.shafts.count == second.shafts.count, "shafts after step \(step)")
        for (shaft, other) in zip(first.shafts, second.shafts) {
            #expect(shaft.mode == other.mode && shaft.relationship == other.relationship)
            #expect(shaft.isDirected == other.isDirected && shaft.stops == other.stops)
        }
        #expect(first.stops.count == second.stops.count, "stops after step \(step)")
        for (stop, other) in zip(first.stops, second.stops) {
            #expect(stop.space == other.space && stop.portal == other.portal && stop.point == other.point)
            #expect(stop.triangles == other.triangles && stop.level == other.level && stop.behind == other.behind)
        }
        #expect(first.stopsOfSpace == second.stopsOfSpace && first.stopsOfTriangle == second.stopsOfTriangle)
        #expect(first.isExhausted == second.isExhausted)
        #expect(one.rules.spaces == other.rules.spaces && one.rules.portals == other.rules.portals)
        #expect(one.rules.shafts == other.rules.shafts)
        #expect(one.reachabilityReport() == other.reachabilityReport(), "what is reached after step \(step)")
    }

    private static let seeds: Range<UInt64> =
        ProcessInfo.processInfo.environment["VENUE_LONG_TESTS"] == nil ? 0..<4 : 0..<60

    @Test(arguments: Self.seeds)
    func `after any history of changes a map equals a new one`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var features = Self.sample
        var map = WayfindingMap(features, language: "ja-JP")
        for step in 0..<16 {
            Change.allCases.randomElement(using: &random)?.apply(to: &features, Self.sample, &random)
            map = WayfindingMap(features, language: "ja-JP", reusing: map)
            let fresh = WayfindingMap(features, language: "ja-JP")
            self.expectSame(map, fresh, step)
            self.expectSamePassages(map, fresh, step)
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

/// A random change of a venue.
private enum Change: CaseIterable {
    case featureGoes, levelGoes, mostReturn, oneMoves, everythingMoves, ordinal, unitCategory, openingCategory, level
    case onTop, hours

    private static let categories = ["room", "nonpublic", "elevator", "stairs", "column", "ramp", "walkway"]

    func apply(to features: inout [WayfindingFeature], _ sample: [WayfindingFeature], _ random: inout SplitMix64) {
        let levels = features.filter { $0.type == .level }
        switch self {
        case .featureGoes:
            guard let index = features.indices.randomElement(using: &random) else { return }
            features.remove(at: index)
        case .levelGoes:
            // Everything of a level goes, and later it returns.
            guard levels.count > 1, let level = levels.randomElement(using: &random) else { return }
            features.removeAll { $0.id("level_id") == level.id || $0.id == level.id }
        case .mostReturn: features = sample.filter { _ in Int.random(in: 0..<20, using: &random) > 0 }
        case .oneMoves:
            let degrees = Double.random(in: 1e-8..<3e-6, using: &random)
            Self.replaceOne(of: [.unit, .opening], in: &features, &random) { _, geometry in
                geometry = Self.moved(geometry, by: degrees)
            }
        case .everythingMoves:
            let degrees = Bool.random(using: &random) ? 1e-6 : 4e-3
            features = features.map {
                Self.replaced($0) { _, geometry in geometry = Self.moved(geometry, by: degrees) }
            }
        case .ordinal:
            let ordinal = Double(Int.random(in: -1..<5, using: &random))
            Self.replaceOne(of: [.level], in: &features, &random) { properties, _ in
                properties["ordinal"] = .number(ordinal)
            }
        case .unitCategory:
            let category = Self.categories.randomElement(using: &random) ?? ""
            let isFirst = Bool.random(using: &random)
            Self.replaceOne(of: [.unit], in: &features, isFirst: isFirst, &random) { properties, _ in
                properties["category"] = .string(category)
            }
        case .openingCategory:
            let categories = ["pedestrian", "emergencyexit", "pedestrian.principal"]
            let category = categories.randomElement(using: &random) ?? ""
            Self.replaceOne(of: [.opening], in: &features, &random) { properties, _ in
                properties["category"] = .string(category)
            }
        case .level:
            guard let level = levels.randomElement(using: &random) else { return }
            Self.replaceOne(of: [.unit, .opening], in: &features, &random) { properties, _ in
                properties["level_id"] = .string(level.id.description)
            }
        case .onTop:
            // The first unit, whose category changes more often than that of others, lies on another one.
            let units = features.filter { $0.type == .unit && $0.geometry != .null }
            guard let other = units.randomElement(using: &random) else { return }
            Self.replaceOne(of: [.unit], in: &features, isFirst: true, &random) { properties, geometry in
                properties["level_id"] = other.properties["level_id"]
                geometry = Self.shrunk(other.geometry)
            }
        case .hours:
            Self.replaceOne(of: [.unit, .opening, .relationship], in: &features, &random) { properties, _ in
                properties["hours"] = "24/7"
                properties["restriction"] = "employeesonly"
            }
        }
    }

    private typealias Edit = (_ properties: inout JSONObject, _ geometry: inout JSONValue) -> Void

    private static func replaced(_ feature: WayfindingFeature, _ edit: Edit) -> WayfindingFeature {
        var (properties, geometry) = (feature.properties, feature.geometry)
        edit(&properties, &geometry)
        return WayfindingFeature(id: feature.id, type: feature.type, properties: properties, geometry: geometry)
    }

    private static func replaceOne(
        of types: Set<FeatureType>, in features: inout [WayfindingFeature], isFirst: Bool = false,
        _ random: inout SplitMix64, _ edit: Edit
    ) {
        let indices = features.indices.filter { types.contains(features[$0].type) }
        guard let index = isFirst ? indices.first : indices.randomElement(using: &random) else { return }
        features[index] = Self.replaced(features[index], edit)
    }

    /// A geometry with another position for each.
    private static func mapped(_ geometry: JSONValue, _ position: ([Double]) -> [Double]) -> JSONValue {
        func mapped(_ value: JSONValue) -> JSONValue {
            guard let values = value.array else { return value }
            let numbers = values.compactMap(\.number)
            if !numbers.isEmpty { return .array(position(numbers).map { .number($0) }) }
            return .array(values.map(mapped))
        }
        guard var object = geometry.object, let coordinates = object["coordinates"] else { return geometry }
        object["coordinates"] = mapped(coordinates)
        return .object(object)
    }

    private static func moved(_ geometry: JSONValue, by degrees: Double) -> JSONValue {
        self.mapped(geometry) { [$0[0] + degrees, $0[1] - degrees] }
    }

    /// A geometry of a third of the size around the middle of its positions.
    private static func shrunk(_ geometry: JSONValue) -> JSONValue {
        var (sum, count) = ([0.0, 0.0], 0.0)
        _ = self.mapped(geometry) { position in
            sum = [sum[0] + position[0], sum[1] + position[1]]
            count += 1
            return position
        }
        let middle = sum.map { $0 / max(count, 1) }
        return self.mapped(geometry) { [middle[0] + ($0[0] - middle[0]) / 3, middle[1] + ($0[1] - middle[1]) / 3] }
    }
}
