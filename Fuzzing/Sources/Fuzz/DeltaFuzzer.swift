import DeltaForm
import Foundation
import IMDF
import SampleVenue
import SyncModel

/// A client that holds the features of a small venue: some are venue-wide, the others on one level.
private struct SmallBase: DeltaBase {
    static let level = FeatureID(high: 0xF1, low: 0xF1)
    static let shared = SmallBase()

    /// By level; in the order of their ids.
    let features: [FeatureID?: [(id: FeatureID, type: FeatureType, body: [UInt8])]]

    init() {
        let all = Seeds.venue.features.sorted { $0.id < $1.id }.map { feature in
            (id: feature.id, type: feature.type, body: CanonicalJSON.data(.object(feature.body)))
        }
        self.features = [nil: Array(all.prefix(8)), Self.level: Array(all.dropFirst(8))]
    }

    func levels() -> [FeatureID] { [Self.level] }

    func ids(of level: FeatureID?, at ranks: [Int]) -> [FeatureID]? {
        guard let features = self.features[level] else { return ranks.isEmpty ? [] : nil }
        precondition(zip(ranks, ranks.dropFirst()).allSatisfy { $0 < $1 }, "ranks that do not ascend")
        return ranks.allSatisfy(features.indices.contains) ? ranks.map { features[$0].id } : nil
    }

    func bodies(of level: FeatureID?, at ranks: [Int], limit: Int) -> [[UInt8]]? {
        guard let features = self.features[level], ranks.allSatisfy(features.indices.contains) else { return nil }
        return ranks.map { features[$0].body }
    }

    func context(of level: FeatureID?, like rank: Int, limit: Int) -> [[UInt8]]? {
        guard let features = self.features[level], features.indices.contains(rank) else { return nil }
        var left = limit
        return features.filter { $0.type == features[rank].type }.map(\.body).prefix { body in
            left -= body.count + 1
            return left >= 0
        }
    }

    func held(_ rank: Int, on level: FeatureID?) -> DeltaEncoder.Held? {
        self.features[level].map {
            DeltaEncoder.Held(level: level, rank: rank, type: $0[rank].type, body: $0[rank].body)
        }
    }
}

/// The reader of the delta form: an accepted document has bodies within the limits, and is written as it was read.
let deltaFuzzer = Fuzzer { bytes in
    let document = try DeltaDocument(bytes)
    // Texts that are not in their shortest form, and a cursor that is not, are read all the same.
    let again = try DeltaDocument(document.bytes())
    precondition(again == document, "a document is written differently")
    let since = String(repeating: "A", count: 40)
    if let cursor = try? document.cursor.cursor(since: since) {
        precondition(cursor.hasPrefix(since.prefix(4 * document.cursor.unchanged)))
    }
    let page = try document.decoded(with: SmallBase.shared)
    precondition(page.text.count <= DeltaDocument.Limit.bodies)
    let count = page.blocks.reduce(0) { $0 + $1.bodies.count }
    precondition(count == document.groups.reduce(0) { $0 + $1.sources.count })
    for range in page.blocks.flatMap(\.bodies) { precondition(range.upperBound <= page.text.count) }
}

extension Seeds {
    /// Documents with changed, new, moved and removed features, with and without a context.
    static func deltas() -> [[UInt8]] {
        [false, true].flatMap { hasContext in
            [[Int](), [0], [0, 3, 7]].map { ranks -> [UInt8] in
                let level = SmallBase.level
                let changed = ranks.compactMap { rank -> DeltaEncoder.Body? in
                    guard let held = SmallBase.shared.held(rank, on: level) else { return nil }
                    var body = held.body
                    body.insert(contentsOf: "\"new\":1,".utf8, at: 1)
                    return DeltaEncoder.Body(
                        body, type: held.type, source: rank == 7 ? nil : held,
                        companion: rank == 3 ? SmallBase.shared.held(5, on: level) : nil)
                }
                let moved = SmallBase.shared.held(1, on: nil).map {
                    DeltaEncoder.Body($0.body, type: $0.type, source: $0)
                }
                let page = ChangeSet(
                    venue: VenueKey("mall")!, from: 1, to: 2, digest: Digest(of: []),
                    publishedAt: Date(timeIntervalSince1970: 1),
                    about: .init(language: "en", timeZone: nil, country: "JP"), isComplete: true,
                    cursor: Cursor(epoch: 1, holding: .init(revision: 2, digestPrefix: 3, levels: .all)),
                    blocks: [
                        .init(level: nil, ordinal: nil, kind: .changes, digest: Digest(of: [])),
                        .init(level: level, ordinal: 0, kind: .changes, digest: Digest(of: [])),
                        .init(level: FeatureID(high: 1, low: 1), ordinal: 1, kind: .snapshot, digest: Digest(of: [])),
                    ])
                let context = SmallBase.shared.held(0, on: level).map { held in
                    DeltaEncoder.Context(
                        level: level, type: held.type,
                        bodies: SmallBase.shared.context(of: level, like: 0, limit: 1 << 14) ?? [])
                }
                return DeltaEncoder(levels: [level], context: hasContext ? context : nil).document(
                    of: page, since: page.cursor, bodies: [[], changed + [moved].compactMap(\.self), []],
                    removed: [[1], ranks, []]
                ).bytes()
            }
        }
    }
}
