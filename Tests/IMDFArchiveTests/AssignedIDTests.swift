import Foundation
import IMDF
import IMDFArchive
import SampleVenue
import Testing

/// Ids that are not UUIDs, and ids of features of several types, as careless tools write them.
@Suite struct AssignedIDTests {
    private static let venue = Fixture.id(0)

    private func assigned(_ name: String) -> FeatureID { FeatureID(name: name.utf8, namespace: Self.venue) }

    private func feature(_ id: String, _ type: String, _ properties: String = "{}") -> String {
        #"{"id":\#(id),"type":"Feature","feature_type":"\#(type)","geometry":null,"properties":\#(properties)}"#
    }

    private func body(_ archive: Archive, _ id: FeatureID) -> String? {
        archive.features.first { $0.id == id }.map { String(decoding: $0.body, as: UTF8.self) }
    }

    @Test func `assigned ids: an id that is not a UUID gets one of the venue and the id, and is kept`() throws {
        let unit = self.feature(#""U-1""#, "unit", #"{"level_id":" L0\n","name":{"en":"L0"},"note":"L0"}"#)
        var archive = try Fixture.read([
            ("unit.geojson", Fixture.collection([unit])),
            ("level.geojson", Fixture.collection([self.feature(#""L0""#, "level")])),
        ])
        archive.resolveReferences(base: [])
        let (level, id) = (self.assigned("L0"), self.assigned("U-1"))
        // References follow where IMDF declares them; other texts stay.
        #expect(
            self.body(archive, id)
                == #"{"feature_type":"unit","geometry":null,"id":"\#(id)","original_id":"U-1","properties":{"level_id":"\#(level)","name":{"en":"L0"},"note":"L0"},"type":"Feature"}"#
        )
        #expect(archive.features.first { $0.id == id }?.references == [Reference(role: .level, target: level)])
        #expect(self.body(archive, level)?.contains(#""original_id":"L0""#) == true)
        let findings = archive.findings
        #expect(findings.rules == ["ST-10"] && findings[0].severity == .warning)
        #expect(findings[0].message.hasPrefix("2 features have ids that are not UUIDs"))
        #expect(findings[0].file == "unit.geojson" && findings[0].pointer == "/features/0")
    }

    @Test func `assigned ids: members and references are as long as they are written`() throws {
        let level = self.feature(#""L""#, "level")
        func archive(_ references: Int, units: Int = 1) -> [(String, String)] {
            let list = Array(repeating: #""L""#, count: references).joined(separator: ",")
            let units = (0..<units).map { self.feature(#""U\#($0)""#, "geofence", #"{"level_ids":[\#(list)]}"#) }
            return [
                ("geofence.geojson", Fixture.collection(units)), ("level.geojson", Fixture.collection([level])),
            ]
        }
        // An id takes 39 bytes in a list.
        let long = Fixture.rejection(archive(6_800))
        #expect(long.map(\.message) == ["The feature's property “level_ids” is longer than 256 KiB."])
        #expect(throws: Never.self) { try Fixture.read(archive(6_700)) }
        var limits = ArchiveLimits()
        limits.referenceGrowthBytes = 350 * 100
        let grown = Fixture.rejection(archive(100, units: 20), limits: limits)
        #expect(grown.rules == ["ST-02"] && grown.first?.pointer == "/features/9")
        #expect(throws: Never.self) { try Fixture.read(archive(100, units: 9), limits: limits) }
    }

    @Test func `assigned ids: a number is an id like its text`() throws {
        let units = [
            self.feature("7", "unit", #"{"level_id":12}"#), self.feature(#""8""#, "unit", #"{"level_id":"12"}"#),
        ]
        var archive = try Fixture.read([
            ("unit.geojson", Fixture.collection(units)),
            ("level.geojson", Fixture.collection([self.feature("1.2e1", "level")])),
        ])
        archive.resolveReferences(base: [])
        let level = self.assigned("12")
        for name in ["7", "8"] {
            #expect(archive.features.first { $0.id == self.assigned(name) }?.references.map(\.target) == [level])
        }
        #expect(self.body(archive, level)?.contains(#""original_id":"12""#) == true)
    }

    @Test func `assigned ids: ids of several types are told apart, also by references`() throws {
        for (text, isUUID) in [(#""1""#, false), ("1", false), (#""\#(Fixture.id(1))""#, true)] {
            let name = isUUID ? "\(Fixture.id(1))" : "1"
            let ends = { (type: String) in #"{"id":\#(text),"feature_type":"\#(type)"}"# }
            var archive = try Fixture.read([
                (
                    "relationship.geojson",
                    Fixture.collection([
                        Fixture.feature(
                            5, "relationship",
                            properties:
                                #"{"origin":\#(ends("unit")),"intermediary":[\#(ends("opening"))],"destination":\#(ends("level"))}"#
                        )
                    ])
                ),
                ("opening.geojson", Fixture.collection([self.feature(text, "opening", #"{"level_id":\#(text)}"#)])),
                ("anchor.geojson", Fixture.collection([self.feature(text, "anchor", #"{"unit_id":\#(text)}"#)])),
                ("occupant.geojson", Fixture.collection([self.feature(text, "occupant", #"{"anchor_id":\#(text)}"#)])),
                ("unit.geojson", Fixture.collection([self.feature(text, "unit", #"{"level_id":\#(text)}"#)])),
                ("level.geojson", Fixture.collection([self.feature(text, "level")])),
            ])
            archive.resolveReferences(base: [])
            let level = isUUID ? Fixture.id(1) : self.assigned(name)
            let id = { (type: String) in type == "level" ? level : self.assigned("\(type) \(name)") }
            func targets(_ type: FeatureType) -> [FeatureID] {
                archive.features.first { $0.type == type }?.references.map(\.target) ?? []
            }
            for type in ["level", "unit", "opening", "anchor", "occupant"] {
                #expect(archive.features.first { $0.type.rawValue == type }?.id == id(type), "\(text) \(type)")
            }
            #expect(targets(.unit) == [level] && targets(.opening) == [level])
            #expect(targets(.anchor) == [id("unit")] && targets(.occupant) == [id("anchor")])
            #expect(Set(targets(.relationship)) == [id("unit"), id("opening"), level])
            #expect(archive.findings.rules == [isUUID ? "ST-09" : "ST-10"])
        }
    }

    @Test func `assigned ids: the id of the venue may be any text, and others depend on it`() throws {
        func read(_ venue: String) throws -> Archive {
            let files = [
                Fixture.manifest, ("unit.geojson", Fixture.collection([self.feature(#""1""#, "unit")])),
                ("venue.geojson", Fixture.collection([self.feature(#""\#(venue)""#, "venue")])),
            ]
            return try ArchiveReader().read(bytes: HandmadeZip(files).bytes)
        }
        let (one, again, other) = (try read("mall"), try read("mall"), try read("campus"))
        #expect(one.features == again.features)
        #expect(Set(one.features.map(\.id)).isDisjoint(with: other.features.map(\.id)))
        let venue = try #require(one.features.first { $0.type == .venue }?.id)
        #expect(one.features.contains { $0.id == FeatureID(name: "1".utf8, namespace: venue) })
    }

    @Test func `assigned ids: two features of one type with one id are one or block`() throws {
        let units = [#"{"x":1}"#, #"{"x":1}"#].map { self.feature(#""u""#, "unit", $0) }
        let archive = try Fixture.read([("unit.geojson", Fixture.collection(units))])
        #expect(archive.features.count == 2 && archive.findings.rules.sorted() == ["ST-09", "ST-10"])
        let changed = units + [self.feature(#""u""#, "unit", #"{"x":2}"#)]
        #expect(Fixture.rejection([("unit.geojson", Fixture.collection(changed))]).rules == ["ST-09"])
        // An id that an archive assigns by itself is not a way around that.
        let taken = [self.feature(#""u""#, "unit"), self.feature(#""\#(self.assigned("u"))""#, "unit", #"{"x":1}"#)]
        #expect(Fixture.rejection([("unit.geojson", Fixture.collection(taken))]).rules == ["ST-09"])
    }

    @Test func `assigned ids: strict ids reject every fault`() throws {
        var random = SplitMix64(seed: 1)
        for kind in IDFault.Kind.allCases {
            var venue = SampleVenue(.small)
            venue.damageIDs([kind], count: 1, using: &random)
            let bytes = try venue.archive()
            let findings = Fixture.rejection(bytes, ids: .strict)
            #expect(findings.count == 1 && ["ST-08", "ST-09", "ST-10"].contains(findings.first?.rule), "\(kind)")
            #expect(throws: Never.self) { try ArchiveReader().read(bytes: bytes) }
        }
        let clean = try SampleVenue(.small).archive()
        let strict = try ArchiveReader(repairsIDs: false).read(bytes: clean)
        #expect(strict.features == (try ArchiveReader().read(bytes: clean)).features)
    }

    /// An archive with faults is the one without them, with other ids.
    @Test(arguments: 0..<12 as Range<UInt64>)
    func `assigned ids: an archive with faults differs from the one without by ids only`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var venue = SampleVenue(.init(levels: 3, unitsPerLevel: 12, seed: seed))
        let count = Int.random(in: 1...6, using: &random)
        venue.damageIDs(count: count, using: &random)
        if seed.isMultiple(of: 2) { _ = venue.apply(try Edit.parse(list: "noise"), seed: seed) }
        let read = try ArchiveReader().read(bytes: venue.archive())

        var ids: [FeatureID: FeatureID] = [:]
        let namespace = try #require(venue.features.first { $0.type == .venue }?.id)
        for feature in venue.features {
            let name: String
            switch venue.style.idFaults[feature.id] {
            case .text(let text): name = text
            case .number(let number): name = "\(number)"
            case .shared(let other):
                let type = try #require(venue.features.first { $0.id == other }?.type)
                // One of both keeps the id.
                guard !read.features.contains(where: { $0.id == other && $0.type == feature.type }) else {
                    ids[feature.id] = other
                    ids[other] = FeatureID(name: "\(type.rawValue) \(other)".utf8, namespace: namespace)
                    continue
                }
                name = "\(feature.type.rawValue) \(other)"
            default: continue
            }
            ids[feature.id] = FeatureID(name: name.utf8, namespace: namespace)
        }
        var expected = venue
        expected.style.idFaults = [:]
        for index in expected.features.indices { expected.features[index].replace(ids) }
        let clean = try ArchiveReader().read(bytes: expected.archive())
        #expect(read.features.map(\.id) == clean.features.map(\.id))
        let reader = JSONReader()
        for (feature, other) in zip(read.features, clean.features) {
            var (one, two) = (try reader.value(of: feature.body).object, try reader.value(of: other.body).object)
            one?["original_id"] = .none
            // A feature whose id was in its properties keeps it there.
            var properties = one?["properties"]?.object
            properties?["id"] = .none
            if let properties { one?["properties"] = .object(properties) }
            two?["original_id"] = .none
            #expect(one == two, "\(feature.type.rawValue) \(feature.id)")
        }
        // One finding of each kind, whatever the number of files.
        let repairs = read.findings.filter { ["ST-08", "ST-09"].contains($0.rule) || $0.message.contains("not UUIDs") }
        #expect(repairs.count <= 4 && repairs.allSatisfy { $0.severity == .warning })
        #expect(read.findings.count { $0.message.contains("the id in the properties") } == 1)

        // What was read is written with the new ids, and read again without a repair.
        let files = ArchiveWriter.files(
            of: read.features.lazy.map { ($0.type, $0.body) }, manifest: read.manifest, fileNames: read.fileNames)
        let again = try ArchiveReader(repairsIDs: false).read(bytes: ArchiveWriter.zip(files))
        #expect(again.features.map(\.body) == read.features.map(\.body))
    }
}
