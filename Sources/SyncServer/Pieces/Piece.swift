package import IMDF
package import RevisionStore

/// A part of the text of a large reply, of some 100 kB: what is read from the database at once, compressed apart from the rest and
/// kept for all replies in which it stands.
package struct Piece: Sendable {
    package enum Part: Sendable {
        case text([UInt8])
        /// Bodies, each with a comma and the end of a line behind it, or the end of a line alone behind the last.
        case bodies(ArraySlice<VersionSummary>, Source, isEnd: Bool)
    }

    /// Where bodies are read.
    package struct Source: Sendable {
        package let venue: VenueRecord
        /// At which they hold, where that may not be known yet of the venue; 0 for any.
        package let revision: Int64

        package init(venue: VenueRecord, revision: Int64 = 0) {
            self.venue = venue
            self.revision = revision
        }
    }

    package let parts: [Part]
    /// Bytes of the text.
    package let length: Int
    /// Equal digests, equal texts: made of the texts themselves and of what names a body for good, so that replies to other
    /// questions about other revisions have their pieces in common.
    package let digest: Digest

    /// - Parameter history: Of the node: in another one the same names may stand for other bodies.
    init(_ parts: [Part], length: Int, history: Int) {
        self.parts = parts
        self.length = length
        var names: [UInt8] = []
        names.append(history)
        for part in parts {
            switch part {
            case .text(let text):
                names.append(text.count)
                names += text
            case .bodies(let versions, let source, let isEnd):
                names.append(isEnd ? -2 : -1)
                names.append(Int(source.venue.id))
                names.append(Int(source.venue.epoch))
                names.append(versions.count)
                names.reserveCapacity(names.count + 24 * versions.count)
                for version in versions {
                    names.append(Int(bitPattern: UInt(version.feature.high)))
                    names.append(Int(bitPattern: UInt(version.feature.low)))
                    names.append(Int(version.fromRevision))
                }
            }
        }
        self.digest = Digest(of: names)
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ number: Int) {
        Swift.withUnsafeBytes(of: number.littleEndian) { self.append(contentsOf: $0) }
    }
}
