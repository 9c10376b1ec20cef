import Foundation
import IMDF
import IMDFArchive
import SampleVenue

/// The seeds of the fuzzers: generated venues, as a whole and file by file.
enum Seeds {
    static let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 4, customExtension: true))
    static let manifest = CanonicalJSON.data(.object(venue.manifest))

    static func write(to folder: URL) throws {
        var counts: [String: Int] = [:]
        func add(_ fuzzer: String, _ bytes: [UInt8]) throws {
            let directory = folder.appending(path: fuzzer)
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            counts[fuzzer, default: 0] += 1
            try Data(bytes).write(to: directory.appending(path: "seed-\(counts[fuzzer, default: 0])"))
        }
        for edits in ["", "noise", "remint"] {
            var venue = Self.venue
            if !edits.isEmpty { _ = venue.apply(try Edit.parse(list: edits), seed: 5) }
            try add("archive", venue.archive())
            // Single files are read faster and mutated sooner.
            for file in venue.files() {
                try add("archive", ArchiveWriter.zip([file]))
                try add("writer", file.content)
            }
        }
        for feature in Self.venue.features {
            try add("writer", CanonicalJSON.data(.object(feature.body)))
        }
        for text in ["1e-7", "1e21", "-0.0", "123456789012345678", "5e-324", "\"\\u20ac\\ud83d\\ude00\"", "[[],{}]"] {
            try add("writer", Array(text.utf8))
        }
        // One feature of each type, alone and together.
        var first: [FeatureType: SampleFeature] = [:]
        for feature in Self.venue.features where first[feature.type] == nil { first[feature.type] = feature }
        let features = first.values.sorted { $0.type.rank < $1.type.rank }.map { JSONValue.object($0.body) }
        try add("validator", CanonicalJSON.data(["type": "FeatureCollection", "features": .array(features)]))
        for feature in features {
            try add(
                "validator", CanonicalJSON.data(["type": "FeatureCollection", "features": [features[0], feature]]))
        }
        for document in Self.deltas() { try add("delta", document) }
        var random = SplitMix64(seed: 9)
        for length in [8, 16, 64, 256] {
            try add("validator", (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }
}
