import IMDF
import IMDFValidation
import SampleVenue

extension RulePair {
    static let manifest: [RulePair] = [
        .member("MF-01", named: "version", breaks: "2.0.0", keeps: "1.0.0"),
        .member("MF-01", .warning, named: "version", breaks: "1.0.0.rc.1", keeps: "1.0.0"),
        .member("MF-01", named: "version", breaks: .null, keeps: "1.0.0"),
        .member("MF-02", named: "created", breaks: "yesterday", keeps: "2025-04-01T09:00:00.25Z"),
        .member("MF-02", named: "created", breaks: "2025-02-29T09:00:00Z", keeps: "2024-02-29T09:00:00Z"),
        .member(
            "MF-02", .warning, named: "created", breaks: "2025-04-01T09:00:00", keeps: "2025-04-01T09:00:00+09:00"),
        .member("MF-03", along: ["MF-07"], named: "language", breaks: "Japanese", keeps: "ja-Jpan-JP"),
        .member(
            "MF-04", named: "extensions", breaks: ["imdf:extension:example.jp"],
            keeps: ["imdf:extension:example.jp:a#1"]),
        .member("MF-04", named: "extensions", breaks: "imdf:extension:example.jp:a#1", keeps: .null),
        .member("MF-05", named: "created", breaks: "2025-04-02T01:00:00Z", keeps: "2025-04-02T00:00:00Z"),
        RulePair("MF-05", "created before the published archive", along: ["RV"]) { archive in
            archive.follow { $0.created = "2025-04-01T09:00:01+09:00" }
        } keeps: { archive in
            archive.follow { $0.created = "2025-04-01T09:00:00+09:00" }
        },
        RulePair("MF-06", "another origin", along: ["RV"]) { archive in
            archive.venue.manifest["origin"] = FeatureID.unknown.json
            archive.follow { $0.manifest["origin"] = "5f0c1a52-6f0e-4d3b-9a38-0d6b9a0f3c11" }
        } keeps: { archive in
            archive.venue.manifest["origin"] = FeatureID.unknown.json
            archive.follow { $0.manifest["origin"] = FeatureID.unknown.json }
        },
        .value("MF-07", of: .unit, "name", breaks: ["en": "Stockroom"], keeps: ["ja": "倉庫"]),
    ]
}
