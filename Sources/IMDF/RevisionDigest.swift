import SystemCrypto

/// The digest of a level, which verifies a replica of it: SHA-256 over the level's bodies in the order of their ids, each followed by
/// a line feed. The digest of a level without features is that of no bytes.
///
/// Canonical JSON contains no line feed, so different lists of bodies are different bytes.
public struct LevelDigest: Sendable {
    private var hasher = SHA256()

    public init() {}

    /// Adds the next body.
    ///
    /// - Precondition: bodies are added in the ascending order of their features' ids.
    public mutating func add(body: [UInt8]) {
        body.withUnsafeBytes { self.add(body: $0) }
    }

    /// Adds the next body from unowned memory.
    public mutating func add(body: UnsafeRawBufferPointer) {
        self.hasher.update(body)
        withUnsafeBytes(of: UInt8(ascii: "\n")) { self.hasher.update($0) }
    }

    /// The digest of the bodies so far. More bodies may be added afterwards.
    public func finalize() -> Digest {
        Digest(thirtyTwo: self.hasher.finalize())
    }
}

/// The digest of a revision, which verifies a replica of it: SHA-256 over the lines `<level id> <level digest>\n`, first with `-` for
/// the venue-wide part, then for every level by id, including empty ones; then over the canonical manifest, if there is one.
public enum RevisionDigest {
    /// - Parameters:
    ///   - levels: every level feature of the revision, in any order.
    ///   - manifest: the canonical text of the manifest without `created` and `generated_by`; nil if there is none.
    public static func digest(
        venueWide: Digest, levels: [(id: FeatureID, digest: Digest)], manifest: [UInt8]?
    ) -> Digest {
        var text = Array("- \(venueWide)\n".utf8)
        for level in levels.sorted(by: { $0.id < $1.id }) {
            text.append(contentsOf: "\(level.id) \(level.digest)\n".utf8)
        }
        text.append(contentsOf: manifest ?? [])
        return Digest(of: text)
    }
}
