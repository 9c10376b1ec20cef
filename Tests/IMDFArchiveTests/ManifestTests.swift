import IMDF
import IMDFArchive
import Testing

@Suite struct ManifestTests {
    @Test func `manifest: all members are kept`() throws {
        let text = #"{"version":"1.0.0","origin":"ABCDEF00-0000-4000-8000-000000000001","x":{"b":[1],"a":null}}"#
        let archive = try ArchiveReader().read(bytes: HandmadeZip([("manifest.json", text), Fixture.venue]).bytes)
        #expect(
            archive.manifest == [
                "version": "1.0.0", "origin": "ABCDEF00-0000-4000-8000-000000000001", "x": ["a": nil, "b": [1]],
            ])
        #expect(archive.findings.isEmpty)
    }

    @Test func `manifest: an archive without one is read, with an error`() throws {
        let archive = try ArchiveReader().read(bytes: HandmadeZip([Fixture.venue]).bytes)
        #expect(archive.manifest == nil)
        #expect(archive.findings.rules == ["ST-05"] && archive.findings[0].severity == .error)
    }

    @Test func `manifest: the first object of an array is read, with a warning`() throws {
        let text = #"[{"version":"1.0.0"},{"version":"2"}]"#
        let archive = try ArchiveReader().read(bytes: HandmadeZip([("manifest.json", text), Fixture.venue]).bytes)
        #expect(archive.manifest == ["version": "1.0.0"])
        #expect(archive.findings.rules == ["ST-05"] && archive.findings[0].severity == .warning)
    }

    @Test func `manifest: a value that is not an object is ignored`() throws {
        let archive = try ArchiveReader().read(bytes: HandmadeZip([("manifest.json", "[]"), Fixture.venue]).bytes)
        #expect(archive.manifest == nil)
        #expect(archive.findings.rules == ["ST-05"] && archive.findings[0].file == "manifest.json")
    }

    @Test func `manifest: the one in the fewest folders is used, then the first by name`() throws {
        let archive = try ArchiveReader().read(
            bytes: HandmadeZip([
                ("a/b/manifest.json", #"{"version":"1"}"#), ("c/Manifest.JSON", #"{"version":"2"}"#),
                ("b/manifest.json", #"{"version":"3"}"#), Fixture.venue,
            ]).bytes)
        #expect(archive.manifest == ["version": "3"])
        let findings = archive.findings.with("ST-05")
        #expect(findings.map(\.file) == ["c/Manifest.JSON", "a/b/manifest.json"])
        #expect(findings.allSatisfy { $0.severity == .warning })
    }

    @Test func `manifest: its content omits members that change with every export`() {
        #expect(
            ArchiveManifest.content(of: ["version": "1.0.0", "created": "now", "generated_by": "x", "origin": "o"])
                == ["version": "1.0.0", "origin": "o"])
        #expect(ArchiveManifest.content(of: ["created": "now"]) == nil)
        #expect(ArchiveManifest.content(of: [:]) == nil)
    }
}
