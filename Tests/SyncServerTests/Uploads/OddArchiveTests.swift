import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Archives of each kind that careless tools write, through the whole service.
@Suite(.server) struct OddArchiveTests {
    enum Kind: CaseIterable {
        case repeatedFeatures, sharedIDs, whiteSpace, otherIDs, idsInProperties, manifestInArray, listsInText

        func archive(seed: UInt64) throws -> [UInt8] {
            var random = SplitMix64(seed: seed)
            let units = Int.random(in: 4...10, using: &random)
            var venue = SampleVenue(
                .init(levels: Int.random(in: 1...2, using: &random), unitsPerLevel: units, seed: seed))
            let count = Int.random(in: 1...8, using: &random)
            switch self {
            case .repeatedFeatures: venue.damageIDs([.repeated], count: count, using: &random)
            case .sharedIDs: venue.damageIDs([.shared], count: count, using: &random)
            case .whiteSpace: venue.damageIDs([.whiteSpace], count: count, using: &random)
            case .otherIDs: venue.damageIDs([.text, .number], count: count, using: &random)
            case .idsInProperties: venue.damageIDs([.inProperties], count: count, using: &random)
            case .manifestInArray: break
            case .listsInText: _ = venue.writeListsAsText(using: &random)
            }
            var files = venue.files()
            for index in files.indices where self == .manifestInArray && files[index].name == "manifest.json" {
                files[index].content = Array("[".utf8) + files[index].content + Array("]".utf8)
            }
            return try ArchiveWriter.zip(files)
        }

        /// The rule of the finding that says what was done.
        var rule: String {
            switch self {
            case .repeatedFeatures, .sharedIDs: "ST-09"
            case .whiteSpace, .otherIDs: "ST-10"
            case .idsInProperties: "ST-08"
            case .manifestInArray: "ST-05"
            case .listsInText: "PV-20"
            }
        }
    }

    @Test(arguments: Kind.allCases, 0..<2 as Range<UInt64>)
    func `odd archive is repaired with one finding, and unchanged when it or its export is uploaded`(
        kind: Kind, seed: UInt64
    ) async throws {
        let harness = Harness.current
        let archive = try kind.archive(seed: seed)
        let upload = try await harness.push(archive)
        #expect(upload.state == .published)
        let report = try await harness.send(.get, "/uploads/\(upload.id)/findings?rule=\(kind.rule)").json
        let findings = try #require(report["findings"]?.array)
        #expect(findings.count { $0["severity"]?.string == "warning" } == 1, "\(findings)")
        #expect(try await harness.push(archive).state == .unchanged)
        let export = try await harness.send(.get, "/venues/mall/revisions/1/archive.zip?strict=true")
        #expect(try await harness.push([UInt8](export.data)).state == .unchanged)
        #expect(try await harness.push([UInt8](export.data), query: "?ids=strict").state == .unchanged)
        #expect(try await harness.push(archive).state == .unchanged)
    }
}
