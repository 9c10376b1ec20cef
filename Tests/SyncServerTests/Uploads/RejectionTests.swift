import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Archives that cannot be versioned.
@Suite(.server)
struct RejectionTests {
    private static let venue = Handmade.feature(1, .venue, geometry: Handmade.square())
    private static let level = Handmade.feature(2, .level, ["ordinal": 0], geometry: Handmade.square())

    /// The rules that reject archives.
    private static let blocking = ["ST-01", "ST-02", "ST-03", "ST-06", "ST-08", "ST-09", "ST-10", "ST-11", "ST-16"]

    /// The errors for which an archive is rejected.
    private static func findings(
        of zip: [UInt8], query: String = "", in harness: Harness
    ) async throws -> [JSONValue] {
        let upload = try await harness.push(zip, query: query)
        #expect(upload.state == .rejected && upload.revision == nil && upload.finishedAt != nil)
        #expect(upload.findings.complete && upload.findings.error > 0)
        let report = try await harness.send(.get, "/uploads/\(upload.id)/findings").json
        #expect(report.keys.isSuperset(of: ["findings", "counts", "truncated", "next"]))
        #expect(report["truncated"] == false && report["next"]?.isNull == true)
        let findings = try #require(report["findings"]?.array)
        let members: Set = ["rule", "severity", "message", "feature_id", "feature_type", "file", "pointer", "at"]
        for finding in findings {
            #expect(finding.keys.isSuperset(of: members) && finding["message"]?.string?.isEmpty == false)
            let rule = try #require(finding["rule"]?.string)
            #expect(report["counts"]?[rule]?.number == Double(findings.count { $0["rule"]?.string == rule }))
        }
        #expect(findings.count { $0["severity"] == "error" } == upload.findings.error)
        return findings.filter { $0["severity"] == "error" && Self.blocking.contains($0["rule"]?.string ?? "") }
    }

    @Test func `upload that is no valid zip is rejected`() async throws {
        let harness = Harness.current
        let whole = try SampleVenue.tiny.archive()
        for zip in [Array("no zip at all".utf8), Array(whole.dropLast(30)), Array(whole.dropFirst(1_000))] {
            let findings = try await Self.findings(of: zip, in: harness)
            #expect(findings.map { $0["rule"]?.string } == ["ST-01"])
        }
    }

    @Test func `malformed JSON is reported with its file and position`() async throws {
        let harness = Harness.current
        let broken = ArchiveFile(
            name: "unit.geojson", content: Array("{\"type\":\"FeatureCollection\",\n\"features\":[,]}".utf8))
        let findings = try await Self.findings(of: Handmade.zip([Self.venue], and: [broken]), in: harness)
        try #require(findings.count == 1)
        #expect(findings[0]["rule"] == "ST-06" && findings[0]["file"] == "unit.geojson")
        #expect(findings[0]["pointer"]?.string?.hasPrefix("2:") == true)
    }

    @Test func `NUL character where PostgreSQL does not allow it is reported as a finding`() async throws {
        let harness = Harness.current
        let odd = Handmade.feature(3, FeatureType(rawValue: "a\0b"))
        let file = ArchiveFile(name: "odd.geojson", content: Handmade.collection([odd]))
        let type = try await Self.findings(of: Handmade.zip([Self.venue], and: [file]), in: harness)
        #expect(type.map { $0["rule"]?.string } == ["ST-11"])
        // The name is in the directory and in the local header, which must agree.
        let named = try Handmade.zip(
            [Self.venue], and: [ArchiveFile(name: "nulXname.json", content: Array("{}".utf8))])
        let entry = try await Self.findings(of: Self.replacing("nulXname", "nul\0name", in: named), in: harness)
        #expect(entry.map { $0["rule"]?.string } == ["ST-03"])
        #expect(entry.first?["file"]?.string == "nul\u{2400}name.json")
    }

    @Test func `NUL character in metadata of the venue is left out`() async throws {
        let harness = Harness.current
        let address = Handmade.feature(4, .address, ["country": "\0x", "locality": "a\0b"])
        let venue = Handmade.feature(
            1, .venue, ["address_id": Handmade.reference(4), "name": ["en": "a\0b"]], geometry: Handmade.square())
        let files = [
            ("manifest.json", Array(#"{"version":"1.0.0","language":"\u0000x"}"#.utf8)),
            ("venue.geojson", Handmade.collection([venue])), ("address.geojson", Handmade.collection([address])),
        ]
        let upload = try await harness.push(
            try ArchiveWriter.zip(files.map { ArchiveFile(name: $0.0, content: $0.1) }))
        #expect(upload.state == .published, "\(String(describing: upload.failure))")
        let about = try await harness.sync().about
        #expect(about.language == nil && about.country == nil)
    }

    private static func replacing(_ text: String, _ other: String, in zip: [UInt8]) -> [UInt8] {
        var zip = zip
        let (text, other) = (Array(text.utf8), Array(other.utf8))
        for start in zip.indices.dropLast(text.count) where zip[start..<start + text.count].elementsEqual(text) {
            zip.replaceSubrange(start..<start + text.count, with: other)
        }
        return zip
    }

    @Test func `archive with two venues, or none, is rejected`() async throws {
        let harness = Harness.current
        let two = try await Self.findings(
            of: Handmade.zip([Self.venue, Handmade.feature(3, .venue), Self.level]), in: harness)
        #expect(two.map { $0["rule"]?.string } == ["ST-16"])
        #expect(two[0]["file"] == "venue.geojson" && two[0]["pointer"] == "/features/1")
        let none = try await Self.findings(of: Handmade.zip([Self.level]), in: harness)
        #expect(none.map { $0["rule"]?.string } == ["ST-16"])
    }

    @Test func `duplicate id is reported with feature, file and pointer, whatever its case`() async throws {
        let harness = Harness.current
        let id = "0000000a-0000-4000-8000-00000000000f"
        var unit = Handmade.feature(4, .unit).object ?? [:]
        unit["id"] = .string(id)
        var other = Handmade.feature(5, .unit).object ?? [:]
        other["id"] = .string(id.uppercased())
        // Another content: equal ones are read once.
        other["geometry"] = Handmade.square(0.0002)
        let files = [
            ArchiveFile(name: "unit.geojson", content: Handmade.collection([.object(unit)])),
            ArchiveFile(
                name: "anchor.geojson",
                content: Handmade.collection([Handmade.feature(6, .anchor), .object(other)])),
        ]
        let findings = try await Self.findings(of: Handmade.zip([Self.venue, Self.level], and: files), in: harness)
        try #require(findings.count == 1)
        #expect(findings[0]["rule"] == "ST-09" && findings[0]["feature_id"]?.string == id)
        #expect(findings[0]["feature_type"] == "unit" && findings[0]["file"] == "anchor.geojson")
        #expect(findings[0]["pointer"] == "/features/1")
    }

    @Test func `missing or invalid id is reported with file and pointer`() async throws {
        let harness = Harness.current
        let units: [JSONValue] = [
            Handmade.feature(3, .unit), ["type": "Feature", "feature_type": "unit"],
            ["type": "Feature", "feature_type": "unit", "id": "u-17"],
        ]
        let file = ArchiveFile(name: "unit.geojson", content: Handmade.collection(units))
        let findings = try await Self.findings(
            of: Handmade.zip([Self.venue], and: [file]), query: "?ids=strict", in: harness)
        #expect(findings.map { $0["rule"]?.string } == ["ST-08", "ST-10"])
        #expect(findings.map { $0["pointer"]?.string } == ["/features/1", "/features/2"])
        #expect(findings.allSatisfy { $0["file"] == "unit.geojson" && $0["feature_id"]?.isNull == true })
    }

    @Test func `rejected upload leaves the venue as it is`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let before = try await harness.send(.get, "/venues/mall/sync").data
        _ = try await Self.findings(of: Handmade.zip([Self.level]), in: harness)
        #expect(try await harness.send(.get, "/venues/mall/sync").data == before)
        let next = try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 1)).archive())
        #expect(next.state == .published && next.revision == 2 && next.base == 1)
    }

    @Test func `omissions of converters are reported and do not block`() async throws {
        let harness = Harness.current
        let venue = ArchiveFile(
            name: "venue.geojson", content: Handmade.collection([["id": Handmade.reference(1)]]))
        let unit = CanonicalJSON.data(Handmade.feature(2, .unit))
        let files = [
            venue, ArchiveFile(name: "unit.geojson", content: unit),
            ArchiveFile(name: "stray.json", content: Array("{}".utf8)),
            ArchiveFile(name: "README.txt", content: Array("hello".utf8)),
        ]
        let upload = try await harness.push(ArchiveWriter.zip(files))
        #expect(upload.state == .published && upload.findings.error > 0)
        let stored = try await harness.send(.get, "/venues/mall/features/\(Handmade.id(1))").json
        #expect(
            stored == [
                "feature_type": "venue", "geometry": nil, "id": Handmade.reference(1), "properties": [:],
                "type": "Feature",
            ])
    }

    @Test func `findings are paged and filtered by rule and severity`() async throws {
        let harness = Harness.current
        let nameless = [JSONValue](repeating: ["type": "Feature"], count: 5)
        let named: [JSONValue] = [["id": "one"], ["id": "two"]]
        let file = ArchiveFile(name: "unit.geojson", content: Handmade.collection(nameless + named))
        let upload = try await harness.push(Handmade.zip([Self.venue], and: [file]), query: "?ids=strict")
        var next: String? = "/uploads/\(upload.id)/findings?rule=ST-08&severity=error&limit=2"
        var pointers: [String] = []
        while let path = next {
            let page = try await harness.send(.get, path).json
            let findings = try #require(page["findings"]?.array)
            #expect(findings.count <= 2 && findings.allSatisfy { $0["rule"] == "ST-08" })
            #expect(page["counts"]?["ST-08"] == 5 && page["counts"]?["ST-10"] == 2)
            pointers += findings.compactMap { $0["pointer"]?.string }
            next = page["next"]?.string
        }
        #expect(pointers == (0..<5).map { "/features/\($0)" })
        for query in ["severity=warning&rule=ST-08", "rule=TO-99"] {
            let page = try await harness.send(.get, "/uploads/\(upload.id)/findings?\(query)").json
            #expect(page["findings"] == [] && page["next"]?.isNull == true)
        }
        for query in ["severity=bad", "limit=0", "limit=many"] {
            try await harness.send(.get, "/uploads/\(upload.id)/findings?\(query)").problem(400)
        }
    }
}
