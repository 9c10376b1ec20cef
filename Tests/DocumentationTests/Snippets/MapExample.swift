import Foundation
import SampleVenue
import Testing
import VenueSync

// An example of the documentation, and a test that runs it.

/// The results of the queries that an app makes.
struct MapResults {
    let floors: Int
    let units: [UInt8]
    let rooms: [MapFeature]
    let openness: VenueMap.Openness?
    let open: [VenueMap.SearchResult]
    let lifts: [VenueMap.Neighbour]
}

/// Draws what an update changed on the floor that is shown.
func redraw(
    _ map: inout VenueMap, putting entries: [VenueMap.Entry], removing ids: [FeatureID], ordinal: Int,
    draw: (MapChange) -> Void
) {
    let update = map.update(putting: entries, removing: ids)  // a few milliseconds, however large the map is
    for change in update.changes(in: [.ordinal(ordinal)]) { draw(change) }  // what, and from where to where
}

func queryMap(
    _ entries: [VenueMap.Entry], timeZone: String?, language: String?, text: String, at position: Position,
    on level: FeatureID
) -> MapResults {
    let map = VenueMap(entries, timeZone: timeZone, language: language)
    let floors = map.graph.floors  // for a floor picker, highest first
    let units = map.collection(of: .unit, on: level)  // GeoJSON for MapLibre sources and MKGeoJSONDecoder
    let rooms = map.features(at: position, on: level)  // what is at a point, topmost first
    let found = map.search(text, types: [.occupant])  // each with level, ordinal and label point
    let openness = found.first.map { map.openness(of: $0.id, at: .now) }  // open, closed or unknown, and until when
    let open = map.searchOpen(at: .now, limit: 200)  // all shops that are open
    let lifts = map.nearest(3, category: "elevator", from: position, on: level)
    return MapResults(floors: floors.count, units: units, rooms: rooms, openness: openness, open: open, lifts: lifts)
}

@Suite struct MapExampleTests {
    @Test func `map example finds floors, units, rooms and shops`() throws {
        let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 12))
        let entries = venue.features.map { feature in
            VenueMap.Entry(
                id: feature.id, type: feature.type, level: feature["level_id"]?.string.flatMap { FeatureID($0) },
                body: CanonicalJSON.data(.object(feature.body)))
        }
        let shop = try #require(venue.features.first { $0.type == .occupant })
        let name = try #require(shop["name"]?["en"]?.string)
        let map = VenueMap(entries)
        let unit = try #require(map.features.values.first { $0.type == .unit && $0.placement.level != nil })
        let level = try #require(unit.placement.level)
        let point = try #require(map.labelPoint(of: unit.id)?.position)

        let results = queryMap(entries, timeZone: "Asia/Tokyo", language: "ja", text: name, at: point, on: level)
        #expect(results.floors >= 2)
        #expect(String(decoding: results.units, as: UTF8.self).contains(unit.id.description))
        #expect(results.rooms.contains { $0.id == unit.id })
        #expect(results.openness != nil)
        #expect(results.lifts.count <= 3)
        #expect(results.open.allSatisfy { map.features[$0.id]?.type == .occupant })
    }

    @Test func `map example redraws what an update changed`() throws {
        let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 12))
        let level = try #require(venue.features.first { $0.type == .level && $0["ordinal"]?.number == 0 })
        let entry = VenueMap.Entry(
            id: level.id, type: .level, level: nil, body: CanonicalJSON.data(.object(level.body)))
        var map = VenueMap([entry])
        var changes: [MapChange] = []
        redraw(&map, putting: [], removing: [level.id], ordinal: 0) { changes.append($0) }
        #expect(changes.map(\.id) == [level.id] && changes.map(\.kind) == [.removed])
    }

    @Test func `a map of a replica has the time zone of the archive, or the one that the app passes`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "map-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let mall = try #require(VenueKey("mall"))
        let store = try await ReplicaStore.open(folder.appending(path: "mall.sqlite"), for: mall)
        #expect(try await store.map().timeZone == nil)
        let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
        #expect(try await store.map(timeZone: zone).timeZone == zone)
        try store.close()
    }
}
