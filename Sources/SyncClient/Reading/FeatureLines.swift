import IMDF

/// Bodies of a received text, with the id and the type of each.
///
/// It is made before a transaction needs it, so that the thread that writes only passes bytes to SQLite.
struct FeatureLines: Sendable {
    struct Feature: Sendable {
        let line: FeatureLine
        /// The range of the body in ``FeatureLines/text``.
        let body: Range<Int>
    }

    let text: [UInt8]
    /// In the order of their ids, in which rows are read later and indexes are made sooner. Those with equal ids are in the order of the
    /// text, because the last one stays.
    let features: [Feature]

    /// - Throws: ``SyncError/malformed(_:)`` for a body that is not a feature.
    init(_ bodies: [Range<Int>], of text: [UInt8]) throws {
        self.text = text
        self.features = try text.withUnsafeBytes { bytes in
            try bodies.map { body in
                let bytes = UnsafeRawBufferPointer(rebasing: bytes[body])
                guard let line = FeatureLine(bytes) else {
                    throw SyncError.malformed("not a feature: \(String(decoding: bytes.prefix(60), as: UTF8.self))")
                }
                return Feature(line: line, body: body)
            }
        }.sorted { ($0.line.id, $0.body.lowerBound) < ($1.line.id, $1.body.lowerBound) }
    }

    /// The digest of a level that has these features and no others, provided that their ids are unique.
    func levelDigest() -> Digest {
        var digest = LevelDigest()
        self.text.withUnsafeBytes { bytes in
            for feature in self.features {
                digest.add(body: UnsafeRawBufferPointer(rebasing: bytes[feature.body]))
            }
        }
        return digest.finalize()
    }
}
