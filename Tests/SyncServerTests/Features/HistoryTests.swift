import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.server)
struct HistoryTests {
    private struct History: Decodable {
        let versions: [HistoryEntry]

        /// The versions, oldest first.
        var inOrder: [HistoryEntry] { self.versions.sorted { $0.from < $1.from } }
    }

    private static let unit = Handmade.id(4)

    /// A venue with one unit, or none.
    private static func zip(level: Int, name: String, has unit: Bool = true) throws -> [UInt8] {
        let properties: JSONValue = ["level_id": Handmade.reference(level), "name": ["en": .string(name)]]
        return try Handmade.zip(
            [
                Handmade.feature(1, .venue, geometry: Handmade.square()),
                Handmade.feature(2, .level, ["ordinal": 0], geometry: Handmade.square()),
                Handmade.feature(3, .level, ["ordinal": 1], geometry: Handmade.square()),
            ] + (unit ? [Handmade.feature(4, .unit, properties, geometry: Handmade.square(0.0005))] : []))
    }

    @Test func `feature history lists every version with its revisions, author and message`() async throws {
        let harness = Harness.current
        let key = try await harness.makeKey(.publish, named: "ops key")
        try await harness.push(Self.zip(level: 2, name: "A"), query: "?message=first")
        try await harness.push(Self.zip(level: 2, name: "B"), query: "?message=second", key: key)
        try await harness.push(Self.zip(level: 3, name: "B"))
        let path = "/venues/mall/features/\(Self.unit)/history"
        let versions = try await harness.get(History.self, path).inOrder
        #expect(versions.map(\.from) == [1, 2, 3] && versions.map(\.to) == [1, 2, nil])
        #expect(versions.map(\.level) == [Handmade.id(2), Handmade.id(2), Handmade.id(3)])
        #expect(versions.map(\.message) == ["first", "second", nil])
        #expect(versions[1].author == "ops key" && versions[0].author != "ops key")
        #expect(versions[1].classes == ["name"] && versions[2].classes.contains("level"))
        #expect(versions.map { $0.body["properties"]?["name"]?["en"]?.string } == ["A", "B", "B"])
        let times = versions.compactMap(\.publishedAt)
        #expect(times.count == 3 && times == times.sorted())
        let members: Set = ["from", "to", "level_id", "author", "message", "published_at", "classes", "body"]
        let listed = try await harness.send(.get, path.replacing("\(Self.unit)", with: "\(Self.unit)".uppercased()))
            .json
        #expect(listed["versions"]?.array?.allSatisfy { $0.keys.isSuperset(of: members) } == true)
    }

    @Test func `feature history has a gap where the feature did not exist`() async throws {
        let harness = Harness.current
        try await harness.push(Self.zip(level: 2, name: "A"))
        try await harness.set("removal_guard", to: false)
        try await harness.push(Self.zip(level: 2, name: "A", has: false))
        try await harness.send(.get, "/venues/mall/features/\(Self.unit)").problem(404)
        try await harness.push(Self.zip(level: 2, name: "A"))
        let versions = try await harness.get(History.self, "/venues/mall/features/\(Self.unit)/history").inOrder
        #expect(versions.map(\.from) == [1, 3] && versions.map(\.to) == [1, nil])
    }

    @Test func `feature history gains a version by a change or a rollback only`() async throws {
        let harness = Harness.current
        try await harness.push(Self.zip(level: 2, name: "A"))
        try await harness.push(Self.zip(level: 2, name: "B"))
        _ = try await harness.send(.post, "/venues/mall/rollback", json: ["to": 1, "message": "back"])
        let versions = try await harness.get(History.self, "/venues/mall/features/\(Self.unit)/history").inOrder
        #expect(versions.map(\.from) == [1, 2, 3] && versions.last?.message == "back")
        #expect(versions[0].body == versions[2].body)
        let level = try await harness.get(History.self, "/venues/mall/features/\(Handmade.id(2))/history")
        #expect(level.versions.count == 1 && level.versions.first?.from == 1)
    }
}
