import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import Ingestion
import SampleVenue
import SyncModel
import TestSupport

/// Archives that tests write file by file, so that they can be invalid.
enum Handmade {
    static let venueID = "8d0a6c1e-0c3b-4f0e-9a51-3f2a1d7c5b01"

    static func zip(_ files: [String: String]) throws -> [UInt8] {
        try ArchiveWriter.zip(
            files.sorted { $0.key < $1.key }.map { ArchiveFile(name: $0.key, content: Array($0.value.utf8)) })
    }

    static func collection(_ features: String...) -> String {
        #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}"
    }

    static func feature(_ id: String, properties: String = "{}", geometry: String = "null") -> String {
        #"{"id":"\#(id)","type":"Feature","geometry":\#(geometry),"properties":\#(properties)}"#
    }

    /// The smallest archive that can be versioned.
    static var venueOnly: [String: String] { ["venue.geojson": self.collection(self.feature(self.venueID))] }
}

extension Harness {
    struct FindingList: Decodable {
        let findings: [Finding]
    }

    func findings(of upload: Upload) async throws -> [Finding] {
        try await self.get(FindingList.self, "/uploads/\(upload.id)/findings?limit=1000").findings
    }

    /// Switches the removal guard off.
    func setUnguarded() async throws {
        let body = Array(#"{"removal_guard":false}"#.utf8)
        _ = try await self.send(.patch, "/venues/mall", type: "application/json", body: body)
    }

    /// Confirms and publishes an upload that a guard has staged.
    func confirm(_ upload: Upload) async throws -> Upload {
        let reasons = upload.reasons.map { "\"\($0)\"" }.joined(separator: ",")
        _ = try await self.send(
            .post, "/uploads/\(upload.id)/publish?wait=0", type: "application/json",
            body: Array("{\"confirm\":[\(reasons)]}".utf8))
        while try await self.worker.workOnce() {}
        return try await self.get(Upload.self, "/uploads/\(upload.id)")
    }

    /// Every body of a revision, by id.
    func bodies(of venue: String = "mall", at number: Int64) async throws -> [FeatureID: [UInt8]] {
        var replica = Replica()
        try replica.apply(await self.pages(of: venue, to: number))
        return replica.features.mapValues(\.body)
    }
}

/// The canonical bodies of an archive, by id.
func canonicalBodies(of archive: [UInt8]) throws -> [FeatureID: [UInt8]] {
    var archive = try ArchiveReader().read(bytes: archive)
    archive.resolveReferences(base: [])
    return Dictionary(uniqueKeysWithValues: archive.features.map { ($0.id, $0.body) })
}
