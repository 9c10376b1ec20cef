import Foundation
import IMDF
import IMDFArchive
import SampleVenue
import Testing

/// Reading on two cores is compared with reading one file after the other.
@Suite struct TwoCoresTests {
    @Test(arguments: 0..<12 as Range<UInt64>)
    func `two cores: sound and damaged archives have the same outcome`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var venue = SampleVenue(.init(levels: 3, unitsPerLevel: 12, seed: seed))
        if seed.isMultiple(of: 2) { _ = venue.apply(try Edit.parse(list: "noise"), seed: seed) }
        var files = venue.files().map { (name: $0.name, content: String(decoding: $0.content, as: UTF8.self)) }
        files.shuffle(using: &random)
        if seed.isMultiple(of: 3) { files.append((name: "read me.txt", content: "")) }
        try await expectSameOutcome(HandmadeZip(files).bytes)
        for _ in 0..<12 {
            var damaged = HandmadeZip(files)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<files.count, using: &random)
                damaged.entries[index] = .init(
                    damaged.entries[index].name, mutated(damaged.entries[index].data, using: &random))
            }
            try await expectSameOutcome(damaged.bytes)
        }
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `two cores: ids are repaired alike`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var venue = SampleVenue(.small)
        venue.damageIDs(count: 3, using: &random)
        venue.style.fileOrder = seed
        try await expectSameOutcome(venue.archive())
    }

    @Test func `two cores: the same id in two files is refused with the same finding`() async throws {
        let units = (1...3).map { number in
            Fixture.collection([Fixture.feature(1, "unit", properties: #"{"x":\#(number)}"#)])
        }
        let bytes = Fixture.zip([("unit.geojson", units[0]), ("room.geojson", units[1]), ("a.geojson", units[2])])
        #expect(try await expectSameOutcome(bytes)?.rules == ["ST-09", "ST-09"])
    }

    @Test func `two cores: a feature that is repeated in other files is read once`() async throws {
        let unit = Fixture.collection([Fixture.feature(1, "unit")])
        let bytes = Fixture.zip([("unit.geojson", unit), ("room.geojson", unit), ("a.geojson", unit)])
        let archive = try await readOnTwoCores(bytes, limits: ArchiveLimits())
        #expect(archive.features.count == 2)
        let findings = archive.findings.with("ST-09")
        #expect(findings.count == 1 && findings[0].message.hasPrefix("2 features repeat"))
    }

    @Test func `two cores: references between the files are found`() async throws {
        let files = [
            (
                "occupant.geojson",
                Fixture.collection([
                    Fixture.feature(1, "occupant", properties: #"{"anchor_id":"\#(Fixture.id(2))"}"#)
                ])
            ),
            ("anchor.geojson", Fixture.collection([Fixture.feature(2, "anchor")])),
        ]
        var archive = try await readOnTwoCores(Fixture.zip(files), limits: ArchiveLimits())
        archive.resolveReferences(base: [])
        #expect(archive.references(1).map(\.target) == [Fixture.id(2)])
    }

    @Test func `two cores: resolving references again with another base starts afresh`() async throws {
        let written = "0000000A-0000-4000-8000-0000000000FF"
        let target = try #require(FeatureID(written))
        // The reference is in the half that is resolved on this core.
        let units = (1...8).map { Fixture.feature($0, "unit", properties: $0 == 8 ? #"{"x":"\#(written)"}"# : "{}") }
        var archive = try ArchiveReader().read(
            bytes: Fixture.zip([("unit.geojson", Fixture.collection(units))]))
        await archive.resolveReferencesOnTwoCores(base: [])
        let bare = archive
        #expect(bare.body(8)?.contains(written) == true && bare.references(8).isEmpty)
        await archive.resolveReferencesOnTwoCores(base: [target])
        #expect(archive.body(8)?.contains(written.lowercased()) == true)
        #expect(archive.references(8) == [Reference(role: .undeclared, target: target)])
        await archive.resolveReferencesOnTwoCores(base: [])
        #expect(archive.features == bare.features)
    }

    @Test func `two cores: limits hold for both together`() async throws {
        let units = (1...40).map { Fixture.feature($0, "unit") }
        let bytes = Fixture.zip([
            ("a.geojson", Fixture.collection(Array(units[..<20]))),
            ("b.geojson", Fixture.collection(Array(units[20...]))),
        ])
        var limits = ArchiveLimits()
        limits.uncompressedBytes = 5_000
        #expect(try await expectSameOutcome(bytes, limits: limits)?.rules == ["ST-02"])
        limits = ArchiveLimits()
        limits.entryBytes = 1_000
        #expect(try await expectSameOutcome(bytes, limits: limits)?.rules == ["ST-02", "ST-02"])
    }
}

/// Reads an archive with both readers.
///
/// - Returns: The blocking findings; nil if the archive was read.
@discardableResult
private func expectSameOutcome(_ bytes: [UInt8], limits: ArchiveLimits = ArchiveLimits()) async throws -> [Finding]? {
    let expected = Result { try ArchiveReader(limits: limits).read(bytes: bytes) }
    do {
        var (read, archive) = (try await readOnTwoCores(bytes, limits: limits), try expected.get())
        #expect(read.findings == archive.findings)
        #expect(read.manifest == archive.manifest && read.fileNames == archive.fileNames)
        await read.resolveReferencesOnTwoCores(base: [])
        archive.resolveReferences(base: [])
        #expect(read.features == archive.features)
        for feature in archive.features {
            let (one, other) = (read.location(of: feature.id), archive.location(of: feature.id))
            #expect(one?.file == other?.file && one?.pointer == other?.pointer)
        }
        return nil
    } catch let rejection as ArchiveRejection {
        #expect(throws: ArchiveRejection.self) { try expected.get() }
        if case .failure(let other as ArchiveRejection) = expected { #expect(other.findings == rejection.findings) }
        return rejection.findings
    }
}

private func readOnTwoCores(_ bytes: [UInt8], limits: ArchiveLimits) async throws -> Archive {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    fflush(file)
    return try await ArchiveReader(limits: limits).readOnTwoCores(fileDescriptor: fileno(file), smallestShare: 1)
}
