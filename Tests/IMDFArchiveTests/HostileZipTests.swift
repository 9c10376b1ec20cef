import IMDF
import IMDFArchive
import Testing

@Suite struct HostileZipTests {
    private let unit = HandmadeZip.Entry("unit.geojson", Fixture.collection([Fixture.feature(1, "unit")]))

    private func archive(_ entries: [HandmadeZip.Entry]) -> HandmadeZip {
        HandmadeZip(
            entries: [
                .init(Fixture.manifest.name, Fixture.manifest.content),
                .init(Fixture.venue.name, Fixture.venue.content),
            ] + entries)
    }

    @Test(arguments: [[], [1, 2, 3], Array("PK".utf8), Array(repeating: 0, count: 100_000)])
    func `hostile zip: other files are refused`(bytes: [UInt8]) {
        #expect(Fixture.rejection(bytes).rules == ["ST-01"])
    }

    @Test func `hostile zip: deflated entries and comments are accepted`() throws {
        var entry = self.unit
        entry.deflate()
        var zip = self.archive([entry])
        zip.comment = Array("made by hand".utf8)
        #expect(try ArchiveReader().read(bytes: zip.bytes).features.count == 2)
    }

    @Test(arguments: 1...120)
    func `hostile zip: a truncated archive is refused`(missing: Int) {
        let bytes = self.archive([self.unit]).bytes
        #expect(Fixture.rejection(Array(bytes.dropLast(missing * bytes.count / 121 + 1))).rules == ["ST-01"])
    }

    @Test(arguments: [1 << 0, 1 << 6, 1 << 13] as [UInt16])
    func `hostile zip: encrypted entries are refused`(flag: UInt16) {
        var entry = self.unit
        entry.flags = flag
        let findings = Fixture.rejection(self.archive([entry]).bytes)
        #expect(findings.rules == ["ST-01"] && findings.first?.file == "unit.geojson")
        entry = self.unit
        entry.method = 99
        #expect(Fixture.rejection(self.archive([entry]).bytes).rules == ["ST-01"])
    }

    @Test(arguments: [1, 9, 12, 14, 93, 95] as [UInt16])
    func `hostile zip: methods other than deflate are refused`(method: UInt16) {
        var entry = self.unit
        entry.method = method
        let findings = Fixture.rejection(self.archive([entry]).bytes)
        #expect(findings.rules == ["ST-01"] && findings.first?.file == "unit.geojson")
    }

    @Test(arguments: [false, true], ["unit.geojson", "plan.png", "__MACOSX/x"])
    func `hostile zip: a wrong checksum blocks, in any file`(isDeflated: Bool, name: String) {
        var entry = self.unit
        entry.name = Array(name.utf8)
        if isDeflated { entry.deflate() }
        entry.checksum ^= 1
        let findings = Fixture.rejection(self.archive([entry]).bytes)
        #expect(findings.rules == ["ST-01"] && findings.first?.file == name)
    }

    @Test func `hostile zip: wrong sizes block`() {
        for difference in [-1, 1, -20, 1_000_000] {
            var entry = self.unit
            entry.deflate()
            entry.size = UInt32(Int(entry.size) + difference)
            #expect(Fixture.rejection(self.archive([entry]).bytes).rules == ["ST-01"], "\(difference)")
        }
        var entry = self.unit
        entry.deflate()
        entry.compressedSize -= 5
        #expect(Fixture.rejection(self.archive([entry]).bytes).rules == ["ST-01"])
        entry = self.unit
        entry.deflate()
        entry.data[10] ^= 0xFF
        #expect(Fixture.rejection(self.archive([entry]).bytes).rules == ["ST-01"])
    }

    @Test func `hostile zip: overlapping entries are refused`() {
        var zip = self.archive([self.unit])
        // A second name for the first entry's bytes.
        zip.entries[2].offset = 0
        #expect(Fixture.rejection(zip.bytes).rules == ["ST-01"])
        // One entry that reaches over the next.
        zip = self.archive([self.unit])
        zip.entries[1].compressedSize += 40
        #expect(Fixture.rejection(zip.bytes).rules == ["ST-01"])
        // One that reaches into the directory, or past the end.
        for offset in [3_000, 0xFFFF_FFF0] as [UInt32] {
            zip = self.archive([self.unit])
            zip.entries[2].offset = offset
            #expect(Fixture.rejection(zip.bytes).rules == ["ST-01"])
        }
        zip = self.archive([self.unit])
        zip.entries[2].compressedSize += 1
        zip.entries[2].size += 1
        #expect(Fixture.rejection(zip.bytes).rules == ["ST-01"])
    }

    @Test func `hostile zip: a directory of another length than declared is refused`() {
        for count in [0, 2, 4, 0xFFFE] as [UInt16] {
            var zip = self.archive([self.unit])
            zip.claimedCount = count
            let findings = Fixture.rejection(zip.bytes)
            #expect(findings.rules == [count == 0xFFFE ? "ST-02" : "ST-01"], "\(count)")
        }
    }

    @Test func `hostile zip: a second end record in the comment is refused`() {
        let other = self.archive([]).bytes
        var zip = self.archive([self.unit])
        zip.comment = Array(other.suffix(22)) + [0]
        // Either it reads as what it is, or it is refused; it never reads as something else.
        if let archive = try? ArchiveReader().read(bytes: zip.bytes) { #expect(archive.features.count == 2) }
        zip.comment = Array(other.suffix(22))
        #expect(Fixture.rejection(zip.bytes).map(\.message) == ["The archive has more than one end record."])
    }

    @Test func `hostile zip: bytes before the first entry are refused`() {
        for preamble in [Array("#!/bin/sh\n".utf8), [0], self.archive([]).bytes] {
            var zip = self.archive([self.unit])
            #expect(Fixture.rejection(preamble + zip.bytes).rules == ["ST-01"])
            zip.preamble = preamble
            let findings = Fixture.rejection(zip.bytes)
            #expect(findings.rules == ["ST-01"])
            #expect(findings.map(\.message) == ["There are bytes before the archive's first entry."])
        }
    }

    @Test func `hostile zip: bytes after the end are refused`() {
        for tail in [[0], Array("<html>".utf8), Array(repeating: 32, count: 70_000)] {
            var zip = self.archive([self.unit])
            #expect(Fixture.rejection(zip.bytes + tail).rules == ["ST-01"])
            zip.comment = Array("made by hand".utf8)
            #expect(Fixture.rejection(zip.bytes + tail).rules == ["ST-01"])
        }
    }

    @Test func `hostile zip: a local header that differs from the directory is refused`() {
        for name in ["unit.geojso_", "units.geojson", "../unit.geojson", ""] {
            var entry = self.unit
            entry.ownName = Array(name.utf8)
            let findings = Fixture.rejection(self.archive([entry]).bytes)
            #expect(
                findings.rules == ["ST-01"] && findings.first?.message.contains("“unit.geojson”") == true, "\(name)")
        }
        for change: (inout HandmadeZip.Entry) -> Void in [
            { $0.ownMethod = 8 }, { $0.ownFlags = 1 }, { $0.ownChecksum = 7 },
        ] {
            var entry = self.unit
            change(&entry)
            #expect(Fixture.rejection(self.archive([entry]).bytes).rules == ["ST-01"])
        }
    }

    @Test func `hostile zip: an unlisted entry is refused`() {
        for extra in [self.unit, .init("x", "")] {
            var zip = self.archive([extra])
            zip.entries[1].isUnlisted = true
            #expect(Fixture.rejection(zip.bytes).rules == ["ST-01"])
            zip.entries[1].isUnlisted = false
            zip.entries[2].isUnlisted = true
            #expect(Fixture.rejection(zip.bytes).rules == ["ST-01"])
        }
    }

    @Test func `hostile zip: sizes after the data are accepted`() throws {
        for hasSignature in [false, true] {
            var entry = self.unit
            entry.deflate()
            entry.flags = 1 << 3
            entry.descriptor =
                (hasSignature ? [0x50, 0x4B, 7, 8] : []) + littleEndian(entry.checksum)
                + littleEndian(entry.compressedSize) + littleEndian(entry.size)
            entry.ownChecksum = 0
            #expect(try ArchiveReader().read(bytes: self.archive([entry]).bytes).features.count == 2)
            entry.descriptor += [0]
            #expect(Fixture.rejection(self.archive([entry]).bytes).rules == ["ST-01"])
        }
    }

    @Test(arguments: [
        "/unit.geojson", "../unit.geojson", "a/../../unit.geojson", "a/..", "C:/unit.geojson", "a\\unit.geojson",
        "unit.geo\0json", "",
    ])
    func `hostile zip: hostile names are refused`(name: String) {
        let findings = Fixture.rejection(self.archive([.init(name, "")]).bytes)
        #expect(findings.rules == ["ST-03"])
        #expect(findings.first?.file == name)
    }

    @Test(arguments: ["..geojson", "a..b/unit.geojson", "a/...json", "ünit:x.geojson"])
    func `hostile zip: odd names are accepted`(name: String) {
        #expect(throws: Never.self) { try ArchiveReader().read(bytes: self.archive([.init(name, "{}")]).bytes) }
    }

    @Test func `hostile zip: the length of names is limited`() throws {
        let name = String(repeating: "n", count: 1_024)
        let accepted = try ArchiveReader().read(bytes: self.archive([self.unit, .init(name, "")]).bytes)
        #expect(accepted.features.count == 2)
        #expect(Fixture.rejection(self.archive([self.unit, .init(name + "n", "")]).bytes).rules == ["ST-02"])
    }

    @Test func `hostile zip: the combining marks of a name are limited`() throws {
        let marks = String(repeating: "\u{301}", count: 30)
        let accepted = try ArchiveReader().read(bytes: self.archive([self.unit, .init("n" + marks, "")]).bytes)
        #expect(accepted.features.count == 2)
        #expect(Fixture.rejection(self.archive([self.unit, .init("n\u{301}" + marks, "")]).bytes).rules == ["ST-02"])
    }

    @Test func `hostile zip: symbolic links are refused`() {
        var entry = self.unit
        entry.attributes = 0o120777 << 16
        #expect(Fixture.rejection(self.archive([entry]).bytes).rules == ["ST-03"])
        entry.attributes = 0o100644 << 16
        #expect(throws: Never.self) { try ArchiveReader().read(bytes: self.archive([entry]).bytes) }
    }

    @Test(arguments: ["unit.geojson", "Unit.GeoJSON", "MANIFEST.json"])
    func `hostile zip: names that differ only in case are refused`(name: String) {
        var entry = self.unit
        entry.name = Array(name.utf8)
        let findings = Fixture.rejection(self.archive([self.unit, entry]).bytes)
        #expect(findings.rules == ["ST-03"] && findings.first?.file == name)
    }

    @Test func `hostile zip: different names that are not UTF-8 stay different`() throws {
        let files = [[0x82, 0xA0], [0x82, 0xA2]].map {
            HandmadeZip.Entry($0 + Array(".geojson".utf8), Array("{}".utf8))
        }
        #expect(try ArchiveReader().read(bytes: self.archive(files).bytes).findings.with("ST-07").count == 2)
    }

    @Test func `hostile zip: all hostile entries are reported together`() {
        var encrypted = self.unit
        encrypted.flags = 1
        let findings = Fixture.rejection(self.archive([encrypted, .init("../x", ""), .init("/y", "")]).bytes)
        #expect(findings.rules == ["ST-01", "ST-03", "ST-03"])
    }
}

/// What is bounded, with small bounds.
@Suite struct BoundsTests {
    private let zeros = ("zeros.bin", String(repeating: "0", count: 3 << 20))

    private func packed(_ files: [(name: String, content: String)]) throws -> [UInt8] {
        try ArchiveWriter.zip(
            ([Fixture.manifest, Fixture.venue] + files).map {
                ArchiveFile(name: $0.name, content: Array($0.content.utf8))
            })
    }

    @Test func `hostile zip: the size of the archive and the number of entries are limited`() throws {
        var limits = ArchiveLimits()
        let bytes = Fixture.zip([])
        limits.archiveBytes = bytes.count
        limits.entries = 2
        #expect(throws: Never.self) { try ArchiveReader(limits: limits).read(bytes: bytes) }
        limits.archiveBytes -= 1
        #expect(Fixture.rejection(bytes, limits: limits).rules == ["ST-02"])
        limits.archiveBytes += 1
        limits.entries = 1
        #expect(Fixture.rejection(bytes, limits: limits).rules == ["ST-02"])
    }

    @Test func `hostile zip: the compression ratio is limited, also in ignored files`() throws {
        let bytes = try self.packed([self.zeros])
        let findings = Fixture.rejection(bytes)
        #expect(findings.rules == ["ST-02"] && findings.first?.file == "zeros.bin")
        var limits = ArchiveLimits()
        limits.compressionRatio = 2_000
        #expect(throws: Never.self) { try ArchiveReader(limits: limits).read(bytes: bytes) }
        limits = ArchiveLimits()
        limits.bytesWithoutRatio = 4 << 20
        #expect(throws: Never.self) { try ArchiveReader(limits: limits).read(bytes: bytes) }
    }

    @Test func `hostile zip: the length of an entry is limited, whatever its header declares`() throws {
        var limits = ArchiveLimits()
        limits.entryBytes = 100_000
        let long = String(repeating: " ", count: 150_000)
        #expect(Fixture.rejection([("a.json", long)], limits: limits).rules == ["ST-02"])
        var entry = HandmadeZip.Entry("a.json", long)
        entry.deflate()
        entry.size = 10
        var zip = HandmadeZip([Fixture.manifest, Fixture.venue])
        zip.entries.append(entry)
        // The lie is found either by counting or by libzip at the end of the entry.
        let findings = Fixture.rejection(zip.bytes, limits: limits)
        #expect(findings.count == 1 && ["ST-01", "ST-02"].contains(findings.first?.rule))
    }

    @Test func `hostile zip: the total length of entries is limited`() {
        var limits = ArchiveLimits()
        limits.uncompressedBytes = 250_000
        let files = (1...5).map { ("\($0).json", #"{"a":"\#(String(repeating: "x", count: 90_000))"}"#) }
        #expect(throws: Never.self) { try Fixture.read(Array(files.prefix(2)), limits: limits) }
        #expect(Fixture.rejection(files, limits: limits).rules == ["ST-02"])
    }
}
