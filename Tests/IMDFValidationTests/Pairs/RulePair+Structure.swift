import IMDF
import IMDFArchive
import SampleVenue

extension RulePair {
    static let structure: [RulePair] = container + files + features + members

    private static let container: [RulePair] = [
        RulePair("ST-01", "not a zip file") { archive in
            archive.bytes = Array("This is a letter, not a zip archive; it is long enough for one, though.".utf8)
        } keeps: { _ in
        },
        RulePair("ST-02", "nested too deeply", along: ["ST-18"]) { archive in
            try archive.edit(.detail) { $0["nested"] = Self.nested(140) }
        } keeps: { archive in
            try archive.edit(.detail) { $0["nested"] = Self.nested(100) }
        },
        RulePair("ST-02", "31 combining marks in a row") { archive in
            try archive.edit(.unit) { $0["name"] = ["ja": .string("A" + String(repeating: "\u{301}", count: 31))] }
        } keeps: { archive in
            try archive.edit(.unit) { $0["name"] = ["ja": .string("A" + String(repeating: "\u{301}", count: 30))] }
        },
        RulePair("ST-03", "two names that differ in case", along: ["ST-04"]) { archive in
            archive.editFiles = {
                $0 += [ArchiveFile(name: "a.txt", content: []), ArchiveFile(name: "A.TXT", content: [])]
            }
        } keeps: { archive in
            archive.editFiles = {
                $0 += [ArchiveFile(name: "a.txt", content: []), ArchiveFile(name: "b.txt", content: [])]
            }
        },
        RulePair("ST-04", "a file that is not part of IMDF") { archive in
            archive.add(file: "readme.txt", "Hello")
        } keeps: { archive in
            archive.add(file: "__MACOSX/._unit.geojson", "Hello")
        },
        RulePair("ST-05", "no manifest") { archive in
            archive.venue.manifest = [:]
        } keeps: { _ in
        },
    ]

    private static func nested(_ depth: Int) -> JSONValue {
        (0..<depth).reduce(JSONValue.bool(true)) { value, _ in .array([value]) }
    }

    private static let empty = #"{"type":"FeatureCollection","features":[]}"#

    private static let files: [RulePair] = [
        RulePair("ST-06", "broken JSON") { archive in
            archive.add(file: "more.geojson", #"{"type":"FeatureCollection","features":[],}"#)
        } keeps: { archive in
            archive.add(file: "more.geojson", Self.empty)
        },
        RulePair("ST-07", "no FeatureCollection") { archive in
            archive.add(file: "more.geojson", #"{"type":"Topology","features":[]}"#)
        } keeps: { archive in
            archive.add(file: "more.geojson", Self.empty)
        },
        RulePair("ST-12", "details in the file of fixtures") { archive in
            archive.venue.fileNames[.detail] = "fixture.geojson"
        } keeps: { archive in
            archive.venue.fileNames[.detail] = "DETAIL.geojson"
        },
        RulePair("ST-12", "a file with another name", .warning) { archive in
            archive.venue.fileNames[.detail] = "lines.geojson"
        } keeps: { archive in
            archive.venue.fileNames[.detail] = "Detail.json"
        },
        RulePair("ST-13", "an undeclared type") { archive in
            archive.copy(try archive.first(.amenity)) { $0.type = .attraction }
        } keeps: { archive in
            archive.copy(try archive.first(.amenity)) { $0.type = .attraction }
            archive.venue.manifest["extensions"] = ["imdf:extension:example.jp:attractions#1.0.0"]
        },
        RulePair("ST-13", "a standard type in another case") { archive in
            archive.copy(try archive.first(.amenity)) { $0.type = FeatureType(rawValue: "Amenity") }
            archive.venue.manifest["extensions"] = ["imdf:extension:example.jp:attractions#1.0.0"]
        } keeps: { archive in
            archive.copy(try archive.first(.amenity)) { $0.type = FeatureType(rawValue: "Attraction") }
            archive.venue.manifest["extensions"] = ["imdf:extension:example.jp:attractions#1.0.0"]
        },
    ]

    private static let features: [RulePair] = [
        .file(
            "ST-06", along: ["GE"], in: "detail.geojson", replace: #""geometry""#, breaks: #""shape""#,
            keeps: #""geometry""#),
        .file("ST-08", in: "detail.geojson", replace: #""id""#, breaks: #""ident""#, keeps: #""id""#),
        RulePair("ST-09", "a duplicate id") { archive in
            let detail = try archive.first(.detail)
            archive.copy(detail) {
                $0.id = detail.id
                $0["note"] = "another"
            }
        } keeps: { archive in
            archive.copy(try archive.first(.detail))
        },
        RulePair("ST-10", "a UUID of version 1", .warning) { archive in
            try archive.edit(.detail) { $0.id = FeatureID("2c1f0a52-6f0e-1d3b-9a38-0d6b9a0f3c11")! }
        } keeps: { archive in
            try archive.edit(.detail) { $0.id = .unknown }
        },
        .file(
            "ST-10", in: "detail.geojson", replace: #""id""#, breaks: #""id": " ", "ident""#, keeps: #""id""#),
        .file(
            "ST-11", in: "detail.geojson", replace: #""feature_type""#, breaks: #""kind""#, keeps: #""feature_type""#),
        .value(
            "ST-14", along: ["RQ-05"], of: .detail, "level_id", breaks: FeatureID.unknown.json, keeps: .null),
        RulePair("ST-15", "a detail that refers to a unit as its level") { archive in
            let unit = try archive.first(.unit)
            try archive.edit(.detail) { $0["level_id"] = unit.id.json }
        } keeps: { archive in
            let level = try archive.first(.level)
            try archive.edit(.detail) { $0["level_id"] = level.id.json }
        },
        RulePair("ST-16", "no venue", along: ["RQ-16"]) { archive in
            archive.remove(.venue)
        } keeps: { _ in
        },
        .file(
            "ST-17", along: ["RQ-05"], in: "detail.geojson", replace: #""properties""#, breaks: #""attributes""#,
            keeps: #""properties""#),
        .file(
            "ST-17", .warning, in: "detail.geojson", replace: #""properties""#,
            breaks: #""properties": {}, "properties""#,
            keeps: #""properties""#),
    ]

    private static let members: [RulePair] = [
        .value("ST-18", of: .unit, "area_code", breaks: "Z1", keeps: .null),
        .file(
            "ST-18", in: "detail.geojson", replace: #""features""#, breaks: #""crs": {"type": "name"}, "features""#,
            keeps: #""title": {"type": "name"}, "features""#),
    ]
}
