import Foundation
import IMDF
import IMDFArchive
import SampleVenue
import Testing

@Suite struct ArchiveWriterTests {
    private func files(
        _ features: [(FeatureType, String)], manifest: JSONObject? = nil, names: [FeatureType: String] = [:]
    ) -> [ArchiveFile] {
        ArchiveWriter.files(
            of: features.map { (type: $0.0, body: Array($0.1.utf8)) }, manifest: manifest, fileNames: names)
    }

    private func text(_ name: String, in files: [ArchiveFile]) -> String? {
        files.first { $0.name == name }.map { String(decoding: $0.content, as: UTF8.self) }
    }

    @Test func `archive writing: every standard type has a file, with one body per line`() throws {
        let files = self.files(
            [(.unit, #"{"a":1}"#), (.venue, "{}"), (.unit, #"{"a":2}"#)], manifest: ["version": "1.0.0"])
        #expect(files.map(\.name) == ["manifest.json"] + FeatureType.standard.map { "\($0.rawValue).geojson" })
        #expect(self.text("manifest.json", in: files) == "{\"version\":\"1.0.0\"}\n")
        #expect(
            self.text("unit.geojson", in: files)
                == "{\"type\":\"FeatureCollection\",\"features\":[\n{\"a\":1},\n{\"a\":2}\n]}\n")
        let empty = try #require(self.text("kiosk.geojson", in: files))
        #expect(try JSONReader.value(of: Array(empty.utf8)) == ["type": "FeatureCollection", "features": []])
    }

    @Test func `archive writing: undeclared types have their file names and may share one`() {
        let path = FeatureType(rawValue: "navPath")
        let door = FeatureType(rawValue: "doors")
        let tree = FeatureType(rawValue: "tree")
        let files = self.files([(path, "1"), (door, "2"), (tree, "3")], names: [path: "nav.json", door: "nav.json"])
        #expect(files.map(\.name).suffix(2) == ["nav.json", "tree.geojson"])
        #expect(self.text("nav.json", in: files)?.contains("\n2,\n1\n") == true)
    }

    @Test(arguments: [
        "../evil.geojson", "a/b.geojson", "manifest.json", "Manifest.JSON", ".geojson", "._x.geojson", "x.txt",
        "x y.geojson",
        "é.geojson", "", String(repeating: "a", count: 93) + ".geojson", "-x.geojson",
    ])
    func `archive writing: unsafe file names are not used`(name: String) {
        let path = FeatureType(rawValue: "navPath")
        #expect(self.files([(path, "1")], names: [path: name]).last?.name == "navPath.geojson")
        let odd = FeatureType(rawValue: "../" + name)
        #expect(self.files([(odd, "1")], names: [odd: name]).last?.name == "extension-1.geojson")
    }

    @Test func `archive writing: file names that differ only in case are merged`() {
        let types = ["a", "b", "c"].map { FeatureType(rawValue: $0) }
        let names = [types[0]: "Things.geojson", types[1]: "things.geojson", types[2]: "UNIT.geojson"]
        let files = self.files(types.map { ($0, "1") }, names: names)
        #expect(files.last?.name == "Things.geojson")
        #expect(files.count == 17)
        #expect(self.text("unit.geojson", in: files)?.contains("1") == true)
    }

    @Test func `archive writing: equal content has equal bytes, readable by other tools`() throws {
        let files = self.files([(.unit, #"{"a":1}"#)])
        let bytes = try ArchiveWriter.zip(files)
        #expect(try ArchiveWriter.zip(files) == bytes)
        // 1 January 1980, 0:00.
        #expect(Array(bytes[10..<14]) == [0, 0, 0x21, 0])
    }

    @Test func `archive writing: empty and long files are written`() throws {
        let long = [UInt8](repeating: 65, count: 300_000)
        let bytes = try ArchiveWriter.zip([
            ArchiveFile(name: "a.txt", content: []), ArchiveFile(name: "b.txt", content: long),
            ArchiveFile(name: "venue.geojson", content: Array(Fixture.venue.content.utf8)),
        ])
        #expect(try ArchiveReader().read(bytes: bytes).features.count == 1)
    }

    @Test func `archive writing: an archive that is made in files has the same bytes`() throws {
        var random = SplitMix64(seed: 2)
        let files = [
            ArchiveFile(name: "a.txt", content: []),
            ArchiveFile(name: "b.bin", content: (0..<300_000).map { _ in UInt8.random(in: 0...15, using: &random) }),
            ArchiveFile(name: "c.txt", content: Array("third".utf8)),
        ]
        let contents = try TemporaryFile()
        var parts: [(name: String, content: ArchiveWriter.Content)] = []
        for file in files {
            let start = contents.count
            try contents.append(file.content)
            parts.append((file.name, .part(contents, start..<contents.count)))
        }
        let output = try TemporaryFile()
        try ArchiveWriter.zip(parts, to: output)
        #expect(try output.bytes(from: 0, limit: .max) == ArchiveWriter.zip(files))
    }

    @Test func `archive writing: a full disk is reported as such`() throws {
        let full = TemporaryFile(descriptor: open("/dev/full", O_RDWR))
        let error = #expect(throws: TemporaryFile.Unwritable.self) {
            try ArchiveWriter.zip([("a.txt", .bytes(Array("first".utf8)))], to: full)
        }
        #expect(error?.isDiskFull == true && error?.description.contains("No space left on device") == true)
        #expect(throws: TemporaryFile.Unwritable.self) { try full.append([1]) }
    }

    @Test func `archive writing: a content that cannot be read is an error`() throws {
        let contents = try TemporaryFile()
        try contents.append([1, 2, 3])
        #expect(throws: ArchiveWritingError.self) {
            try ArchiveWriter.zip([("a.txt", .part(contents, 0..<4))], to: TemporaryFile())
        }
    }

    @Test func `archive writing: cancellation ends it soon`() {
        // Random bytes, so that there is something to pack.
        var random = SplitMix64(seed: 1)
        let file = ArchiveFile(
            name: "a.bin", content: (0..<1 << 20).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        var questions = 0
        #expect(throws: CancellationError.self) {
            try ArchiveWriter.zip([file]) {
                questions += 1
                return questions > 3
            }
        }
        // Once more by us, to know why it ended.
        #expect(questions == 5)
    }
}
