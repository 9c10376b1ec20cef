package import Compression
package import IMDF
package import NIOCore
package import RevisionStore
import SyncModel
import Synchronization

/// Pieces of replies, as many as fit into a bound: each is read once and compressed once, however many ask for it, also at the same
/// moment.
package final class PieceCache: Sendable {
    /// A piece as it is sent in some coding.
    package struct Name: Hashable, Sendable {
        let text: Digest
        let coding: ContentCoding?
        let place: Int

        /// - Parameter offset: How much text comes before it.
        package init(_ text: Digest, in coding: ContentCoding?, at offset: Int) {
            self.text = text
            self.coding = coding
            self.place = coding?.place(of: offset) ?? 0
        }
    }

    package struct Ready: Sendable {
        package let bytes: ByteBuffer
        /// Of one that is compressed.
        package let seam: EncodedPiece.Seam?
    }

    package typealias Reading =
        @Sendable (ArraySlice<VersionSummary>, Piece.Source) async throws -> [[UInt8]]

    private let kept: LRUCache<Name, Ready>
    /// Texts that were read lately, for those who want them in another coding.
    private let texts: LRUCache<Digest, ByteBuffer>
    private let flights = SingleFlight<Name, Ready>()
    private let readings = SingleFlight<Digest, ByteBuffer>()
    private let bodies: Reading

    /// - Parameters:
    ///   - bytes: What all pieces may take together, as they are sent.
    ///   - textBytes: The same of texts that were read to be compressed.
    ///   - bodies: Reads some bodies, in one statement.
    package init(bytes: Int = 48 << 20, textBytes: Int = 8 << 20, bodies: @escaping Reading) {
        self.kept = LRUCache(cost: bytes)
        self.texts = LRUCache(cost: textBytes)
        self.bodies = bodies
    }

    /// What it takes to keep a piece beside its bytes.
    private static let overhead = 256

    package func kept(_ name: Name) -> Ready? { self.kept.value(for: name) }

    /// A piece that is kept, or is worked out now. Who waits for it and goes away breaks nothing off; an error is not kept.
    ///
    /// - Parameter piece: The one with this name.
    package func ready(
        _ name: Name, _ piece: @escaping @Sendable () async throws -> Piece
    ) async throws -> Ready {
        try await self.flights.value(for: name) {
            if let ready = self.kept(name) { return ready }
            let text = try await self.text(of: piece())
            var ready = Ready(bytes: text, seam: nil)
            if let coding = name.coding {
                let encoded = try coding.encodedPiece(Array(text.readableBytesView), at: name.place)
                ready = Ready(bytes: ByteBuffer(bytes: encoded.bytes), seam: encoded.seam)
            }
            self.kept.keep(ready, for: name, cost: ready.bytes.readableBytes + Self.overhead)
            return ready
        }
    }

    /// How many wait for pieces that are being made.
    package var waiting: Int { self.flights.waiting }

    /// The text of a piece.
    package func text(of piece: Piece) async throws -> ByteBuffer {
        try await self.readings.value(for: piece.digest) {
            let plain = Name(piece.digest, in: nil, at: 0)
            if let text = self.texts.value(for: piece.digest) ?? self.kept(plain)?.bytes { return text }
            let text = try await self.read(piece)
            self.texts.keep(text, for: piece.digest, cost: text.readableBytes + Self.overhead)
            return text
        }
    }

    private func read(_ piece: Piece) async throws -> ByteBuffer {
        var bodies: [[UInt8]] = []
        // What lies in one venue comes in one statement.
        var (rest, pending): (ArraySlice<Piece.Part>, [VersionSummary]) = (piece.parts[...], [])
        while let part = rest.popFirst() {
            guard case .bodies(let versions, let source, _) = part else { continue }
            pending += versions
            if rest.nextSource?.venue.id == source.venue.id { continue }
            bodies += try await self.bodies(pending[...], source)
            pending = []
        }
        var text = ByteBufferAllocator().buffer(capacity: piece.length)
        var next = bodies.makeIterator()
        for part in piece.parts {
            switch part {
            case .text(let bytes): text.writeBytes(bytes)
            case .bodies(let versions, _, let isEnd):
                for left in (0..<versions.count).reversed() {
                    guard let body = next.next() else { throw StoreError.historyChanged }
                    text.writeBytes(body)
                    text.writeBytes(ChangeSet.separator(isLast: isEnd && left == 0))
                }
            }
        }
        // Lengths and digests were told before. Of another copy of the database nothing is kept under the names of this one.
        guard text.readableBytes == piece.length else { throw StoreError.historyChanged }
        return text
    }
}

extension ArraySlice<Piece.Part> {
    /// Where the next bodies are read.
    fileprivate var nextSource: Piece.Source? {
        for case .bodies(_, let source, _) in self { return source }
        return nil
    }
}

extension PieceCache {
    /// Bodies one by one, from pieces that others may be reading as well: for what is not sent as it stands.
    ///
    /// - Parameter history: Of the node, from before the versions were chosen.
    func bodies(
        of versions: [VersionSummary], from source: Piece.Source, history: Int
    ) async throws -> [[UInt8]] {
        var bodies: [[UInt8]] = []
        bodies.reserveCapacity(versions.count)
        for piece in PieceCutter.pieces(of: versions, from: source, history: history) {
            var text = try await self.text(of: piece)
            for part in piece.parts {
                switch part {
                case .text(let bytes): text.moveReaderIndex(forwardBy: bytes.count)
                case .bodies(let versions, _, let isEnd):
                    for version in versions {
                        bodies.append(text.readBytes(length: version.bytes) ?? [])
                        let isLast = isEnd && version.feature == versions.last?.feature
                        text.moveReaderIndex(forwardBy: ChangeSet.separator(isLast: isLast).count)
                    }
                }
            }
        }
        return bodies
    }
}
