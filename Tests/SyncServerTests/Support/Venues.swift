import Foundation
import IMDF
import IMDFArchive
import SampleVenue
import Testing

extension SampleVenue {
    /// Two levels with a few shops, an annex and a plaza.
    static let tiny = SampleVenue(.init(levels: 2, unitsPerLevel: 6))
    /// Like `tiny`, with a type, members and a manifest that IMDF does not define.
    static let extended = SampleVenue(.init(levels: 2, unitsPerLevel: 12, customExtension: true))

    func edited(_ edits: Edit..., seed: UInt64 = 1) -> SampleVenue {
        var next = self
        _ = next.apply(edits, seed: seed)
        return next
    }

    /// The canonical bodies of all features.
    var bodies: [FeatureID: [UInt8]] {
        Dictionary(
            self.features.map { ($0.id, CanonicalJSON.data(.object($0.body))) }, uniquingKeysWith: { first, _ in first }
        )
    }

    func feature(_ id: FeatureID) -> SampleFeature? { self.features.first { $0.id == id } }

    /// The features that are different or missing in another state of the venue.
    func features(otherThanIn other: SampleVenue) -> [SampleFeature] {
        let bodies = other.bodies
        return self.features.filter { bodies[$0.id] != CanonicalJSON.data(.object($0.body)) }
    }

    func ids(of type: FeatureType) -> Set<FeatureID> {
        Set(self.features.filter { $0.type == type }.map(\.id))
    }
}

/// Archives and features with exactly the given content.
enum Handmade {
    static let manifest: JSONValue = [
        "version": "1.0.0", "language": "en", "created": "2024-01-01T00:00:00Z", "generated_by": "hand",
    ]

    static func id(_ number: Int) -> FeatureID {
        FeatureID(high: 0x4000, low: 0x8000_0000_0000_0000 | UInt64(number))
    }

    /// The id of a body.
    static func id(of body: [UInt8]) throws -> FeatureID {
        try #require(JSONReader.value(of: body)["id"]?.string.flatMap { FeatureID($0) })
    }

    static func reference(_ number: Int) -> JSONValue { .string(self.id(number).description) }

    static func feature(
        _ number: Int, _ type: FeatureType, _ properties: JSONValue = [:], geometry: JSONValue = .null
    ) -> JSONValue {
        [
            "id": self.reference(number), "type": "Feature", "feature_type": .string(type.rawValue),
            "geometry": geometry,
            "properties": properties,
        ]
    }

    /// A square with sides of `size` degrees, about a hundred metres by default.
    static func square(_ size: Double = 0.001) -> JSONValue {
        let corners = [(0.0, 0.0), (size, 0.0), (size, size), (0.0, size), (0.0, 0.0)]
        let ring = corners.map { JSONValue.array([.number(139.7 + $0.0), .number(35.6 + $0.1)]) }
        return ["type": "Polygon", "coordinates": [.array(ring)]]
    }

    static let point: JSONValue = ["type": "Point", "coordinates": [139.7005, 35.6005]]

    static func collection(_ features: [JSONValue]) -> [UInt8] {
        CanonicalJSON.data(["type": "FeatureCollection", "features": .array(features)])
    }

    /// An archive with a file for every type and the manifest.
    static func zip(_ features: [JSONValue], and files: [ArchiveFile] = []) throws -> [UInt8] {
        let types = Dictionary(grouping: features) { $0["feature_type"]?.string ?? "" }
        let collections = types.sorted { $0.key < $1.key }.map { type, features in
            ArchiveFile(name: "\(type).geojson", content: self.collection(features))
        }
        let manifest = ArchiveFile(name: "manifest.json", content: CanonicalJSON.data(self.manifest))
        return try ArchiveWriter.zip([manifest] + collections + files)
    }
}
