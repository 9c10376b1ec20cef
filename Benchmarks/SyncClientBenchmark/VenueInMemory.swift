import Foundation
import IMDF
import SampleVenue
import SyncClient
import SyncModel

/// A transport with prepared responses, so that only the client is measured. It serves one revision to clients that request
/// everything, the venue-wide part, or the venue-wide part and one level. As those of the real server, bodies are in the order of their
/// types, and a page may end inside a level.
struct VenueInMemory: SyncTransport {
    let key: VenueKey
    let features: Int
    /// The total size of all bodies.
    let bytes: Int
    private let everything: [[UInt8]]
    private let venueWide: [UInt8]
    private let floor: [UInt8]

    private static let pageBytes = 8 << 20

    init(_ venue: SampleVenue) {
        guard let key = VenueKey("mall") else { preconditionFailure("“mall” is a key") }
        self.key = key
        var blocks: [FeatureID?: [(type: FeatureType, id: FeatureID, body: [UInt8])]] = [:]
        for (feature, placement) in zip(venue.features, venue.placements) {
            blocks[placement.level, default: []]
                .append((feature.type, feature.id, CanonicalJSON.data(.object(feature.body))))
        }
        let order = blocks.keys.sorted { ($0?.description ?? "") < ($1?.description ?? "") }
        let parts = order.map { level -> ChangeSet.Block in
            let features = (blocks[level] ?? []).sorted { $0.id < $1.id }
            var digest = LevelDigest()
            for feature in features { digest.add(body: feature.body) }
            let bodies = features.sorted { ($0.type.rank, $0.id) < ($1.type.rank, $1.id) }.map(\.body)
            return .init(level: level, ordinal: nil, kind: .snapshot, digest: digest.finalize(), features: bodies)
        }
        self.features = venue.features.count
        self.bytes = parts.reduce(0) { $0 + $1.features.reduce(0) { $0 + $1.count } }
        self.everything = Self.pages(of: parts)
        self.venueWide = Self.page(Array(parts.prefix(1)), from: nil, cursor: "wide", isLast: true)
        let first = venue.features.filter { $0.type == .level }.map(\.id).min()
        self.floor = Self.page(
            parts.filter { $0.level != nil && $0.level == first }, from: 1, cursor: "floor", isLast: true)
    }

    /// Splits levels into pages of ``pageBytes``. A level that continues on the next page has its digest there.
    private static func pages(of parts: [ChangeSet.Block]) -> [[UInt8]] {
        var pages: [[ChangeSet.Block]] = [[]]
        var size = 0
        for part in parts {
            var block = part
            block.features = []
            for body in part.features {
                if size > 0, size + body.count > Self.pageBytes {
                    block.digest = nil
                    pages[pages.count - 1].append(block)
                    pages.append([])
                    (block.isContinued, block.digest, block.features, size) = (true, part.digest, [], 0)
                }
                block.features.append(body)
                size += body.count
            }
            pages[pages.count - 1].append(block)
        }
        return pages.enumerated().map { index, blocks in
            Self.page(blocks, from: nil, cursor: "\(index + 1)", isLast: index + 1 == pages.count)
        }
    }

    private static func page(_ blocks: [ChangeSet.Block], from: Int64?, cursor: String, isLast: Bool) -> [UInt8] {
        let header = """
            {"about":{"country":"JP","language":"ja","time_zone":null},"complete":\(isLast),"cursor":"\(cursor)","digest":"\(Digest(of: []))",\
            "from":\(from.map(String.init) ?? "null"),"protocol":1,"to":1,"venue":"mall","levels":[

            """
        var text = Array(header.utf8)
        for (index, block) in blocks.enumerated() {
            text += (try? block.opening()) ?? []
            for (featureIndex, body) in block.features.enumerated() {
                text += body
                text += ChangeSet.separator(isLast: featureIndex + 1 == block.features.count)
            }
            text += (try? block.closing(isLast: index + 1 == blocks.count)) ?? []
        }
        return text + Array(ChangeSet.closing)
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let query = URLComponents(string: request.url)?.queryItems ?? []
        let since = query.first { $0.name == "since" }?.value
        let wanted = query.filter { $0.name == "level" }.compactMap(\.value)
        let body =
            switch (since, wanted) {
            case (nil, ["venue"]): self.venueWide
            case ("wide", _): self.floor
            default: self.everything[since.flatMap { Int($0) } ?? 0]
            }
        return TransportResponse(status: 200, body: Chunks(bytes: body))
    }

    /// The bytes in chunks of 64 KiB, as a socket delivers them.
    private struct Chunks: AsyncSequence, Sendable {
        let bytes: [UInt8]

        struct AsyncIterator: AsyncIteratorProtocol {
            let bytes: [UInt8]
            var offset = 0

            mutating func next() async throws -> [UInt8]? {
                guard self.offset < self.bytes.count else { return nil }
                let end = Swift.min(self.offset + (1 << 16), self.bytes.count)
                defer { self.offset = end }
                return Array(self.bytes[self.offset..<end])
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: self.bytes) }
    }
}
