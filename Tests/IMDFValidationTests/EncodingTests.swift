import Foundation
import IMDF
import IMDFArchive
import IMDFValidation
import SampleVenue
import Testing

/// Files in encodings other than UTF-8.
@Suite struct EncodingTests {
    @Test(arguments: [
        (String.Encoding.utf16LittleEndian, true, "UTF-16"), (.utf16BigEndian, true, "UTF-16"),
        (.utf16LittleEndian, false, "UTF-16"), (.utf16BigEndian, false, "UTF-16"),
        (.utf32LittleEndian, true, "UTF-32"), (.utf32BigEndian, true, "UTF-32"),
        (.utf32LittleEndian, false, "UTF-32"), (.utf32BigEndian, false, "UTF-32"),
    ])
    func `a file in another encoding is named as such`(
        encoding: String.Encoding, hasMark: Bool, name: String
    ) throws {
        for file in ["unit.geojson", "manifest.json", "venue.geojson"] {
            var archive = TestArchive.clean
            archive.editFiles = { files in
                guard let index = files.firstIndex(where: { $0.name == file }) else { return }
                let text = String(decoding: files[index].content, as: UTF8.self)
                files[index].content = [UInt8]((hasMark ? "\u{FEFF}\(text)" : text).data(using: encoding) ?? Data())
            }
            let report = try archive.report()
            let findings = report.findings.filter { $0.rule == "ST-06" }
            #expect(findings.map(\.message) == ["The file is encoded in \(name); it must be UTF-8."])
            #expect(findings.first?.file == file)
        }
    }

    /// Texts in encodings that are not UTF-8, and what is no text.
    @Test(
        arguments: [
            ("Latin-1, é", [0xE9]), ("Windows-1252, –", [0x96]), ("Latin-2, Ž", [0xAE]),
            ("Windows-1251, Кафе", [0xCA, 0xE0, 0xF4, 0xE5]),
            ("Mac Roman, é", [0x8E]), ("Shift JIS, 喫茶店", [0x8B, 0x69, 0x92, 0x83, 0x93, 0x58]),
            ("EUC-JP, 喫茶店", [0xB5, 0xCA, 0xC3, 0xE3, 0xC5, 0xB9]), ("GBK, 店", [0xB5, 0xEA]), ("Big5, 店", [0xA9, 0xB1]),
            ("an overlong sequence", [0xC0, 0xAF]), ("a surrogate", [0xED, 0xA0, 0x80]),
            ("a sequence that is cut off", [0xE5, 0xBA]),
        ] as [(String, [UInt8])])
    func `a file in an encoding of one byte or two has a finding that says that it is not UTF-8`(
        name: String, text: [UInt8]
    ) throws {
        var archive = TestArchive.clean
        let bytes = [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
        archive.editFiles = { files in
            guard let index = files.firstIndex(where: { $0.name == "unit.geojson" }) else { return }
            guard let range = files[index].content.firstRange(of: Array(#""unit""#.utf8)) else { return }
            files[index].content.replaceSubrange(range, with: bytes)
        }
        let findings = try archive.report().findings.filter { $0.rule == "ST-06" && $0.file == "unit.geojson" }
        #expect(findings.count == 1 && findings[0].message.contains("UTF-8"), "\(name) \(findings.map(\.message))")
    }

    @Test func `a byte order mark of UTF-8 is no fault that loses anything`() throws {
        var archive = TestArchive.clean
        let before = try archive.report().ruleCounts
        archive.editFiles = { files in
            for index in files.indices { files[index].content.insert(contentsOf: [0xEF, 0xBB, 0xBF], at: 0) }
        }
        let after = try archive.report().ruleCounts
        #expect(after.filter { $0.key != "ST-06" } == before.filter { $0.key != "ST-06" })
    }
}
