import DeltaForm
import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.server)
struct DeltaResponseTests {
    private static let floor = SampleVenue(.init(levels: 1, unitsPerLevel: 60, seed: 11))

    /// Publishes two revisions and returns a cursor of the first.
    private static func prepare(_ harness: Harness, _ edits: Edit...) async throws -> Cursor {
        try await harness.push(Self.floor.archive())
        let cursor = try await harness.sync().cursor
        var venue = Self.floor
        var random = SplitMix64(seed: 5)
        for edit in edits { _ = venue.apply(edit, using: &random) }
        try await harness.push(venue.archive(), query: "?identity=trust")
        return cursor
    }

    @Test func `20 changed features take at most 1200 bytes in the delta form`() async throws {
        let harness = Harness.current
        let cursor = try await Self.prepare(harness, Edit(.rename, 20))
        let plain = try await harness.sync("since=\(cursor)")
        #expect(plain.blocks.reduce(0) { $0 + $1.features.count } == 20)
        let response = try await harness.send(.get, "/venues/mall/sync?since=\(cursor)&form=delta")
        #expect(response.data.count <= 1_200)
        let document = try DeltaDocument(Array(response.data))
        #expect(document.blocks.map(\.bodyCount).reduce(0, +) == 20)
        #expect(try document.cursor.cursor(since: cursor.description) == plain.cursor.description)
        #expect(document.digest == plain.digest)
        #expect(document.about == plain.about)
        let times = try (#require(document.publishedAt), #require(plain.publishedAt))
        #expect(Timestamp.text(of: times.0) == Timestamp.text(of: times.1))
        #expect(document.blocks.map(\.digestPrefix) == plain.blocks.map { $0.digest?.prefix })
    }

    @Test(arguments: [false, true])
    func `a shop that becomes an amenity has its anchor as companion, unless that changes, too`(
        moves: Bool
    ) async throws {
        let harness = Harness.current
        try await harness.push(Self.floor.archive())
        let cursor = try await harness.sync().cursor
        var venue = Self.floor
        _ = venue.apply(try Edit.parse(list: "retype=3"), seed: 5)
        let amenities = venue.features.filter { $0.type == .amenity }.map(\.id)
        let anchors = Self.floor.features.filter { $0.type == .occupant && amenities.contains($0.id) }
            .compactMap { $0["anchor_id"]?.string }
        try #require(anchors.count == 3)
        for index in venue.features.indices where moves && anchors.contains(venue.features[index].id.description) {
            venue.features[index]["address_id"] = .null
            venue.features[index]["note"] = "moved"
        }
        try await harness.push(venue.archive(), query: "?identity=trust")
        let plain = try await harness.sync("since=\(cursor)")
        let response = try await harness.send(.get, "/venues/mall/sync?since=\(cursor)&form=delta")
        let document = try DeltaDocument(Array(response.data))
        let held = try await harness.pages(to: 1, limit: 50_000).flatMap(\.blocks)
        let base = Self.Held(held)
        let companions = try document.groups.flatMap(\.companions).map { try #require(base.id(of: $0)) }
        #expect(Set(companions) == (moves ? [] : Set(anchors)))
        let page = try document.decoded(with: base)
        let bodies = page.blocks.flatMap(\.bodies).map { Array(page.text[$0]) }
        #expect(Set(bodies) == Set(plain.blocks.flatMap(\.features)))
    }

    /// What a client holds after a snapshot.
    private struct Held: DeltaBase {
        private var features: [FeatureID?: [(id: FeatureID, body: [UInt8])]] = [:]

        init(_ blocks: [ChangeSet.Block]) {
            for block in blocks {
                self.features[block.level, default: []] += block.features.compactMap { body in
                    let value = try? JSONDecoder().decode(JSONValue.self, from: Data(body))
                    return value?["id"]?.string.flatMap { FeatureID($0) }.map { ($0, body) }
                }
                self.features[block.level]?.sort { $0.id < $1.id }
            }
        }

        func id(of feature: DeltaDocument.HeldFeature) -> String? {
            guard case .held(let index) = feature.level else { return nil }
            return self.features[self.levels()[index]]?[feature.rank].id.description
        }

        func levels() -> [FeatureID] { self.features.keys.compactMap(\.self).sorted() }

        func ids(of level: FeatureID?, at ranks: [Int]) -> [FeatureID]? {
            ranks.map { self.features[level]?[$0].id ?? .random() }
        }

        func bodies(of level: FeatureID?, at ranks: [Int], limit: Int) -> [[UInt8]]? {
            ranks.map { self.features[level]?[$0].body ?? [] }
        }

        func context(of level: FeatureID?, like rank: Int, limit: Int) -> [[UInt8]]? {
            func type(_ body: [UInt8]) -> Substring? {
                String(decoding: body, as: UTF8.self).split(separator: "\"")[2...3].last
            }
            let features = self.features[level] ?? []
            var left = limit
            return features.map(\.body).filter { type($0) == type(features[rank].body) }.prefix { body in
                left -= body.count + 1
                return left >= 0
            }
        }
    }

    @Test func `the delta form is the same for every content encoding`() async throws {
        let harness = Harness.current
        let cursor = try await Self.prepare(harness, Edit(.rename, 20))
        let path = "/venues/mall/sync?since=\(cursor)&to=2&form=delta"
        let responses = try await [nil, "br", "gzip, zstd"].asyncMap { encoding in
            try await harness.send(.get, path, headers: encoding.map { [.acceptEncoding: $0] } ?? [:])
        }
        for response in responses {
            #expect(response.headers[.contentEncoding] == nil && response.data == responses[0].data)
            #expect(response.headers[.contentType] == DeltaDocument.contentType)
            #expect(response.parts(of: .vary) == ["authorization"])
            #expect(response.parts(of: .cacheControl) == ["private", "max-age=31536000", "immutable"])
        }
        try await harness.set("public", to: true)
        let response = try await harness.send(.get, path, key: nil)
        #expect(response.headers[.vary] == nil && response.parts(of: .cacheControl).contains("public"))
        let tag = try #require(response.headers[.eTag])
        #expect(try await harness.send(.get, path, key: nil, headers: [.ifNoneMatch: tag]).status == .notModified)
    }

    @Test func `the delta form without a cursor has whole bodies`() async throws {
        let harness = Harness.current
        _ = try await Self.prepare(harness)
        let response = try await harness.send(.get, "/venues/mall/sync?form=delta")
        let plain = try await harness.sync()
        let document = try DeltaDocument(Array(response.data))
        #expect(document.from == nil && document.isComplete)
        #expect(document.groups.allSatisfy { $0.sources.allSatisfy { $0 == nil } })
        #expect(document.blocks.map(\.bodyCount) == plain.blocks.map(\.features.count))
    }

    @Test func `the delta form is refused like the plain form`() async throws {
        let harness = Harness.current
        let cursor = try await Self.prepare(harness, Edit(.rename, 1))
        let query = "since=\(cursor)&form=delta"
        #expect(try await harness.send(.get, "/venues/mall/sync?\(query)", key: nil).status == .unauthorized)
        #expect(try await harness.send(.get, "/venues/none/sync?\(query)").status == .notFound)
        #expect(try await harness.send(.get, "/venues/mall/sync?form=small").status == .badRequest)
        #expect(try await harness.send(.get, "/venues/mall/sync?since=x&form=delta").status == .badRequest)
    }

    @Test func `a page in the delta form has at most 1 MiB of bodies`() async throws {
        let harness = Harness.current
        let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 600, seed: 3))
        try await harness.push(venue.archive())
        var (cursor, pages, bodies) = ("", 0, 0)
        var isComplete = false
        while !isComplete {
            let path = "/venues/mall/sync?since=\(cursor)&limit=50000&form=delta"
            let document = try DeltaDocument(Array(try await harness.send(.get, path).data))
            let page = try document.decoded(with: NoBase())
            #expect(page.text.count <= 1 << 20)
            bodies += page.blocks.reduce(0) { $0 + $1.bodies.count }
            pages += 1
            (cursor, isComplete) = (try document.cursor.cursor(since: cursor), document.isComplete)
        }
        let plain = try await harness.pages(limit: 50_000)
        #expect(pages > 1 && plain.joined().reduce(0) { $0 + $1.features.count } == bodies)
    }
}

/// A client that holds nothing.
private struct NoBase: DeltaBase {
    func levels() -> [FeatureID] { [] }
    func ids(of level: FeatureID?, at ranks: [Int]) -> [FeatureID]? { ranks.isEmpty ? [] : nil }
    func bodies(of level: FeatureID?, at ranks: [Int], limit: Int) -> [[UInt8]]? { ranks.isEmpty ? [] : nil }
    func context(of level: FeatureID?, like rank: Int, limit: Int) -> [[UInt8]]? { nil }
}

extension [ChangeSet] {
    fileprivate func joined() -> [ChangeSet.Block] { self.flatMap(\.blocks) }
}

extension Array {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async throws -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
