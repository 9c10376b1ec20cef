import Foundation
import HTTPTypes
import HummingbirdTesting
import IMDF
import IMDFArchive
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// An upload that cannot be versioned ends `rejected`, says what and where, and leaves the venue as it was.
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

    @Test func `bytes that are no zip`() async throws {
        #expect(try await self.reject(Array("this is not a zip".utf8), rule: "ST-01").severity == .error)
    }

    @Test func `JSON that does not parse, with its file and place`() async throws {
        var files = Handmade.venueOnly
        files["unit.geojson"] = "{\"type\":\"FeatureCollection\",\n\"features\":[{},]}"
        let finding = try await self.reject(Handmade.zip(files), rule: "ST-06")
        #expect(finding.file == "unit.geojson" && finding.pointer?.hasPrefix("2:") == true, "\(finding)")
    }

    @Test func `no venue feature`() async throws {
        let files = ["unit.geojson": Handmade.collection(Handmade.feature(Self.unitID))]
        _ = try await self.reject(Handmade.zip(files), rule: "ST-16")
    }

    @Test func `two venue features`() async throws {
        let two = Handmade.collection(Handmade.feature(Handmade.venueID), Handmade.feature(Self.unitID))
        _ = try await self.reject(Handmade.zip(["venue.geojson": two]), rule: "ST-16")
    }

    @Test func `an id that stands twice, in whatever case`() async throws {
        var files = Handmade.venueOnly
        files["unit.geojson"] = Handmade.collection(
            Handmade.feature(Self.unitID), Handmade.feature(Self.unitID.uppercased()))
        let finding = try await self.reject(Handmade.zip(files), rule: "ST-09")
        #expect(finding.featureID == FeatureID(Self.unitID) && finding.file == "unit.geojson", "\(finding)")
    }

    @Test func `an id that is no UUID`() async throws {
        var files = Handmade.venueOnly
        files["unit.geojson"] = Handmade.collection(Handmade.feature("u1"))
        let finding = try await self.reject(Handmade.zip(files), rule: "ST-10")
        #expect(finding.pointer?.hasPrefix("/features/0") == true, "\(finding)")
    }

    @Test func `no id at all`() async throws {
        var files = Handmade.venueOnly
        files["unit.geojson"] = Handmade.collection(#"{"type":"Feature","geometry":null,"properties":{}}"#)
        _ = try await self.reject(Handmade.zip(files), rule: "ST-08")
    }

    @Test func `a name that would leave the folder`() async throws {
        var files = Handmade.venueOnly
        files["../unit.geojson"] = Handmade.collection()
        _ = try await self.reject(Handmade.zip(files), rule: "ST-03")
    }

    @Test func `a small zip that would become a mountain`() async throws {
        var files = Handmade.venueOnly
        files["unit.geojson"] = String(repeating: " ", count: 32 << 20)
        _ = try await self.reject(Handmade.zip(files), rule: "ST-02")
    }

    @Test func `a first upload that is rejected leaves no venue to be read`() async throws {
        try await Harness.run { harness in
            let upload = try await harness.push(Array("no zip".utf8), to: "new")
            #expect(upload.state == .rejected && upload.createdVenue)
            #expect(try await harness.send(.get, "/venues/new/sync").status == .notFound)
        }
    }
}

/// What a test's closure found out.
final class Box<Value>: @unchecked Sendable {  // written once, before it is read
    var value: Value?
}
