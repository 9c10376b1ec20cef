import Foundation
import IMDF
import SyncClient
import SyncModel
import Testing
import VenueMap

/// What an app shows and prints: typed views, labels of a level picker, and descriptions.
struct ViewTests {
    private typealias Snapshot = ScriptedSnapshot

    private static func body(_ number: Int, _ type: String, _ properties: String, geometry: String = "null") -> String {
        """
        {"feature_type":"\(type)","geometry":\(geometry),"id":"\(Snapshot.id(number))","properties":{\(properties)},"type":"Feature"}
        """
    }

    private static let level = """
        {"feature_type":"level","geometry":null,"id":"10000000-0000-4000-8000-000000000001",\
        "properties":{"name":{"en":"Ground floor","ja":"1階"},"ordinal":0,"outdoor":false,"short_name":{"en":"G"}},"type":"Feature"}
        """
    private static let cafe = Self.body(
        1, "occupant",
        #""anchor_id":"00000000-0000-4000-8000-000000000009","category":"cafe","hours":"24/7","name":{"en":"Harbour","ja":"みなと"}"#
    )
    private static let unit = Self.body(2, "unit", #""accessibility":["wheelchair"],"category":"room","name":null"#)

    private static func replica(_ folder: Folder) async throws -> VenueReplica {
        let transport = ScriptedTransport([
            Snapshot.page([.init(nil, [Self.level]), .init(1, [Self.cafe, Self.unit])], cursor: "one", isLast: true)
        ])
        return try await .open(
            folder.file, server: #require(URL(string: "https://maps.example")), venue: #require(VenueKey("mall")),
            key: nil, transport: transport)
    }

    @Test func `typed features have names in a language, and the raw body`() async throws {
        let folder = try Folder()
        let replica = try await Self.replica(folder)
        try await replica.sync()
        let features = try await replica.store.read { try $0.features() }
        let cafe = try #require(features.compactMap { OccupantFeature($0) }.first)
        #expect(cafe.name(in: ["ja-JP"]) == "みなと" && cafe.name(in: ["fr", "en"]) == "Harbour")
        #expect(cafe.category == "cafe" && cafe.hours == "24/7" && cafe.phone == nil && cafe.level == Snapshot.level(1))
        #expect(cafe.anchor?.description == Snapshot.id(9) && cafe.feature.body == Array(Self.cafe.utf8))
        let unit = try #require(features.compactMap { UnitFeature($0) }.first)
        #expect(unit.name(in: ["en"]) == nil && unit.accessibility == ["wheelchair"] && unit.category == "room")
        let level = try #require(features.compactMap { LevelFeature($0) }.first)
        #expect(level.ordinal == 0 && level.shortName?.text() == "G" && !level.isOutdoor)
        #expect(level.name(in: ["ja"]) == "1階" && UnitFeature(cafe.feature) == nil)
    }

    @MainActor @Test func `a level picker has labels, and is told of new floors`() async throws {
        let folder = try Folder()
        let replica = try await Self.replica(folder)
        let observed = ObservableReplica(replica)
        #expect(observed.floors.isEmpty && observed.status.connection == .offline(nil))
        try await replica.sync()
        while observed.floors.isEmpty || observed.status.connection != .current { await Task.yield() }
        #expect(observed.floors.map { $0.pickerLabel(for: ["en"]) } == ["G"])
    }

    @Test func `a removed feature is reported with its name`() throws {
        let kiosk = Self.body(
            3, "amenity", #""category":"atm","name":{"en":"Cash"}"#, geometry: #"{"coordinates":[0,0],"type":"Point"}"#)
        let id = try #require(FeatureID(Snapshot.id(3)))
        var map = VenueMap([.init(id: id, type: .amenity, level: nil, body: Array(kiosk.utf8))])
        let change = try #require(map.update(putting: [], removing: [id]).changes.first)
        #expect(change.kind == .removed && change.new == nil && change.old?.name?.text(for: ["en"]) == "Cash")
    }

    @Test func `whatever is printed is one line without bodies`() async throws {
        let folder = try Folder()
        let replica = try await Self.replica(folder)
        let report = try await replica.sync()
        let store = replica.store
        var changes = try await replica.changes(on: .everything).makeAsyncIterator()
        let update = try #require(try await changes.next())
        let cafe = try #require(try await store.read { try $0.features(type: .occupant) }.first)
        let values: [(Any, String)] = [
            (
                cafe,
                "occupant \(Snapshot.id(1)) on level 10000000-0000-4000-8000-000000000001, \(cafe.body.count) bytes"
            ),
            (try await store.levels()[0], "the venue-wide part, 1 feature"),
            (try await store.state(), "mall at revision 1, all levels"),
            (update, "a snapshot of 3 features at revision 1"), (report, "revision 1: 3 added, 0 changed, 0 removed"),
            (ReplicaChange.removed(cafe), "removed \(cafe)"),
            (ReplicaStatus.Connection.offline(.unauthorized), "offline: \(SyncError.unauthorized)"),
            (FollowEvent.synced(report), "\(report)"),
            (LevelSelection.levels([.ordinal(1), .venueWide]), "ordinal:1, venue"),
        ]
        for (value, text) in values { #expect("\(value)" == text) }
        #expect("\(replica.status)".hasPrefix("current, last current at 20"))
    }
}
