import Foundation
import HTTPTypes
import HummingbirdTesting
import IMDF
import IMDFArchive
import SampleVenue
import SyncModel
import TestSupport
import Testing

private let campus = ProcessInfo.processInfo.environment["VENUE_SAMPLES"].map { $0 + "/polytech" }

/// Corrections of a real campus between its exports, if `VENUE_SAMPLES` names the folder that contains them. From the first export to
/// the second every id is new; later ones keep most ids.
@Suite(.server, .enabled(if: campus != nil)) struct RealArchiveEditTests {
    private static let corrections = 200

    private func archive(_ name: String) throws -> [UInt8] {
        let folder = try #require(campus)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        let file = try #require(files.first { $0.hasPrefix(name + "-") })
        return Array(try Data(contentsOf: URL(filePath: "\(folder)/\(file)")))
    }

    /// A correction, and what its feature was then.
    private struct Correction {
        let website: String
        let type: JSONValue?
        let geometry: JSONValue?
    }

    @Test func `corrections survive the exports of a campus, each on its own feature`() async throws {
        let harness = Harness.current
        try await harness.set("removal_guard", to: false, afterUploading: self.archive("r1"))
        var random = SplitMix64(seed: 17)
        var made: [FeatureID: Correction] = [:]
        var ended = 0
        for name in ["r2", "r3", "r4"] {
            try await self.correct(&made, before: name, using: &random)
            let upload = try await harness.push(self.archive(name))
            #expect(upload.state == .published)
            let counts = try #require(upload.overrides)
            ended += counts.redundant
            let overrides = try await self.overrides()
            #expect(overrides.count == made.count - ended, "\(name)")
            #expect(counts.quiet + counts.contested + counts.orphaned == overrides.count)
            let features = try await self.features()
            for entry in overrides {
                let correction = try #require(made[entry.feature], "\(name): an override on another feature")
                #expect(entry.value == .string(correction.website))
                guard entry.state != .orphaned else {
                    #expect(features[entry.feature] == nil)
                    continue
                }
                let feature = try #require(features[entry.feature], "\(name)")
                #expect(feature["properties"]?["website"] == .string(correction.website))
                #expect(feature["feature_type"] == correction.type)
                #expect((entry.state == .contested) == (entry.source != entry.base))
                if name == "r2" { #expect(feature["geometry"] == correction.geometry) }
            }
            // Everything else is what the archive says.
            let corrected = features.values.count {
                $0["properties"]?["website"]?.string?.hasPrefix("https://c.") == true
            }
            #expect(corrected == overrides.count { $0.state != .orphaned })
            let again = try await harness.push(self.archive(name), query: "?message=again")
            #expect(again.state == .unchanged && again.overrides?.redundant == 0, "\(name)")
        }
        _ = try await harness.verifiedReplica()
    }

    private func correct(
        _ made: inout [FeatureID: Correction], before name: String, using random: inout SplitMix64
    ) async throws {
        let features = try await self.features().filter { made[$0.key] == nil && $0.value["properties"]?.object != nil }
        let chosen = features.sorted { $0.key < $1.key }.shuffled(using: &random).prefix(Self.corrections)
        let edits = chosen.map { id, feature -> JSONValue in
            let website = "https://c.example/\(name)/\(id)"
            made[id] = Correction(website: website, type: feature["feature_type"], geometry: feature["geometry"])
            return ["feature": .string(id.description), "patch": ["properties": ["website": .string(website)]]]
        }
        let response = try await Harness.current.edit(edits)
        #expect(response.status == .created, "\(response.text.prefix(300))")
    }

    private func features() async throws -> [FeatureID: JSONValue] {
        let bodies = try await Harness.current.features(at: Harness.current.head)
        return Dictionary(
            uniqueKeysWithValues: try bodies.map { (try Handmade.id(of: $0), try JSONReader.value(of: $0)) })
    }

    private func overrides() async throws -> [OverrideEntry] { try await Harness.current.overrides("?limit=1000") }
}

extension Harness {
    fileprivate func set(_ setting: String, to value: JSONValue, afterUploading archive: [UInt8]) async throws {
        #expect(try await self.push(archive).state == .published)
        try await self.set(setting, to: value)
    }
}
