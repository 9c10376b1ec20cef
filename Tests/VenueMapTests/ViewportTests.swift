import IMDF
import Testing
import VenueMap

@Suite struct ViewportTests {
    /// Two floors with a unit each, a shop in the lower one, a lift through both, and the venue.
    private static let map = VenueMap([
        .init(1, .level, ["ordinal": 0], geometry: Make.polygon(Make.square(0, 0, 10))),
        .init(2, .level, ["ordinal": 1], geometry: Make.polygon(Make.square(0, 0, 10))),
        .init(5, .venue, ["name": "Mall"], geometry: Make.polygon(Make.square(-5, -5, 30))),
        .init(10, .unit, on: 1, ["name": "Hall"], geometry: Make.polygon(Make.square(0, 0, 4), Make.square(1, 1, 1))),
        .init(11, .unit, on: 2, geometry: Make.polygon(Make.square(6, 6, 2))),
        .init(20, .anchor, on: 1, ["unit_id": Make.id(10)], geometry: Make.point(3, 3)),
        .init(21, .occupant, on: 1, ["anchor_id": Make.id(20), "name": "Shop"]),
        .init(
            30, .amenity, touching: [1, 2], ["unit_ids": [Make.id(10), Make.id(11)], "category": "elevator"],
            geometry: Make.point(3, 3)),
        .init(
            31, .amenity, on: 1, ["unit_ids": [Make.id(10)]],
            geometry: ["type": "LineString", "coordinates": [[0, 0], [3, 0]]]),
    ])

    private func ids(
        _ west: Double, _ south: Double, _ east: Double, _ north: Double, _ scope: LevelSelection = .everything,
        types: Set<FeatureType>? = nil, limit: Int = .max
    ) -> [UInt64] {
        let box = BoundingBox(west: west, south: south, east: east, north: north)
        return Self.map.features(in: box, scope: scope, types: types, limit: limit).map(\.id.low)
    }

    @Test func `features in a rectangle are those that have a part in it, in a stable order`() {
        #expect(self.ids(-90, -90, 90, 90) == [5, 1, 2, 10, 11, 20, 30, 31, 21])
        #expect(self.ids(5, 5, 7, 7) == [5, 1, 2, 11])
        #expect(self.ids(7, 7, 5, 5) == [5, 1, 2, 11], "the sides may be in either order")
        #expect(self.ids(3, 3, 3, 3) == [5, 1, 2, 10, 20, 30, 21])
        #expect(self.ids(50, 50, 60, 60).isEmpty)
        #expect(self.ids(-90, -90, 90, 90, limit: 3) == [5, 1, 2])
        #expect(self.ids(-90, -90, 90, 90, limit: -1).isEmpty)
        #expect(self.ids(-90, -90, 90, 90, types: [.unit]) == [10, 11])
    }

    @Test func `features in a rectangle are limited to levels or an ordinal`() {
        #expect(self.ids(-90, -90, 90, 90, [.ordinal(0)]) == [1, 10, 20, 30, 31, 21])
        #expect(self.ids(-90, -90, 90, 90, [.level(FeatureID(2))]) == [2, 11, 30])
        #expect(self.ids(-90, -90, 90, 90, [.level(FeatureID(2)), .venueWide]) == [5, 2, 11, 30])
        #expect(self.ids(-90, -90, 90, 90, [.venueWide]) == [5])
        #expect(self.ids(-90, -90, 90, 90, [.ordinal(7)]).isEmpty)
    }

    @Test func `a feature's geometry consists of positions`() throws {
        let hall = try #require(Self.map.features[FeatureID(10)]?.geometry)
        guard case .polygons(let polygons) = hall else { throw Missing() }
        #expect(polygons.map(\.count) == [2])
        #expect(polygons[0][0].first == Position(longitude: 0, latitude: 0))
        #expect(polygons[0].allSatisfy { $0.first == $0.last && $0.count == 5 })
        #expect(Self.map.features[FeatureID(20)]?.geometry == .points([Position(longitude: 3, latitude: 3)]))
        let line = [Position(longitude: 0, latitude: 0), Position(longitude: 3, latitude: 0)]
        #expect(Self.map.features[FeatureID(31)]?.geometry == .lines([line]))
        #expect(Self.map.features[FeatureID(21)]?.geometry == nil)
    }

    private struct Missing: Error {}

    @Test func `a feature has levels, ordinals, a unit and an anchor`() {
        #expect(Self.map.levels(of: FeatureID(30)).map(\.id.low) == [2, 1])
        #expect(Self.map.ordinals(of: FeatureID(30)) == [0, 1])
        #expect(Self.map.ordinals(of: FeatureID(21)) == [0])
        #expect(Self.map.levels(of: FeatureID(1)).map(\.id.low) == [1])
        #expect(Self.map.levels(of: FeatureID(5)).isEmpty && Self.map.levels(of: FeatureID(99)).isEmpty)
        #expect(Self.map.unit(of: FeatureID(21)) == FeatureID(10))
        #expect(Self.map.unit(of: FeatureID(20)) == FeatureID(10))
        #expect(Self.map.unit(of: FeatureID(31)) == FeatureID(10))
        #expect(Self.map.unit(of: FeatureID(30)) == nil, "a lift is in several units")
        #expect(Self.map.anchor(of: FeatureID(21)) == FeatureID(20))
        #expect(Self.map.anchor(of: FeatureID(10)) == nil)
        #expect(Self.map.occupants(of: FeatureID(10)) == [FeatureID(21)])
        #expect(Self.map.amenities(of: FeatureID(10)) == [FeatureID(30), FeatureID(31)])
        #expect(Self.map.occupants(of: FeatureID(11)).isEmpty)
    }

    private func labels(
        _ zoom: Double, _ scope: LevelSelection = .everything, spacing: Double = 0, tileSize: Int = 512,
        limit: Int = .max
    ) -> [UInt64] {
        let box = BoundingBox(west: -90, south: -80, east: 90, north: 80)
        return Self.map.labels(
            in: box, scope: scope, zoom: zoom, tileSize: tileSize, spacing: spacing, limit: limit
        ).map(\.id.low)
    }

    @Test func `labels come by priority, from their minimum zoom on`() {
        #expect(self.labels(17) == [21, 30, 31, 10, 5])
        #expect(self.labels(16.9) == [21, 10, 5])
        #expect(self.labels(15) == [10, 5])
        #expect(self.labels(9.9).isEmpty)
        #expect(self.labels(16, tileSize: 256) == [10, 5], "zoom 15 with tiles of 512 pixels")
        #expect(self.labels(17, limit: 2) == [21, 30])
        #expect(self.labels(17, [.ordinal(1)]) == [30])
        let corner = BoundingBox(west: 2.9, south: 2.9, east: 3.1, north: 3.1)
        #expect(Self.map.labels(in: corner, zoom: 20).map(\.id.low) == [21, 30])
    }

    @Test func `labels near a more important one are left out`() {
        #expect(self.labels(17, spacing: 1) == [21, 31, 10, 5])
        #expect(self.labels(17, spacing: 1e12) == [21])
        #expect(self.labels(17, spacing: 1e-300) == [21, 30, 31, 10, 5])
    }
}
