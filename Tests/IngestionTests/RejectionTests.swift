import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// An upload that cannot be versioned ends `rejected`, with a finding that has the position, and the venue does not change.
@Suite(.database)
struct RejectionTests {
    private static let unitID = "3b7e1c52-5f60-4a11-8c7d-2f64d0a9b002"

    private func reject(_ archive: [UInt8], rule: String) async throws -> Finding {
        let (finding, _) = try await self.rejection(of: archive, rule: rule)
        return finding
    }

    private func rejection(of archive: [UInt8], rule: String) async throws -> (Finding, Upload) {
        let box = Box<(Finding, Upload)>()
        try await Harness.run { harness in
            try await harness.push(Handmade.zip(Handmade.venueOnly))
            let before = try await harness.send(.get, "/venues/mall/sync").text
            let upload = try await harness.push(archive)
            #expect(upload.state == .rejected)
            #expect(upload.revision == nil && upload.findings.complete && upload.findings.error > 0)
            #expect(try await harness.send(.get, "/venues/mall/sync").text == before)
            let findings = try await harness.findings(of: upload)
            let finding = try #require(findings.first { $0.rule == rule }, "\(findings)")
            box.value = (finding, upload)
        }
        return try #require(box.value)
    }

    @Test func `rejection: bytes that are no zip`() async throws {
        #expect(try await self.reject(Array("this is not a zip".utf8), rule: "ST-01").severity == .error)
    }

    @Test func `rejection: invalid JSON, with its file and position`() async throws {
        var files = Handmade.venueOnly
        files["unit.geojson"] = "{\"type\":\"FeatureCollection\",\n\"features\":[{},]}"
        let finding = try await self.reject(Handmade.zip(files), rule: "ST-06")
        #expect(finding.file == "unit.geojson" && finding.pointer?.hasPrefix("2:") == true, "\(finding)")
    }

    @Test func `rejection: no venue feature`() async throws {
        let files = ["unit.geojson": Handmade.collection(Handmade.feature(Self.unitID))]
        _ = try await self.reject(Handmade.zip(files), rule: "ST-16")
    }

    @Test func `rejection: two venue features`() async throws {
        let two = Handmade.collection(Handmade.feature(Handmade.venueID), Handmade.feature(Self.unitID))
        _ = try await self.reject(Handmade.zip(["venue.geojson": two]), rule: "ST-16")
    }

    @Test func `rejection: a duplicate id, regardless of case`() async throws {
        var files = Handmade.venueOnly
        files["unit.geojson"] = Handmade.collection(
            Handmade.feature(Self.unitID),
            Handmade.feature(Self.unitID.uppercased()).replacing(#""properties":{"#, with: #""x":1,"properties":{"#))
        let finding = try await self.reject(Handmade.zip(files), rule: "ST-09")
        #expect(finding.featureID == FeatureID(Self.unitID) && finding.file == "unit.geojson", "\(finding)")
    }

    @Test func `rejection: the report has what the rules find in the rest of the archive`() async throws {
        var files = Handmade.venueOnly
        let bad = #"{"type":"Feature","geometry":null,"properties":{"name":{"en":" "}}}"#
        files["unit.geojson"] = Handmade.collection(bad.replacing(#"{"type""#, with: #"{"id":"u1","type""#), bad)
        let (finding, upload) = try await self.rejection(of: Handmade.zip(files), rule: "PV-02")
        #expect(finding.severity == .error && finding.file == "unit.geojson", "\(finding)")
        #expect(upload.findings.error > 2)
    }

    @Test func `rejection: a feature without an id`() async throws {
        var files = Handmade.venueOnly
        files["unit.geojson"] = Handmade.collection(#"{"type":"Feature","geometry":null,"properties":{}}"#)
        _ = try await self.reject(Handmade.zip(files), rule: "ST-08")
    }

    @Test func `rejection: a file name that leads out of the archive`() async throws {
        var files = Handmade.venueOnly
        files["../unit.geojson"] = Handmade.collection()
        _ = try await self.reject(Handmade.zip(files), rule: "ST-03")
    }

    @Test func `rejection: a small zip that expands beyond the limits`() async throws {
        var files = Handmade.venueOnly
        files["unit.geojson"] = String(repeating: " ", count: 32 << 20)
        _ = try await self.reject(Handmade.zip(files), rule: "ST-02")
    }

    @Test func `rejection: a rejected first upload leaves no readable venue`() async throws {
        try await Harness.run { harness in
            let upload = try await harness.push(Array("no zip".utf8), to: "new")
            #expect(upload.state == .rejected && upload.createdVenue)
            #expect(try await harness.send(.get, "/venues/new/sync").status == .notFound)
        }
    }
}

/// The result of a test's closure.
final class Box<Value>: @unchecked Sendable {  // written once, before it is read
    var value: Value?
}
