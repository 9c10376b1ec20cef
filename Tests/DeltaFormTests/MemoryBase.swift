import DeltaForm
import Foundation
import IMDF
import SampleVenue
import SyncModel

/// The features that a client holds, in memory.
struct MemoryBase: DeltaBase {
    /// The features of each held level by id; nil is the venue-wide part.
    var features: [FeatureID?: [FeatureID: [UInt8]]] = [nil: [:]]

    func levels() -> [FeatureID] { self.features.keys.compactMap(\.self).sorted() }

    private func order(of level: FeatureID?) -> [FeatureID] { (self.features[level] ?? [:]).keys.sorted() }

    func ids(of level: FeatureID?, at ranks: [Int]) -> [FeatureID]? {
        let order = self.order(of: level)
        guard ranks.allSatisfy(order.indices.contains) else { return nil }
        return ranks.map { order[$0] }
    }

    func bodies(of level: FeatureID?, at ranks: [Int], limit: Int) -> [[UInt8]]? {
        let bodies = self.ids(of: level, at: ranks)?.compactMap { self.features[level]?[$0] }
        return bodies.flatMap { $0.reduce(0) { $0 + $1.count } <= limit ? $0 : nil }
    }

    func context(of level: FeatureID?, like rank: Int, limit: Int) -> [[UInt8]]? {
        let order = self.order(of: level)
        guard order.indices.contains(rank), let features = self.features[level], let example = features[order[rank]]
        else { return nil }
        var left = limit
        return order.compactMap { features[$0] }.filter { Self.type(of: $0) == Self.type(of: example) }
            .prefix { body in
                left -= body.count + 1
                return left >= 0
            }
    }

    func held(_ id: FeatureID, on level: FeatureID?) -> DeltaEncoder.Held? {
        guard let body = self.features[level]?[id], let rank = self.order(of: level).firstIndex(of: id) else {
            return nil
        }
        return .init(level: level, rank: rank, type: Self.type(of: body), body: body)
    }

    static func type(of body: [UInt8]) -> FeatureType {
        let text = String(decoding: body, as: UTF8.self)
        let words = text.split(separator: "\"", maxSplits: 4)
        return FeatureType(rawValue: words.dropFirst(3).first.map(String.init) ?? "")
    }

    static func body(_ id: FeatureID, _ type: String, _ name: String, points: Int = 4) -> [UInt8] {
        let points = (0..<points).map { "[139.70\($0 * 37 % 1_000),35.68\(id.low % 97 + UInt64($0))]" }
        let geometry = #"{"coordinates":[[\#(points.joined(separator: ","))]],"type":"Polygon"}"#
        let properties = #"{"category":"retail","name":{"en":"\#(name)"}}"#
        let members = #""feature_type":"\#(type)","geometry":\#(geometry),"id":"\#(id)","properties":\#(properties)"#
        return Array("{\(members),\"type\":\"Feature\"}".utf8)
    }
}

/// What a client holds, and a random change set of it.
struct RandomHistory {
    var random: SplitMix64
    var base = MemoryBase()

    init(seed: UInt64) {
        self.random = SplitMix64(seed: seed)
        for level in [nil, self.id(), self.id()] {
            for _ in 0..<Int.random(in: 1...40, using: &self.random) {
                let id = self.id()
                self.base.features[level, default: [:]][id] = self.body(id)
            }
        }
    }

    mutating func id() -> FeatureID { FeatureID(high: self.random.next(), low: self.random.next()) }

    mutating func body(_ id: FeatureID) -> [UInt8] {
        let types = ["unit", "occupant", "opening"]
        let number = UInt16.random(in: 0...999, using: &self.random)
        return MemoryBase.body(
            id, types.randomElement(using: &self.random) ?? "", "Shop \(number)",
            points: .random(in: 0...60, using: &self.random))
    }

    /// A page with changed, added, moved and removed features, and what is then held.
    mutating func page(context: Bool) -> (document: DeltaDocument, after: MemoryBase) {
        var after = self.base
        var bodies: [FeatureID?: [DeltaEncoder.Body]] = [:]
        var removed: [FeatureID?: [Int]] = [:]
        for (level, features) in self.base.features {
            for id in features.keys.sorted() {
                let held = self.base.held(id, on: level)
                switch Int.random(in: 0..<8, using: &self.random) {
                case 0:
                    let body = self.body(id)
                    after.features[level]?[id] = body
                    bodies[level, default: []].append(
                        .init(body, type: .unit, source: held, companion: self.companion()))
                case 1:
                    after.features[level]?[id] = nil
                    removed[level, default: []].append(held?.rank ?? 0)
                case 2:
                    guard let other = self.base.levels().first(where: { $0 != level }) else { continue }
                    let body = self.body(id)
                    after.features[level]?[id] = nil
                    after.features[other]?[id] = body
                    removed[level, default: []].append(held?.rank ?? 0)
                    bodies[other, default: []].append(.init(body, type: .unit, source: held))
                case 3:
                    let new = self.id()
                    let body = self.body(new)
                    after.features[level]?[new] = body
                    bodies[level, default: []].append(
                        .init(body, type: .unit, source: Bool.random(using: &self.random) ? held : nil))
                default: break
                }
            }
        }
        // One level is new to the client.
        let new = self.id()
        let body = self.body(self.id())
        bodies[new] = [.init(body, type: .unit, source: nil)]
        after.features[new] = [FeatureLineID.id(of: body): body]
        let changed = Set(bodies.keys).union(removed.keys).sorted { ($0?.description ?? "") < ($1?.description ?? "") }
        let page = Self.page(
            of: changed.map { level in
                .init(level: level, ordinal: nil, kind: level == new ? .snapshot : .changes, digest: Digest(of: []))
            })
        let example = bodies[nil]?.compactMap(\.source).first
        let sameType = example.map { example in
            DeltaEncoder.Context(
                level: example.level, type: example.type,
                bodies: self.base.context(
                    of: example.level, like: example.rank, limit: DeltaDocument.Limit.context) ?? [])
        }
        let encoder = DeltaEncoder(levels: self.base.levels(), context: context ? sameType : nil)
        let document = encoder.document(
            of: page, since: Self.since, bodies: changed.map { bodies[$0] ?? [] },
            removed: changed.map { removed[$0] ?? [] })
        return (document, after)
    }

    /// One of the held features, in half of the cases.
    private mutating func companion() -> DeltaEncoder.Held? {
        guard Bool.random(using: &self.random),
            let level = ([nil] + self.base.levels()).randomElement(using: &self.random)
        else { return nil }
        return (self.base.features[level] ?? [:]).keys.sorted().randomElement(using: &self.random)
            .flatMap { self.base.held($0, on: level) }
    }

    /// The cursor of the request for ``page(of:)``.
    static let since = Cursor(epoch: 5, holding: .init(revision: 6, digestPrefix: 8, levels: .all))

    static func page(of blocks: [ChangeSet.Block]) -> ChangeSet {
        ChangeSet(
            venue: VenueKey("mall")!, from: 6, to: 7, digest: Digest(of: [1]),
            publishedAt: Date(timeIntervalSince1970: 1_775_000_000.123),
            about: .init(language: "ja-JP", timeZone: "Asia/Tokyo", country: nil), isComplete: true,
            cursor: Cursor(epoch: 5, holding: .init(revision: 7, digestPrefix: 9, levels: .all)), blocks: blocks)
    }
}

enum FeatureLineID {
    static func id(of body: [UInt8]) -> FeatureID {
        let text = String(decoding: body, as: UTF8.self)
        let start = text.range(of: "\"id\":\"")?.upperBound ?? text.startIndex
        return FeatureID(String(text[start...].prefix(36))) ?? FeatureID(high: 0, low: 0)
    }
}

extension MemoryBase {
    /// The first three of the five steps.
    mutating func apply(_ page: DeltaDocument.Page) {
        for block in page.blocks where block.kind != .changes { self.features[block.level] = nil }
        for block in page.blocks where block.kind != .gone {
            for range in block.bodies {
                let body = Array(page.text[range])
                let id = FeatureLineID.id(of: body)
                for level in self.features.keys { self.features[level]?[id] = nil }
                self.features[block.level, default: [:]][id] = body
            }
        }
        for block in page.blocks {
            for id in block.removed { self.features[block.level]?[id] = nil }
        }
    }
}
