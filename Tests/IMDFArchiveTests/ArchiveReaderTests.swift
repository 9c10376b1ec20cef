import Foundation
import IMDF
import IMDFArchive
import Testing

@Suite struct ArchiveReaderTests {
    @Test func `archive reading: features are sorted by id and have canonical bodies`() throws {
        let unit = """
            { "type" : "Feature",
              "properties": {"name": {"ja": "モール", "en": "Mall\\u0021"}, "category": "room", "area": 1.50},
              "id": "\(Fixture.id(7))", "feature_type": "unit",
              "geometry": {"type": "Polygon", "coordinates": [[[139.76712340, 35.0], [1e2, -0.0], [139.76712340, 35.0]]]}
            }
            """
        let archive = try Fixture.read([("unit.geojson", Fixture.collection([unit, Fixture.feature(3, "unit")]))])
        #expect(archive.features.map(\.id) == [Fixture.id(0), Fixture.id(3), Fixture.id(7)])
        #expect(archive.features.map(\.type) == [.venue, .unit, .unit])
        #expect(
            archive.body(7) == """
                {"feature_type":"unit","geometry":{"coordinates":[[[139.7671234,35],[100,0],[139.7671234,35]]],\
                "type":"Polygon"},"id":"\(Fixture.id(7))","properties":{"area":1.5,"category":"room",\
                "name":{"en":"Mall!","ja":"モール"}},"type":"Feature"}
                """)
        #expect(archive.findings.isEmpty)
        #expect(archive.manifest?["version"] == "1.0.0")
    }

    @Test func `archive reading: a deleted file is read and stays open`() throws {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        let bytes = Fixture.zip([("unit.geojson", Fixture.collection([Fixture.feature(1, "unit")]))])
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
        fflush(file)
        for _ in 0..<2 {
            let archive = try ArchiveReader().read(fileDescriptor: fileno(file))
            #expect(archive.features.count == 2)
        }
        #expect(throws: ArchiveReadingError.self) { try ArchiveReader().read(fileDescriptor: -1) }
    }

    @Test func `archive reading: the location of a feature is known`() throws {
        let archive = try Fixture.read([
            ("a/unit.geojson", Fixture.collection([Fixture.feature(9, "unit"), Fixture.feature(4, "unit")])),
            ("a/level.geojson", Fixture.feature(5, "level")),
        ])
        let location = try #require(archive.location(of: Fixture.id(4)))
        #expect(location.file == "a/unit.geojson" && location.pointer == "/features/1")
        let alone = try #require(archive.location(of: Fixture.id(5)))
        #expect(alone.file == "a/level.geojson" && alone.pointer == nil)
        #expect(archive.location(of: Fixture.id(77)) == nil)
    }

    @Test(arguments: ["export", "Users/ana/My venues/é"])
    func `archive reading: files in folders are read, and metadata of macOS is ignored`(folder: String) throws {
        let archive = try ArchiveReader().read(
            bytes: HandmadeZip([
                (folder + "/", ""), (folder + "/manifest.json", Fixture.manifest.content),
                (folder + "/venue.geojson", Fixture.venue.content), ("__MACOSX/\(folder)/._venue.geojson", "\u{5}"),
                (folder + "/._unit.geojson", "\u{5}"), (folder + "/.DS_Store", "Bud1"),
            ]).bytes)
        #expect(archive.features.count == 1)
        #expect(archive.manifest != nil)
        #expect(archive.findings.rules == ["ST-04"])
        #expect(archive.findings[0].severity == .info && archive.findings[0].message.contains(folder))
    }

    @Test func `archive reading: a type may have several files, in folders and with the extension json`() throws {
        let archive = try Fixture.read([
            ("L1/unit.geojson", Fixture.collection([Fixture.feature(1, "unit")])),
            ("L2/unit.geojson", Fixture.collection([Fixture.feature(2, "unit")])),
            ("LEVEL.JSON", Fixture.collection([Fixture.feature(3, "level")])),
        ])
        #expect(archive.features.count == 4)
        #expect(archive.findings.rules == ["ST-04"])
    }

    @Test func `archive reading: byte order marks and Windows line endings are accepted`() throws {
        let text = Fixture.collection([Fixture.feature(1, "unit")]).replacing(",", with: ",\r\n")
        let archive = try Fixture.read([("unit.geojson", "\u{FEFF}" + text)])
        #expect(archive.features.count == 2)
        #expect(archive.findings.rules == ["ST-06"])
        #expect(archive.findings[0].severity == .warning && archive.findings[0].file == "unit.geojson")
    }

    @Test func `archive reading: files that are not JSON are one finding`() throws {
        let archive = try Fixture.read([("README.md", "# Hi"), ("plan.png", "\u{1}"), ("LICENSE", "")])
        #expect(archive.findings.count == 1)
        #expect(archive.findings[0].rule == "ST-04" && archive.findings[0].severity == .info)
        #expect(archive.findings[0].message.contains("2 other files"))
    }

    @Test(arguments: [
        "[]", "12", "{}", #"{"type":"Topology","features":[]}"#, #"{"name":"app","features":["login","chat"]}"#,
        #"{"type":"FeatureCollection"}"#, #"{"type":"FeatureCollection","features":{}}"#,
        #"{"type":"Feature","features":[]}"#,
    ])
    func `archive reading: JSON that is not a FeatureCollection is not read`(text: String) throws {
        let archive = try Fixture.read([("stray.json", text)])
        #expect(archive.features.count == 1)
        #expect(archive.findings.rules == ["ST-07"])
        #expect(archive.findings[0].severity == .error && archive.findings[0].file == "stray.json")
    }

    @Test func `archive reading: a file with a single feature is read, with its unknown members`() throws {
        let text = Fixture.feature(1, "unit").dropLast() + #","features":7,"extra":[1.0]}"#
        let archive = try Fixture.read([("unit.geojson", String(text))])
        #expect(archive.body(1)?.contains(#""extra":[1],"feature_type":"unit","features":7,"#) == true)
        #expect(archive.findings.rules == ["ST-07"])
    }

    @Test func `archive reading: the type of a FeatureCollection may be last or missing`() throws {
        let features = "[\(Fixture.feature(1, "unit"))]"
        let last = try Fixture.read([("unit.geojson", #"{"features":\#(features),"type":"FeatureCollection"}"#)])
        #expect(last.features.count == 2 && last.findings.isEmpty)
        let never = try Fixture.read([("unit.geojson", #"{"features":\#(features)}"#)])
        #expect(never.features.count == 2 && never.findings.rules == ["ST-07"])
    }

    @Test func `archive reading: the last of two lists of features is used`() throws {
        let text = """
            {"type":"FeatureCollection","features":[{"id":"u1"}, \(Fixture.feature(1, "unit"))],\
            "\\u0066eatures":[\(Fixture.feature(2, "unit"))]}
            """
        let archive = try Fixture.read([("unit.geojson", text)])
        #expect(archive.features.map(\.id) == [Fixture.id(0), Fixture.id(2)])
        #expect(archive.findings.rules == ["ST-17"])
    }

    @Test func `archive reading: unknown members of collections are dropped, those of features are kept`() throws {
        let feature = #"{"zz":null,"bbox":[1,2],"#.dropLast() + "," + Fixture.feature(1, "unit").dropFirst()
        let text = #"{"type":"FeatureCollection","name":"unit","crs":{"type":"name"},"features":[\#(feature)]}"#
        let archive = try Fixture.read([("unit.geojson", text)])
        #expect(archive.body(1)?.hasPrefix(#"{"bbox":[1,2],"feature_type":"unit","#) == true)
        #expect(archive.body(1)?.hasSuffix(#""type":"Feature","zz":null}"#) == true)
    }
}
