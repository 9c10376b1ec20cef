import IMDF
import IMDFValidation
import SampleVenue
import Testing

/// What the rules take for a value, seen through what they report.
@Suite struct ValueTests {
    private func breaks(_ rule: String, _ type: FeatureType, _ property: String, _ value: JSONValue) throws -> Bool {
        var archive = TestArchive.clean
        try archive.edit(type) { $0[property] = value }
        return try archive.report(RuleSelection(only: [rule])).findings.count > 0
    }

    @Test(arguments: [
        "en", "EN", "ja-JP", "zh-Hant-TW", "zh-yue-HK", "sl-rozaj-biske", "de-CH-1901", "es-419", "en-US-u-islamcal",
        "en-a-bbb-x-a-ccc", "x-whatever", "i-klingon", "qaa-Qaaa-QM-x-southern", "hsb", "de-Latn-DE-1996", "mul",
        "sr-Latn",
    ])
    func `language tags: tags of RFC 5646 are accepted`(tag: String) throws {
        #expect(try !self.breaks("PV-03", .unit, "name", [tag: "A"]))
    }

    @Test(arguments: [
        "", "e", "english", "eng", "xq", "en_US", "en-", "-en", "en--US", "en-UK2", "zh-Hant-Hant", "de-DE-1901-1901",
        "en-a",
        "en-a-b", "x", "x-", "a-DE", "de-419-DE", "ar-a-aaa-b-bbb-a-ccc", "日本語", "en-QQQQ", "und-OZ",
    ])
    func `language tags: other texts are refused`(tag: String) throws {
        #expect(try self.breaks("PV-03", .unit, "name", [tag: "A"]))
    }

    @Test(arguments: [
        "24/7", "Mo-Fr 08:00-20:00", "Su-Sa 09:00-17:00", "PH 9:00-17:00", "Mo,We,Fr 10:00-12:00,13:00-18:30",
        "Mo-Sa 10:00-20:00; Su,PH off", "Fr-Sa 18:00-26:00", "Mo-Su 07:00-24:00", "18:00+", "sunrise-sunset",
        "(sunrise+01:00)-(sunset-00:30)", "Mar-Oct: Mo-Fr 10:00-18:00", "Dec 25 off", "Dec 24-26 off",
        "2031 Jan 01-2031 Mar 31 10:00-16:00", "week 01-20 Mo 10:00-12:00", "week 1,3,5: Mo off", "easter -2 days off",
        "Tu[1] 10:00-12:00", "Su[-1] off", "Mo-Fr 10:00-18:00 \"by appointment\"", "\"ask\"", "Mo-Fr", "off", "open",
        "Mo-Fr 09:00-17:00, Sa 10:00-14:00", "Mo-Fr 09:00-17:00 || \"call us\"", "Jan-Mar,Oct 10:00-16:00",
        "SH Mo-Fr 10:00-12:00", "PH,Mo 10:00-12:00", "Mo-Fr 08:00-17:00;", "2031 10:00-12:00",
    ])
    func `opening hours: the syntax is accepted`(hours: String) throws {
        #expect(try !self.breaks("PV-07", .venue, "hours", .string(hours)))
    }

    @Test(arguments: [
        "8:00 am to 5:00 pm", "24h", "Mo to Fr 9-5", "Mon-Fri 09:00-17:00", "Mo-Fr 25:00-26:00", "Mo-Fr 10:60-12:00",
        "Mo-",
        "Mo-Fr 10:00", "10-18", "Mo-Fr 10:00-49:00", "9:00-17:00 Mo-Fr", ";", "Mo-Fr 10:00-12:00,", "Tu[6] 10:00-12:00",
        "week 54 off", "\"open end", "always", "Mo Fr 10:00-12:00", "10:00-12:00 13:00-14:00",
        "月〜金 10:00-18:00",
    ])
    func `opening hours: prose is refused`(hours: String) throws {
        #expect(try self.breaks("PV-07", .venue, "hours", .string(hours)))
    }

    @Test(arguments: [
        ("Closed", "off"), ("Temporarily Closed", "off"), ("Mon-Fri 9-5", "Mo-Fr 09:00-17:00"), ("24h", "00:00-24:00"),
        ("Mo-Su 05:00 - Last Flight", nil),
    ])
    func `opening hours: the finding says how prose is read`(hours: String, reading: String?) throws {
        var archive = TestArchive.clean
        try archive.edit(.venue) { $0["hours"] = .string(hours) }
        let message = try archive.report(RuleSelection(only: ["PV-07"])).findings.first?.message ?? ""
        #expect(message.hasSuffix(reading.map { "; it is read as “\($0)”." } ?? "the syntax of opening_hours."))
    }

    @Test(arguments: [
        ("+81455550100", true), ("+1234567", true), ("+12", true), ("+1", false), ("+0123456", false),
        ("81455550100", false),
        ("+1234567890123456", false), ("+81-45-555", false), ("+８１４５", false), ("", false), ("+81455550100 ", false),
    ])
    func `telephone numbers: the form is that of E.164`(phone: String, isValid: Bool) throws {
        #expect(try self.breaks("PV-08", .venue, "phone", .string(phone)) != isValid)
    }

    @Test(arguments: [
        ("2025-04-01T09:00:00+09:00", true), ("2025-04-01T09:00:00.123456+03:00", true), ("2024-02-29T00:00:00Z", true),
        ("2023-02-29T00:00:00Z", false), ("2025-13-01T00:00:00Z", false), ("2025-04-01T24:00:00Z", false),
        ("2025-04-01 09:00:00Z", false), ("2025-04-01", false), ("2025-04-01T09:00Z", false), ("", false),
        ("2025-04-01T09:00:00+9:00", false), ("2025-04-01T09:00:00Zulu", false),
    ])
    func `times: the form is that of ISO 8601`(time: String, isValid: Bool) throws {
        var archive = TestArchive.clean
        archive.venue.manifest["created"] = .string(time)
        #expect(try archive.report(RuleSelection(only: ["MF-02"])).findings.isEmpty == isValid)
    }

    @Test(arguments: [
        ("imdf:extension:a:b#1", true), ("imdf:extension:big-company:internal#1.0.0", true),
        ("imdf:extension:a:b", false),
        ("imdf:extension:-a:b#1", false), ("imdf:extension:a:b#1.", false), ("imdf:extension:a:b:c#1", false),
        ("extension:a:b#1", false), ("imdf:extension::b#1", false), ("imdf:extension:a:b#1#2", false),
    ])
    func `extensions: the name has the standard's form`(name: String, isValid: Bool) throws {
        var archive = TestArchive.clean
        archive.venue.manifest["extensions"] = [.string(name)]
        #expect(try archive.report(RuleSelection(only: ["MF-04"])).findings.isEmpty == isValid)
    }
}
