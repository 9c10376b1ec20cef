import IMDF
import IMDFArchive
import SampleVenue
import Testing

/// Lists that are written as texts, as after a conversion through tables.
@Suite struct TextListTests {
    /// The ids of two features in the place of `A` and `B`.
    private static func text(_ value: String) -> String {
        value.replacing("A", with: "\(Fixture.id(1))").replacing("B", with: "\(Fixture.id(2))")
    }

    /// Two buildings and levels, and a feature of a type that refers to them.
    private static func read(_ type: String, _ properties: String) throws -> Archive {
        let (buildings, levels) = ([1, 2], [11, 12])
        var archive = try Fixture.read([
            ("building.geojson", Fixture.collection(buildings.map { Fixture.feature($0, "building") })),
            ("level.geojson", Fixture.collection(levels.map { Fixture.feature($0, "level") })),
            ("other.geojson", Fixture.collection([Fixture.feature(3, type, properties: self.text(properties))])),
        ])
        archive.resolveReferences(base: [])
        return archive
    }

    @Test(arguments: [
        #""(2:A,B)""#, #"" (2: A , B)\n""#, #""[\"A\",\"B\"]""#, #""[ \"A\", \"B\" ]""#, #""[\n\"A\",\n\" B\"\n]""#,
    ])
    func `text lists: a list of ids is read where IMDF declares one`(value: String) throws {
        let archive = try Self.read("footprint", #"{"building_ids":\#(value)}"#)
        #expect(archive.body(3)?.contains(Self.text(#""building_ids":["A","B"]"#)) == true)
        #expect(archive.references(3) == [1, 2].map { Reference(role: .buildings, target: Fixture.id($0)) })
        let findings = archive.findings
        #expect(findings.rules == ["PV-20"] && findings[0].severity == .warning)
        #expect(findings[0].featureID == Fixture.id(3) && findings[0].file == "other.geojson")
        #expect(findings[0].message.hasPrefix("1 feature has lists that are written as text, such as “"))
    }

    @Test(arguments: [#""(0:)""#, #""[]""#, #""[ ]""#])
    func `text lists: a list may be empty`(value: String) throws {
        let archive = try Self.read("footprint", #"{"building_ids":\#(value)}"#)
        #expect(archive.body(3)?.contains(#""building_ids":[]"#) == true && archive.findings.rules == ["PV-20"])
    }

    @Test(arguments: [
        "A", "A,B", "(A)", "(A,B)", "(:A)", "(x:A)", "(1:A,B)", "(3:A,B)", "(3:A,B,...)", "(2:A,...)", "(1:...)",
        "(2:A,)", "(2:A,B", "[A]",
        #"[\"A\",]"#, #"[\"A\" \"B\"]"#, #"[\"A\\\"]"#, "()", "(", "",
    ])
    func `text lists: what is no list, or was cut off, is kept`(value: String) throws {
        let archive = try Self.read("footprint", #"{"building_ids":"\#(value)"}"#)
        #expect(archive.body(3)?.contains(Self.text(#""building_ids":"\#(value)""#)) == true)
        #expect(archive.findings.isEmpty)
    }

    @Test func `text lists: a longer text than lists have is kept`() throws {
        for (count, isRead) in [(1_700, true), (2_000, false)] {
            let ids = Array(repeating: "\(Fixture.id(1))", count: count).joined(separator: ",")
            let archive = try Self.read("footprint", #"{"building_ids":"(\#(count):\#(ids))"}"#)
            #expect(archive.references(3).isEmpty != isRead && archive.findings.isEmpty != isRead)
        }
        // What is refused costs nothing: an item for each comma would be a gigabyte.
        let commas = String(repeating: ",", count: 8 << 20)
        let archive = try? Self.read("footprint", #"{"building_ids":"(1:\#(commas))"}"#)
        #expect(archive?.findings.with("PV-20").isEmpty ?? true)
    }

    @Test func `text lists: numbers are ids, too`() throws {
        for value in ["(2:17,18)", #"[ 17, \"18\" ]"#] {
            var archive = try Fixture.read([
                (
                    "building.geojson",
                    Fixture.collection(
                        [17, 18].map {
                            #"{"id":\#($0),"type":"Feature","feature_type":"building","geometry":null,"properties":{}}"#
                        })
                ),
                (
                    "level.geojson",
                    Fixture.collection([Fixture.feature(9, "level", properties: #"{"building_ids":"\#(value)"}"#)])
                ),
            ])
            archive.resolveReferences(base: [])
            let buildings = archive.features.filter { $0.type == .building }.map(\.id)
            let level = try #require(archive.features.first { $0.type == .level })
            #expect(buildings.count == 2 && Set(level.references.map(\.target)) == Set(buildings), "\(value)")
        }
    }

    @Test func `text lists: where IMDF declares one id, a list of one is that id`() throws {
        let opening = try Self.read("opening", #"{"level_id":"(1:B)"}"#)
        #expect(opening.references(3) == [Reference(role: .level, target: Fixture.id(2))])
        #expect(opening.body(3)?.contains(Self.text(#""level_id":"B""#)) == true)
        let two = try Self.read("opening", #"{"level_id":"(2:A,B)"}"#)
        #expect(two.body(3)?.contains(Self.text(#""level_id":"(2:A,B)""#)) == true && two.findings.isEmpty)
    }

    @Test func `text lists: words are read where IMDF lists them, and any other text is kept`() throws {
        let properties =
            #"{"access_control":"[ \"badgereader\" ]","accessibility":"(2:wheelchair,audio)","#
            + #""name":{"en":"(1:A)"},"note":"(1:A)"}"#
        let archive = try Self.read("opening", properties)
        let body = try #require(archive.body(3))
        #expect(body.contains(#""access_control":["badgereader"],"accessibility":["wheelchair","audio"]"#))
        #expect(body.contains(Self.text(#""name":{"en":"(1:A)"},"note":"(1:A)""#)))
        #expect(archive.findings.rules == ["PV-20"])
    }

    @Test func `text lists: references follow ids that are not UUIDs`() throws {
        func feature(_ id: String, _ type: String, _ properties: String = "{}") -> String {
            #"{"id":"\#(id)","type":"Feature","feature_type":"\#(type)","geometry":null,"properties":\#(properties)}"#
        }
        var archive = try Fixture.read([
            ("building.geojson", Fixture.collection(["b1", "b 2"].map { feature($0, "building") })),
            ("level.geojson", Fixture.collection([feature("L0", "level", #"{"building_ids":"(2:b1,b 2)"}"#)])),
        ])
        archive.resolveReferences(base: [])
        let buildings = archive.features.filter { $0.type == .building }.map(\.id)
        let level = try #require(archive.features.first { $0.type == .level })
        #expect(buildings.count == 2 && Set(level.references.map(\.target)) == Set(buildings))
        #expect(archive.findings.rules == ["ST-10", "PV-20"])
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `text lists: an archive with them is the one without, unless ids are strict`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 12, seed: seed))
        var written = venue
        let count = written.writeListsAsText(using: &random)
        let bytes = try written.archive()
        var (clean, read) = (try ArchiveReader().read(bytes: venue.archive()), try ArchiveReader().read(bytes: bytes))
        clean.resolveReferences(base: [])
        read.resolveReferences(base: [])
        #expect(read.features == clean.features)
        let findings = read.findings.with("PV-20")
        #expect(findings.count == 1 && findings[0].message.hasPrefix("\(count) features have lists"))
        let strict = try ArchiveReader(repairsIDs: false).read(bytes: bytes)
        #expect(strict.findings.with("PV-20").isEmpty)
        #expect(zip(strict.features, clean.features).count { $0.body != $1.body } == count)

        // What was read is written as lists, and read again without a finding.
        let files = ArchiveWriter.files(
            of: read.features.lazy.map { ($0.type, $0.body) }, manifest: read.manifest, fileNames: read.fileNames)
        let again = try ArchiveReader(repairsIDs: false).read(bytes: ArchiveWriter.zip(files))
        #expect(again.features.map(\.body) == read.features.map(\.body) && again.findings.with("PV-20").isEmpty)
    }
}
