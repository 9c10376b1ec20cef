import IMDF
import IMDFArchive
import SampleVenue
import Testing

/// The generated venue is drawn on whole 10⁻⁷ degrees, so everything here is exact.
struct GeometryTests {
    private static let options: [SampleVenue.Options] = [
        .init(levels: 3, unitsPerLevel: 60, seed: 1), .init(levels: 2, unitsPerLevel: 4, seed: 2),
        .init(levels: 2, unitsPerLevel: 11, seed: 3), .init(levels: 1, unitsPerLevel: 120, seed: 4),
    ]

    private func target(
        _ member: String, _ feature: SampleFeature, _ byID: [FeatureID: SampleFeature]
    ) -> SampleFeature? {
        feature[member]?.string.flatMap(FeatureID.init).flatMap { byID[$0] }
    }

    @Test(arguments: options)
    func `units tile their level`(options: SampleVenue.Options) throws {
        let venue = SampleVenue(options)
        let units = Dictionary(grouping: venue.features(.unit)) { $0["level_id"]?.string ?? "" }
        for level in venue.features(.level) {
            let own = try #require(units[level.id.description])
            // Equal areas, no corner outside the level and none inside another unit: so no gap and no overlap.
            #expect(own.reduce(0) { $0 + $1.twiceTheArea } == level.twiceTheArea)
            for unit in own {
                let corners = unit.rings.joined()
                #expect(corners.allSatisfy(level.covers))
                let isClear = own.allSatisfy { other in
                    !corners.contains { corner in
                        other.covers(corner) && !other.rings.contains { isOn($0, corner) }
                    }
                }
                #expect(isClear, "\(unit.id)")
            }
        }
    }

    @Test(arguments: options)
    func `rings are closed, outer ones counter-clockwise and holes clockwise`(options: SampleVenue.Options) {
        for feature in SampleVenue(options).features where feature.geometry["type"] == "Polygon" {
            for (index, ring) in feature.rings.enumerated() {
                #expect(ring.first == ring.last && ring.count >= 4)
                #expect(Set(ring).count == ring.count - 1)
                #expect((doubledArea(of: ring) > 0) == (index == 0))
            }
        }
    }

    @Test(arguments: options)
    func `points lie in their units, and anchors have distinct positions`(options: SampleVenue.Options) throws {
        let venue = SampleVenue(options)
        let byID = venue.byID
        var taken: Set<[JSONValue]> = []
        for feature in venue.features where feature.type == .anchor || feature.type == .amenity {
            let ids = feature["unit_ids"]?.array ?? [feature["unit_id"] ?? .null]
            let position = GridPosition(try #require(feature.geometry["coordinates"]))
            for id in ids {
                let unit = try #require(id.string.flatMap(FeatureID.init).flatMap { byID[$0] })
                #expect(unit.covers(position), "\(feature.type.rawValue) \(feature.id)")
                let key: [JSONValue] = [.string(feature.type.rawValue), unit["level_id"] ?? .null, feature.geometry]
                #expect(taken.insert(key).inserted, "\(feature.type.rawValue) \(feature.id)")
            }
        }
    }

    @Test(arguments: options)
    func `openings lie on the boundary of a unit and have the width of doors`(options: SampleVenue.Options) throws {
        let venue = SampleVenue(options)
        // A way into a building lies on the plaza's boundary too, but its own level has it.
        let units = Dictionary(grouping: venue.features(.unit)) { $0["level_id"] ?? .null }
        for opening in venue.features(.opening) {
            let line = (opening.geometry["coordinates"]?.array ?? []).map(GridPosition.init)
            let own = try #require(units[opening["level_id"] ?? .null])
            #expect(own.contains { unit in unit.rings.contains { ring in line.allSatisfy { isOn(ring, $0) } } })
            // Ninety units to the metre northwards, a hundred and ten eastwards.
            #expect(max(abs(line[0].x - line[1].x) / 110, abs(line[0].y - line[1].y) / 90) < 45)
            #expect(max(abs(line[0].x - line[1].x) * 100 / 110, abs(line[0].y - line[1].y) * 100 / 90) > 85)
        }
    }

    @Test(arguments: options)
    func `levels, footprints, sections and fixtures lie within their containers`(options: SampleVenue.Options) throws {
        let venue = SampleVenue(options)
        let byID = venue.byID
        let site = try #require(venue.features(.venue).first)
        for feature in venue.features where feature.geometry != .null {
            if let level = self.target("level_id", feature, byID), feature.type != .opening, feature.type != .detail {
                #expect(feature.rings.joined().allSatisfy(level.covers), "\(feature.type.rawValue) \(feature.id)")
            }
            #expect(feature.rings.joined().allSatisfy(site.covers))
            if let point = feature["display_point"], !point.isNull, !feature.rings.isEmpty {
                let position = GridPosition(try #require(point["coordinates"]))
                #expect(feature.covers(position), "\(feature.type.rawValue) \(feature.id)")
            }
        }
        let footprints = Set(venue.features(.footprint).map { [$0["building_ids"], $0.geometry] })
        for level in venue.features(.level) where level["outdoor"] == false {
            #expect(footprints.contains([level["building_ids"], level.geometry]))
        }
        let units = Dictionary(grouping: venue.features(.unit)) { $0["level_id"] ?? .null }
        for thing in venue.features where thing.type == .kiosk || thing.type == .fixture {
            let around = try #require(units[thing["level_id"] ?? .null])
            #expect(around.contains { unit in thing.rings.joined().allSatisfy(unit.covers) })
        }
    }

    @Test func `coordinates have seven decimals`() throws {
        for file in SampleVenue(.small).files() where file.name == "unit.geojson" {
            let text = String(decoding: file.content, as: UTF8.self)
            let longest = text.matches(of: /1(39|40)\.([0-9]+)/).map(\.output.2.count).max()
            #expect(longest == 7)
        }
    }
}
