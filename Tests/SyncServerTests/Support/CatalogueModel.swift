import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// A model of several venues and keys as dictionaries, which applies every change to the service too.
struct CatalogueModel {
    typealias Bodies = [FeatureID: [UInt8]]

    struct VenueState {
        /// The state at each revision; nil for pruned ones.
        var history: [Bodies?]
        var isPublic = false
    }

    struct Key {
        /// Nil means every venue.
        var venues: Set<VenueKey>?
        var id: String
        var secret: String
    }

    static let names = ["annex", "hall", "mall", "mall.new"].compactMap(VenueKey.init)

    let harness: Harness
    private(set) var venues: [VenueKey: VenueState] = [:]
    private(set) var keys: [Key] = []

    /// The venues that a key may read, with their features.
    func readable(by key: Key) -> [VenueKey: Bodies] {
        self.venues.filter { $0.value.isPublic || key.venues?.contains($0.key) ?? true }
            .compactMapValues { $0.history.last ?? nil }
    }

    init(harness: Harness) async throws {
        self.harness = harness
        self.keys = [Key(venues: nil, id: "", secret: Harness.adminKey)]
        for _ in 0..<3 { self.keys.append(try await Self.key(for: [Self.names[0]], in: harness)) }
    }

    private static func key(for venues: Set<VenueKey>, in harness: Harness) async throws -> Key {
        let response = try await harness.send(
            .post, "/keys",
            json: [
                "name": "phones", "role": "read", "venues": .array(venues.map { .string($0.description) }),
            ])
        return Key(
            venues: venues, id: try #require(response.json["id"]?.string),
            secret: try #require(response.json["secret"]?.string))
    }

    /// Makes a random change to a venue or a key.
    mutating func change(using random: inout SplitMix64) async throws {
        let name = Self.names.randomElement(using: &random) ?? Self.names[0]
        switch Int.random(in: 0..<12, using: &random) {
        case 0 where self.venues[name] != nil:
            try await self.harness.delete(name.description)
            self.venues[name] = nil
        case 1 where self.venues[name] != nil:
            let isPublic = Bool.random(using: &random)
            try await self.harness.set("public", to: .bool(isPublic), of: name.description)
            self.venues[name]?.isPublic = isPublic
        case 2, 3: try await self.replaceKey(using: &random)
        case 4, 5: try await self.rollBack(name, using: &random)
        case 6: try await self.prune(name, using: &random)
        default: try await self.publish(name, using: &random)
        }
    }

    /// Replaces a key by one with other rights.
    private mutating func replaceKey(using random: inout SplitMix64) async throws {
        let index = Int.random(in: 1..<self.keys.count, using: &random)
        let removed = try await self.harness.send(.delete, "/keys/\(self.keys[index].id)")
        #expect(removed.status == .noContent)
        var venues = Set(Self.names.filter { _ in Bool.random(using: &random) })
        if venues.isEmpty { venues = [Self.names[index]] }
        self.keys[index] = try await Self.key(for: venues, in: self.harness)
    }

    private mutating func rollBack(_ name: VenueKey, using random: inout SplitMix64) async throws {
        guard let venue = self.venues[name] else { return }
        let kept = venue.history.indices.filter { venue.history[$0] != nil }
        guard let index = kept.randomElement(using: &random), let state = venue.history[index] else { return }
        let response = try await self.harness.rollBack(to: Int64(index + 1), of: name.description)
        #expect(response.status == (state == venue.history.last ? .conflict : .created), "\(response.text)")
        if response.status == .created { self.venues[name]?.history.append(state) }
    }

    private mutating func prune(_ name: VenueKey, using random: inout SplitMix64) async throws {
        guard let count = self.venues[name]?.history.count else { return }
        let first = Int.random(in: 1...count, using: &random)
        try await self.harness.prune(name.description, before: Int64(first))
        for index in 0..<first - 1 { self.venues[name]?.history[index] = nil }
    }

    private mutating func publish(_ name: VenueKey, using random: inout SplitMix64) async throws {
        let features = Self.features(of: name, using: &random)
        let isNew = self.venues[name] == nil
        let upload = try await self.harness.push(
            try Handmade.zip(features), to: name.description, query: "?identity=trust")
        if isNew { try await self.harness.set("removal_guard", to: false, of: name.description) }
        let bodies = Dictionary(
            uniqueKeysWithValues: try features.map {
                (try Handmade.id(of: CanonicalJSON.data($0)), CanonicalJSON.data($0))
            }
        )
        guard bodies != self.venues[name]?.history.last ?? nil else {
            #expect(upload.state == .unchanged)
            return
        }
        #expect(upload.state == .published, "\(upload.state) \(upload.reasons)")
        self.venues[name, default: VenueState(history: [])].history.append(bodies)
    }

    /// A venue feature, some levels, and units on random levels.
    private static func features(of name: VenueKey, using random: inout SplitMix64) -> [JSONValue] {
        let levels = (100..<103).filter { _ in Bool.random(using: &random) }
        let venue = Handmade.feature(
            1, .venue, ["category": "mall", "name": ["en": .string(name.description)]], geometry: Handmade.square())
        return [venue]
            + levels.map { Handmade.feature($0, .level, ["ordinal": .number(Double($0 - 100))]) }
            + (200..<206).filter { _ in Int.random(in: 0..<3, using: &random) > 0 }.map { unit in
                let level = levels.randomElement(using: &random)
                return Handmade.feature(
                    unit, .unit,
                    [
                        "level_id": level.map { Handmade.reference($0) } ?? .null,
                        "text": .number(Double(Int.random(in: 0..<3, using: &random))),
                    ])
            }
    }
}
