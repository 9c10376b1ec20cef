import Foundation
import IMDF
import IMDFArchive
import SampleVenue
import Testing

struct ArchiveTests {
    private static let options = SampleVenue.Options(levels: 3, unitsPerLevel: 25, seed: 12, customExtension: true)

    @Test func `generated archive is read without findings`() throws {
        var archive = try ArchiveReader().read(bytes: SampleVenue(.init(levels: 3, unitsPerLevel: 25)).archive())
        archive.resolveReferences(base: [])
        #expect(archive.findings.map(\.message) == [])
        let ids = Set(archive.features.map(\.id))
        #expect(archive.features.allSatisfy { $0.references.allSatisfy { ids.contains($0.target) } })
    }

    @Test func `archive round trip: an archive is read back as it was written`() throws {
        let venue = SampleVenue(Self.options)
        let read = try SampleVenue(reading: venue.archive())
        #expect(read.byID == venue.byID)
        #expect(read.manifest == venue.manifest)
        #expect(read.fileNames == venue.fileNames)
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `archive round trip: an archive is read back as it was written, whatever its formatting`(seed: UInt64) throws {
        var venue = SampleVenue(Self.options)
        _ = venue.apply([Edit(.noise)], seed: seed)
        let read = try SampleVenue(reading: venue.archive())
        #expect(read.byID == venue.byID)
        #expect(read.manifest == venue.manifest)
    }

    @Test func `edits give the same revision from memory and from the archive`() throws {
        let edits = try Edit.parse(list: "rename=4,move=4,floor,relevel=3,remove=2,add=3,remint=9,noise")
        var venue = SampleVenue(Self.options)
        var read = try SampleVenue(reading: venue.archive())
        #expect(venue.apply(edits, seed: 5) == read.apply(edits, seed: 5))
        #expect(try venue.archive() == read.archive())
    }

    @Test func `generated archive depends only on the seed`() throws {
        #expect(try SampleVenue(Self.options).archive() == SampleVenue(Self.options).archive())
    }

    @Test func `file names are valid for every type, and types may share a file`() throws {
        let venue = SampleVenue(.small)
        var strange = venue
        for (number, name) in ["../up", "a/b", "Nav Path", "nav path", "屋台"].enumerated() {
            let id = FeatureID(high: UInt64(number) << 32 | 0x4000, low: 1 << 63)
            let type = FeatureType(rawValue: name)
            strange.features.append(SampleFeature(id: id, type: type, geometry: .null, properties: ["n": 1]))
        }
        strange.fileNames[FeatureType(rawValue: "a/b")] = "unit.geojson"
        let read = try SampleVenue(reading: strange.archive())
        #expect(read.byID == strange.byID)
    }

    @Test func `archive reading rejects files that are not archives`() {
        #expect(throws: ArchiveRejection.self) { try SampleVenue(reading: Array("not a zip".utf8)) }
    }
}

private let samplesFolder = ProcessInfo.processInfo.environment["VENUE_SAMPLES"]

/// Edits of archives that others made. They run when `VENUE_SAMPLES` names a folder of archives.
@Suite(.enabled(if: samplesFolder != nil))
struct ForeignArchiveTests {
    /// The first two archives in the folder and the folders in it.
    private static let archives: [String] = {
        guard let folder = samplesFolder, let all = FileManager.default.enumerator(atPath: folder) else { return [] }
        let names = all.compactMap { $0 as? String }.filter { $0.hasSuffix(".zip") }.sorted()
        return names.prefix(2).map { "\(folder)/\($0)" }
    }()

    @Test func `archive folder contains archives of other producers`() {
        #expect(!Self.archives.isEmpty)
    }

    @Test(arguments: archives)
    func `edits apply to archives of other producers`(path: String) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let before = try SampleVenue(reading: bytes)
        #expect(try SampleVenue(reading: before.archive()).byID == before.byID)
        for kind in Edit.Kind.allCases {
            var after = before
            let report = after.apply([Edit(kind, kind == .remint ? nil : 5)], seed: 1)[0]
            let (old, new) = (before.byID, after.byID)
            #expect(Set(report.added + report.reminted.values) == Set(new.keys).subtracting(old.keys))
            #expect(Set(report.removed + report.reminted.keys) == Set(old.keys).subtracting(new.keys))
            let changed = old.filter { id, feature in new[id].map { $0 != feature } ?? false }.keys
            #expect(Set(report.changed + report.reformatted) == Set(changed))
            #expect(try SampleVenue(reading: after.archive()).byID == new)
            switch kind {
            case .rename, .move, .hours: #expect(report.changed.count == 5, "\(kind)")
            case .remint: #expect(report.reminted.count == before.features.count)
            case .floor, .add: #expect(!report.added.isEmpty)
            case .remove, .removeFloor: #expect(!report.removed.isEmpty)
            default: break
            }
        }
    }
}
