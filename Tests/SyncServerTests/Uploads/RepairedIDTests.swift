import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Archives with ids that cannot be used, through the whole service.
@Suite(.server) struct RepairedIDTests {
    private static func faulty(_ seed: UInt64, count: Int = 3) -> SampleVenue {
        var random = SplitMix64(seed: seed)
        var venue = SampleVenue.tiny
        venue.damageIDs(count: count, using: &random)
        return venue
    }

    @Test(arguments: 0..<3 as Range<UInt64>)
    func `repaired archive is unchanged when it, its export or the same with other formatting is uploaded`(
        seed: UInt64
    ) async throws {
        let harness = Harness.current
        var venue = Self.faulty(seed)
        #expect(try await harness.push(venue.archive()).state == .published)
        let before = try await harness.sync()
        #expect(try await harness.push(venue.archive()).state == .unchanged)
        for query in ["", "?strict=true", "?overrides=false"] {
            let export = try await harness.send(.get, "/venues/mall/revisions/1/archive.zip\(query)")
            #expect(try await harness.push([UInt8](export.data)).state == .unchanged, "\(query)")
            #expect(try await harness.push([UInt8](export.data), query: "?ids=strict").state == .unchanged)
        }
        _ = venue.apply(try Edit.parse(list: "noise"), seed: seed)
        #expect(try await harness.push(venue.archive()).state == .unchanged)
        let after = try await harness.sync("since=\(before.cursor)")
        #expect(after.blocks.isEmpty && after.cursor == before.cursor)
    }

    @Test func `a feature is found by the id that archives have in the place of a UUID`() async throws {
        let harness = Harness.current
        var random = SplitMix64(seed: 3)
        var venue = SampleVenue.tiny
        venue.damageIDs([.text, .number], count: 4, using: &random)
        try await harness.push(venue.archive())
        let blocks = try await harness.send(.get, "/venues/mall/revisions/1/features").json["features"]?.array ?? []
        let repaired = blocks.filter { $0["original_id"] != nil }
        #expect(repaired.count > 3)
        for feature in repaired {
            let (id, original) = (try #require(feature["id"]?.string), try #require(feature["original_id"]?.string))
            let name = try #require(original.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let response = try await harness.send(.get, "/venues/mall/features/\(name)")
            #expect(try response.json == feature, "\(original)")
            #expect(response.headers[.contentLocation] == "/venues/mall/features/\(id)")
            let history = try await harness.send(.get, "/venues/mall/features/\(name)/history")
            #expect(try history.json["versions"]?.array?.count == 1)
            #expect(history.headers[.contentLocation] == "/venues/mall/features/\(id)/history")
        }
        for other in ["nothing", "%20", "L%ZZ", String(repeating: "a", count: 2_000)] {
            try await harness.send(.get, "/venues/mall/features/\(other)").problem(404)
        }
    }

    @Test func `when a tool writes UUIDs at last, its features keep what they were`() async throws {
        let harness = Harness.current
        var random = SplitMix64(seed: 7)
        var venue = SampleVenue.tiny
        // Of two features that share an id, the one that kept it would be taken for the other one.
        venue.damageIDs([.text, .number, .whiteSpace, .inProperties, .repeated], count: 3, using: &random)
        try await harness.push(venue.archive())
        let faults = venue.style.idFaults.values.count {
            switch $0 {
            case .text, .number: true
            case .shared, .whiteSpace, .inProperties, .repeated: false
            }
        }
        for index in venue.features.indices where venue.style.idFaults[venue.features[index].id] == .inProperties {
            venue.features[index]["id"] = .string(venue.features[index].id.description)
        }
        venue.style.idFaults = [:]
        let upload = try await harness.push(venue.archive())
        #expect(
            upload.state == .unchanged && upload.identity?.matched == faults, "\(String(describing: upload.identity))")
    }

    @Test func `when a tool writes lists at last, nothing has changed`() async throws {
        let harness = Harness.current
        var random = SplitMix64(seed: 4)
        let venue = SampleVenue.tiny
        var written = venue
        #expect(written.writeListsAsText(using: &random) > 0)
        #expect(try await harness.push(written.archive()).state == .published)
        #expect(try await harness.push(venue.archive()).state == .unchanged)
    }

    @Test func `edits and corrections of features with repaired ids survive the next upload`() async throws {
        let harness = Harness.current
        var venue = Self.faulty(9)
        try await harness.push(venue.archive())
        _ = venue.apply(try Edit.parse(list: "rename=2,hours=1"), seed: 4)
        let next = try await harness.push(venue.archive())
        #expect(next.state == .published && next.identity?.new == 0 && next.identity?.gone == 0)
        #expect(next.identity?.matched == 0 && next.identity?.near == 0)
    }

    @Test func `with strict ids the same archive is rejected, and the report is about all of it`() async throws {
        let harness = Harness.current
        var venue = Self.faulty(5)
        let unit = try #require(venue.features.firstIndex { $0.type == .unit && venue.style.idFaults[$0.id] == nil })
        venue.features[unit]["category"] = "no such room"
        let upload = try await harness.push(venue.archive(), query: "?ids=strict")
        #expect(upload.state == .rejected)
        let report = try await harness.send(.get, "/uploads/\(upload.id)/findings").json
        let rules = Set(try #require(report["findings"]?.array).compactMap { $0["rule"]?.string })
        #expect(rules.isSuperset(of: ["ST-08", "ST-09", "ST-10", "RQ-02"]), "\(rules.sorted())")
        let accepted = try await harness.push(venue.archive(), query: "?ids=repair")
        #expect(accepted.state == .published)
        try await harness.send(.post, "/venues/mall/uploads?ids=guess").problem(400)
    }
}
