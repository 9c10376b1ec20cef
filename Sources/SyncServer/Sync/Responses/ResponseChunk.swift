package import IMDF
package import RevisionStore

/// A part of the text of a large response, of some 100 kB: read from the database in one statement, compressed on its own, and
/// cached for all responses that contain it.
package struct ResponseChunk: Sendable {
    package enum Part: Sendable {
        case text([UInt8])
        /// Feature bodies, each followed by a comma and a line break; the last one of a list by the line break alone.
        case bodies(ArraySlice<VersionSummary>, Source, isEnd: Bool)
    }

    /// Where bodies are read.
    package struct Source: Sendable {
        package let venue: VenueRecord
        /// The revision in which the bodies hold, if the read model may not know it yet; 0 for any.
        package let revision: Int64
        /// Whether the bodies are those that strict decoders receive, and some of them differ from the stored ones.
        package var isStrict: Bool

        package init(venue: VenueRecord, revision: Int64 = 0, isStrict: Bool = false) {
            self.venue = venue
            self.revision = revision
            self.isStrict = isStrict
        }
    }

    package let parts: [Part]
    /// The length of the text in bytes.
    package let length: Int
    /// Chunks with equal digests have equal texts. It covers the texts themselves and the identities of the bodies, so that
    /// responses to other queries about other revisions share chunks.
    package let digest: Digest

    /// - Parameter generation: The generation of the read model: in another one the same identities may stand for other bodies.
    init(_ parts: [Part], length: Int, generation: Int) {
        self.parts = parts
        self.length = length
        var identity: [UInt8] = []
        identity.append(generation)
        for part in parts {
            switch part {
            case .text(let text):
                identity.append(text.count)
                identity += text
            case .bodies(let versions, let source, let isEnd):
                identity.append(isEnd ? -2 : -1)
                identity.append(Int(source.venue.id))
                identity.append(Int(source.venue.epoch))
                identity.append(source.isStrict ? StrictProfile.edition : 0)
                identity.append(versions.count)
                identity.reserveCapacity(identity.count + 24 * versions.count)
                for version in versions {
                    identity.append(Int(bitPattern: UInt(version.feature.high)))
                    identity.append(Int(bitPattern: UInt(version.feature.low)))
                    identity.append(Int(version.fromRevision))
                }
            }
        }
        self.digest = Digest(of: identity)
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ number: Int) {
        Swift.withUnsafeBytes(of: number.littleEndian) { self.append(contentsOf: $0) }
    }
}
