import Foundation
import IMDF
import IMDFArchive
import SampleVenue
import Testing

@Suite struct RoundTripTests {
    private static let types = [
        "unit", "level", "occupant", "navPath", "enviroment_unit", "ünïcode", "Unit", "NAVPATH", "manifest",
    ]

    /// Files with random features of random types: known and unknown members, ids here and there, all spelled at random.
    private func archive(_ json: inout RandomJSON) -> [(name: String, content: String)] {
        var numbers = Array(1...60)
        numbers.shuffle(using: &json.random)
        var files = [Fixture.manifest, Fixture.venue]
        for index in 0..<Int.random(in: 1...6, using: &json.random) {
            let features = (0..<Int.random(in: 0...8, using: &json.random)).compactMap { _ -> JSONValue? in
                guard let number = numbers.popLast() else { return nil }
                var feature = json.object(depth: 2)
                var properties = json.object(depth: 3)
                let target = "\(Fixture.id(Int.random(in: 1...60, using: &json.random)))"
                properties["level_id"] = .string(json.random.chance(50) ? target : target.uppercased())
                properties["more"] = [.string(target), json.value(depth: 2)]
                let id = "\(Fixture.id(number))"
                feature["id"] = .string(json.random.chance(50) ? id : id.uppercased())
                feature["type"] = "Feature"
                feature["feature_type"] = Self.types.randomElement(using: &json.random).map { .string($0) }
                feature["geometry"] = json.value(depth: 3)
                feature["properties"] = json.random.chance(90) ? .object(properties) : json.value(depth: 1)
                return .object(feature)
            }
            let name = ["unit", "x", "X", "über", "nav path"].randomElement(using: &json.random) ?? ""
            let text = json.text(["type": "FeatureCollection", "features": .array(features)])
            files.append(("\(index)/\(name).geojson", text))
        }
        return files
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `round trip: written archives read the same`(seed: UInt64) throws {
        var json = RandomJSON(seed: seed)
        var archive = try ArchiveReader().read(bytes: HandmadeZip(self.archive(&json)).bytes)
        archive.resolveReferences(base: [Fixture.id(61)])
        for feature in archive.features {
            #expect(feature.body == CanonicalJSON.data(try JSONReader.value(of: feature.body)))
        }
        let files = ArchiveWriter.files(
            of: archive.features.lazy.map { ($0.type, $0.body) }, manifest: archive.manifest,
            fileNames: archive.fileNames)
        var again = try ArchiveReader().read(bytes: try ArchiveWriter.zip(files))
        again.resolveReferences(base: [Fixture.id(61)])
        #expect(again.features == archive.features)
        #expect(again.manifest == archive.manifest)
        #expect(again.fileNames == archive.fileNames)
        let more = ArchiveWriter.files(
            of: again.features.lazy.map { ($0.type, $0.body) }, manifest: again.manifest, fileNames: again.fileNames)
        #expect(more == files)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `round trip: a mutated archive is read or refused`(seed: UInt64) throws {
        var json = RandomJSON(seed: seed)
        let files = self.archive(&json)
        var packed = HandmadeZip(files)
        for index in packed.entries.indices where json.random.chance(50) { packed.entries[index].deflate() }
        let bytes = packed.bytes
        for _ in 0..<15 {
            let mutant = mutated(bytes, using: &json.random)
            // Either it is read and can be written again, or it is refused with a reason.
            do {
                var archive = try ArchiveReader().read(bytes: mutant)
                archive.resolveReferences(base: [])
            } catch let rejection as ArchiveRejection {
                #expect(!rejection.findings.isEmpty)
            }
            // Broken JSON in a sound zip gets further.
            var broken = HandmadeZip(files)
            let index = Int.random(in: 0..<files.count, using: &json.random)
            broken.entries[index] = .init(
                broken.entries[index].name, mutated(broken.entries[index].data, using: &json.random))
            do {
                var archive = try ArchiveReader().read(bytes: broken.bytes)
                archive.resolveReferences(base: [])
            } catch let rejection as ArchiveRejection {
                #expect(!rejection.findings.isEmpty)
            }
        }
    }
}

/// Real archives, when there are some.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["VENUE_SAMPLES"] != nil))
struct SampleTests {
    private func samples() -> [URL] {
        let folder = URL(filePath: ProcessInfo.processInfo.environment["VENUE_SAMPLES"] ?? "")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        // Those in `cases` are small and have a fault each.
        return (files?.compactMap { $0 as? URL } ?? [])
            .filter { $0.pathExtension == "zip" && !$0.pathComponents.contains("cases") }
    }

    @Test func `real archives: all are read, references are found, and exports read the same`() throws {
        let samples = self.samples()
        #expect(!samples.isEmpty)
        for sample in samples {
            let bytes = [UInt8](try Data(contentsOf: sample))
            var archive = try ArchiveReader().read(bytes: bytes)
            archive.resolveReferences(base: [])
            #expect(archive.features.count > 1_000, "\(sample.lastPathComponent)")
            let ids = Set(archive.features.map(\.id))
            let reader = JSONReader()
            for feature in archive.features {
                let value = try reader.value(of: feature.body)
                #expect(feature.body == CanonicalJSON.data(value))
                #expect(value["id"] == .string("\(feature.id)"))
            }
            let found = archive.features.reduce(0) { $0 + $1.references.filter { ids.contains($0.target) }.count }
            #expect(found > archive.features.count / 2)
            let files = ArchiveWriter.files(
                of: archive.features.lazy.map { ($0.type, $0.body) }, manifest: archive.manifest,
                fileNames: archive.fileNames)
            var again = try ArchiveReader().read(bytes: try ArchiveWriter.zip(files))
            again.resolveReferences(base: [])
            #expect(again.features == archive.features)
            #expect(again.manifest == archive.manifest && again.fileNames == archive.fileNames)
        }
    }
}
