import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.server)
struct SyncTests {
    @Test func `sync without a cursor returns a full snapshot, and then only changes`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        let first = try await harness.sync()
        #expect(first.from == nil && first.to == 1 && first.isComplete)
        #expect(
            first.blocks.count == venue.ids(of: .level).count + 1
                && first.blocks.allSatisfy { $0.kind == .snapshot })
        #expect(first.blocks.reduce(0) { $0 + $1.features.count } == venue.features.count)
        let next = venue.edited(Edit(.rename, 2), Edit(.add, 1), Edit(.remove, 1))
        try await harness.push(next.archive())
        let changes = try await harness.sync("since=\(first.cursor)")
        #expect(changes.from == 1 && changes.to == 2 && changes.blocks.allSatisfy { $0.kind == .changes })
        let bodies = Set(changes.blocks.flatMap(\.features))
        let expected = next.features(otherThanIn: venue).map { CanonicalJSON.data(.object($0.body)) }
        #expect(bodies == Set(expected))
        let removed = Set(changes.blocks.flatMap { $0.removed.map(\.id) })
        #expect(removed == Set(venue.bodies.keys).subtracting(next.bodies.keys))
        #expect(changes.blocks.flatMap(\.removed).allSatisfy { $0.reason == .deleted })
    }

    @Test func `change set has its venue, revisions, digest and description`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.set("time_zone", to: "Asia/Tokyo")
        let response = try await harness.send(.get, "/venues/mall/sync")
        #expect(response.headers[.contentType]?.hasPrefix("application/json") == true)
        let document = try response.json
        let members: Set = ["protocol", "venue", "from", "to", "digest", "about", "complete", "cursor", "levels"]
        #expect(document.keys.isSuperset(of: members))
        #expect(document["protocol"] == 1 && document["venue"] == "mall" && document["from"]?.isNull == true)
        #expect(document["to"] == 1 && document["complete"] == true)
        #expect(document["about"] == ["language": "ja-JP", "time_zone": "Asia/Tokyo", "country": "JP"])
        let cursor = try #require(document["cursor"]?.string)
        #expect(cursor.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
        let venue = try await harness.get(Venue.self, "/venues/mall")
        #expect(document["digest"]?.string == venue.digest.description)
        let blocks = try #require(document["levels"]?.array)
        for block in blocks {
            #expect(block.keys.isSuperset(of: ["level_id", "ordinal", "kind", "digest", "features", "removed"]))
            #expect(block["kind"] == "snapshot" && block["removed"] == [])
            let state = venue.levels.first { $0.level?.description == block["level_id"]?.string }
            #expect(state?.digest.description == block["digest"]?.string)
            #expect(state?.ordinal.map { Double($0) } == block["ordinal"]?.number)
        }
        #expect(blocks[0]["level_id"]?.isNull == true && blocks[0]["ordinal"]?.isNull == true)
    }

    @Test func `change set has each stored body byte for byte on a line of its own, and no other JSON line`()
        async throws
    {
        let harness = Harness.current
        let venue = SampleVenue.extended
        try await harness.push(venue.archive())
        let stored = Set(try await harness.features(at: 1))
        #expect(stored == Set(venue.bodies.values))
        let text = Array(try await harness.send(.get, "/venues/mall/sync").data)
        var lines: [[UInt8]] = []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let line = Array(line.last == UInt8(ascii: ",") ? line.dropLast() : line)
            if line.first == UInt8(ascii: "{"), (try? JSONReader.value(of: line)) != nil { lines.append(line) }
        }
        #expect(lines.count == stored.count && Set(lines) == stored)
        #expect(try lines.allSatisfy { try CanonicalJSON.data(JSONReader.value(of: $0)) == $0 })
    }

    @Test func `sync without changes returns no blocks and the same cursor`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let first = try await harness.sync()
        let empty = try await harness.sync("since=\(first.cursor)")
        #expect(empty.blocks.isEmpty && empty.isComplete && empty.cursor == first.cursor)
        #expect(empty.from == 1 && empty.to == 1 && empty.digest == first.digest && empty.about == first.about)
    }

    @Test func `sync after a renamed shop returns that one feature only`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        let cursor = try await harness.sync().cursor
        let next = venue.edited(Edit(.rename, 1))
        try await harness.push(next.archive())
        let changes = try await harness.sync("since=\(cursor)")
        let renamed = try #require(next.features(otherThanIn: venue).first)
        #expect(changes.blocks.count == 1 && changes.blocks[0].removed.isEmpty)
        #expect(changes.blocks[0].features == [CanonicalJSON.data(.object(renamed.body))])
    }

    @Test func `sync skips features added and removed in between, and sends repeated changes once`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        try await harness.push(venue.archive())
        let cursor = try await harness.sync().cursor
        try await harness.push(venue.edited(Edit(.add, 3), Edit(.rename, 2), seed: 5).archive())
        try await harness.push(venue.edited(Edit(.rename, 1), seed: 6).archive())
        let once = try await harness.sync("since=\(cursor)")
        #expect(once.to == 3 && once.blocks.reduce(0) { $0 + $1.features.count } == 1)
        #expect(once.blocks.allSatisfy { $0.removed.isEmpty })
        try await harness.push(venue.archive())
        let nothing = try await harness.sync("since=\(cursor)")
        #expect(nothing.to == 4 && nothing.blocks.isEmpty && nothing.cursor != cursor)
    }

    @Test func `sync reports a moved feature on both levels`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.tiny
        let next = venue.edited(Edit(.relevel, 1))
        try await harness.push(venue.archive())
        let cursor = try await harness.sync().cursor
        try await harness.push(next.archive())
        let unit = try #require(next.features(otherThanIn: venue).first { $0.type == .unit })
        let from = try #require(venue.feature(unit.id)?["level_id"]?.string.flatMap(FeatureID.init))
        let to = try #require(unit["level_id"]?.string.flatMap(FeatureID.init))
        let changes = try await harness.sync("since=\(cursor)")
        let left = try #require(changes.blocks.first { $0.level == from }?.removed.first { $0.id == unit.id })
        #expect(left.reason == .moved && left.movedTo == to && left.type == .unit)
        let body = CanonicalJSON.data(.object(unit.body))
        #expect(changes.blocks.first { $0.level == to }?.features.contains(body) == true)
        let response = try await harness.send(.get, "/venues/mall/sync?since=\(cursor)").json
        let block = response["levels"]?.array?.first { $0["level_id"]?.string == from.description }
        let removal = block?["removed"]?.array?.first { $0["id"]?.string == unit.id.description }
        let expected: JSONValue = [
            "id": .string(unit.id.description), "feature_type": "unit", "reason": "moved",
            "moved_to": .string(to.description),
        ]
        #expect(removal == expected)
        // A client that does not select the new level loses the feature.
        let half = try await harness.sync("since=\(cursor)&level=\(from)")
        #expect(half.blocks.first { $0.level == from }?.removed.map(\.id).contains(unit.id) == true)
        #expect(!half.blocks.flatMap(\.features).contains(body))
    }

    @Test func `sync orders blocks, features and removals for readers that stream`() async throws {
        let harness = Harness.current
        let venue = SampleVenue.extended
        try await harness.push(venue.archive())
        let snapshot = try await harness.sync()
        let positions = snapshot.blocks.map { ($0.ordinal, $0.level) }
        #expect(positions.first.map { $0.0 == nil && $0.1 == nil } == true)
        for (one, other) in zip(positions.dropFirst(), positions.dropFirst(2)) {
            let (here, there) = (try #require(one.0), try #require(other.0))
            let (level, next) = (try #require(one.1), try #require(other.1))
            #expect((here, level) < (there, next))
        }
        for block in snapshot.blocks {
            let types = try block.features.compactMap { try JSONReader.value(of: $0)["feature_type"]?.string }
            let ranks = types.map { FeatureType(rawValue: $0).rank }
            #expect(ranks.count == block.features.count)
            #expect(ranks == ranks.sorted())
        }
        let next = venue.edited(Edit(.removeFloor), Edit(.remove, 3))
        try await harness.set("removal_guard", to: false)
        try await harness.push(next.archive())
        let changes = try await harness.sync("since=\(snapshot.cursor)")
        for block in changes.blocks {
            let ranks = block.removed.map(\.type.rank)
            #expect(ranks == ranks.sorted(by: >))
        }
    }
}
