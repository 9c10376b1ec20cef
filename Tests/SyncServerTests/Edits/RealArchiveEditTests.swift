import Foundation
import HTTPTypes
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

    /// A correction of one value.
    private struct Correction {
        let pointer: [String]
        let base: JSONValue?
        let value: JSONValue
    }

    /// The second venue gets the same exports and no corrections, so it has what the source says about every feature.
    @Test func `corrections survive the exports of a campus, each on its own feature`() async throws {
        let harness = Harness.current
        for venue in ["mall", "plain"] {
            #expect(try await harness.push(self.archive("r1"), to: venue).state == .published)
            try await harness.set("removal_guard", to: false, of: venue)
        }
        var random = SplitMix64(seed: 17)
        var made: [FeatureID: Correction] = [:]
        var (ended, contested) = (0, 0)
        for name in ["r2", "r3", "r4"] {
            try await self.correct(&made, before: name, using: &random)
            let upload = try await harness.push(self.archive(name))
            #expect(upload.state == .published)
            #expect(try await harness.push(self.archive(name), to: "plain").state == .published)
            let overrides = try await self.overrides()
            let counts = try #require(upload.overrides)
            ended += counts.redundant
            #expect(overrides.count == made.count - ended, "\(name)")
            #expect(counts.quiet + counts.contested + counts.orphaned == overrides.count)
            contested += counts.contested
            let (features, source) = try await (self.features(of: "mall"), self.features(of: "plain"))
            #expect(Set(features.keys) == Set(source.keys), "\(name)")
            var expected = source
            for entry in overrides {
                let correction = try #require(made[entry.feature], "\(name): an override on another feature")
                #expect(entry.pointer == "/" + correction.pointer.joined(separator: "/"))
                #expect(entry.value == correction.value && entry.base ?? .null == correction.base ?? .null)
                guard entry.state != .orphaned else {
                    #expect(source[entry.feature] == nil && entry.source == nil)
                    continue
                }
                let now = try #require(source[entry.feature]).value(at: correction.pointer)
                #expect(entry.source ?? .null == now ?? .null, "\(name): \(entry)")
                #expect((entry.state == .contested) == (entry.source != entry.base))
                expected[entry.feature] = source[entry.feature]?.setting(
                    entry.value ?? .null, at: correction.pointer[...])
            }
            // Everything else is what the archive says.
            for (id, feature) in features {
                #expect(CanonicalJSON.data(feature) == expected[id].map { CanonicalJSON.data($0) }, "\(name)")
            }
            let again = try await harness.push(self.archive(name), query: "?message=again")
            #expect(again.state == .unchanged && again.overrides?.redundant == 0, "\(name)")
        }
        #expect(contested > 0)
        _ = try await harness.verifiedReplica()
    }

    private func correct(
        _ made: inout [FeatureID: Correction], before name: String, using random: inout SplitMix64
    ) async throws {
        let features = try await self.features(of: "mall").filter {
            made[$0.key] == nil && $0.value["properties"]?.object != nil
        }
        let chosen = features.sorted { $0.key < $1.key }.shuffled(using: &random).prefix(Self.corrections)
        let edits = chosen.map { id, feature -> JSONValue in
            let correction = self.correction(of: feature, id, before: name, using: &random)
            made[id] = correction
            let patch = JSONValue.object([:]).setting(correction.value, at: correction.pointer[...])
            return ["feature": .string(id.description), "patch": patch]
        }
        let response = try await Harness.current.edit(edits)
        #expect(response.status == .created, "\(response.text.prefix(300))")
    }

    /// A correction of the name in one language or of the category, if the feature has them, or of the website.
    private func correction(
        of feature: JSONValue, _ id: FeatureID, before name: String, using random: inout SplitMix64
    ) -> Correction {
        var pointers = [["properties", "website"]]
        if let language = feature["properties"]?["name"]?.object?.members.first?.key {
            pointers.append(["properties", "name", language])
        }
        if feature["properties"]?["category"]?.string != nil { pointers.append(["properties", "category"]) }
        let pointer = pointers.randomElement(using: &random) ?? pointers[0]
        let value: JSONValue =
            pointer.last == "category" ? .string("room.\(name)") : .string("https://c.example/\(name)/\(id)")
        return Correction(pointer: pointer, base: feature.value(at: pointer), value: value)
    }

    private func features(of venue: String) async throws -> [FeatureID: JSONValue] {
        let harness = Harness.current
        let head = try await harness.get(Venue.self, "/venues/\(venue)").head
        return Dictionary(
            uniqueKeysWithValues: try await harness.features(at: head, of: venue).map {
                (try Handmade.id(of: $0), try JSONReader.value(of: $0))
            })
    }

    private func overrides() async throws -> [OverrideEntry] { try await Harness.current.overrides("?limit=1000") }
}

extension JSONValue {
    fileprivate func value(at pointer: [String]) -> JSONValue? {
        pointer.reduce(self) { value, key in value?[key] }
    }

    /// The value with another one in it.
    fileprivate func setting(_ value: JSONValue, at pointer: ArraySlice<String>) -> JSONValue {
        guard let key = pointer.first else { return value }
        var object = self.object ?? [:]
        object[key] = (object[key] ?? .object([:])).setting(value, at: pointer.dropFirst())
        return .object(object)
    }
}
