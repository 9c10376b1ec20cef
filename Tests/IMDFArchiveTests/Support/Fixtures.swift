import IMDF
import IMDFArchive
import Testing

/// Small archives.
enum Fixture {
    static let manifest = (
        name: "manifest.json",
        content: #"{"version":"1.0.0","created":"2024-01-01T00:00:00Z","language":"en","generated_by":"hand"}"#
    )
    static let venue = (name: "venue.geojson", content: collection([feature(0, "venue")]))

    static func id(_ number: Int) -> FeatureID {
        FeatureID(high: 0x4000, low: 0x8000_0000_0000_0000 | UInt64(number))
    }

    static func feature(_ number: Int, _ type: String, properties: String = "{}", geometry: String = "null") -> String {
        """
        {"id":"\(self.id(number))","type":"Feature","feature_type":"\(type)","geometry":\(geometry),\
        "properties":\(properties)}
        """
    }

    static func collection(_ features: [String]) -> String {
        #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}"
    }

    /// An archive with a manifest and a venue beside these files.
    static func zip(_ files: [(name: String, content: String)]) -> [UInt8] {
        HandmadeZip([self.manifest, self.venue] + files).bytes
    }

    static func read(
        _ files: [(name: String, content: String)], limits: ArchiveLimits = ArchiveLimits()
    ) throws -> Archive {
        try ArchiveReader(limits: limits).read(bytes: self.zip(files))
    }

    /// What happens to ids that cannot be used.
    enum IDs {
        case repaired, strict
    }

    /// What keeps an archive out.
    static func rejection(
        _ bytes: [UInt8], limits: ArchiveLimits = ArchiveLimits(), ids: IDs = .repaired,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> [Finding] {
        do {
            let archive = try ArchiveReader(limits: limits, repairsIDs: ids == .repaired).read(bytes: bytes)
            Issue.record("read \(archive.features.count) features", sourceLocation: sourceLocation)
        } catch let rejection as ArchiveRejection {
            return rejection.findings
        } catch {
            Issue.record(error, sourceLocation: sourceLocation)
        }
        return []
    }

    static func rejection(
        _ files: [(name: String, content: String)], limits: ArchiveLimits = ArchiveLimits(), ids: IDs = .repaired,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> [Finding] {
        self.rejection(self.zip(files), limits: limits, ids: ids, sourceLocation: sourceLocation)
    }
}

extension Archive {
    func body(_ number: Int) -> String? {
        self.features.first { $0.id == Fixture.id(number) }.map { String(decoding: $0.body, as: UTF8.self) }
    }

    func references(_ number: Int) -> [Reference] {
        self.features.first { $0.id == Fixture.id(number) }?.references ?? []
    }
}

extension [Finding] {
    func with(_ rule: String) -> [Finding] { self.filter { $0.rule == rule } }

    var rules: [String] { self.map(\.rule) }
}
