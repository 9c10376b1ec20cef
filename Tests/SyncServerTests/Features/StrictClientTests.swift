import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Strict features against the decoders of two apps.
@Suite struct StrictClientTests {
    /// The strict features of a venue, without a server.
    private static func files(of venue: SampleVenue) -> (StrictClients.Files, leftOut: Int) {
        var profile = StrictProfile()
        let bodies = venue.features.map { feature in
            let body = JSONValue.object(feature.body)
            return profile.add(id: feature.id, type: feature.type, body: body) ?? body
        }
        let outcome = profile.outcome()
        let kept = zip(venue.features, bodies).filter { outcome.survivors.contains($0.0.id) }
        let files = Dictionary(grouping: kept) { $0.0.type }.mapValues { $0.map { CanonicalJSON.data($0.1) } }
        return (StrictClients.Files(bodies: files), outcome.leftOutCount)
    }

    /// What is repaired in every feature, so that none is left out.
    private static let repaired: Set<String> = {
        var names: Set<String> = [
            "venue category", "venue name", "venue website", "unit name", "amenity name", "level name", "building name",
            "geofence name", "level outdoor", "level building_ids", "anchor address_id", "building display_point",
            "geofence display_point", "address province", "unit levelId", "level Short_Name", "amenity unitIds",
        ]
        let ways = [
            "one part", "two parts", "no part", "null", "collection", "text", "outside the globe", "an open ring",
        ]
        for type in ["address", "building", "occupant", "venue"] {
            for way in ways { names.insert("\(type) \(way)") }
        }
        for type in ["unit", "level", "opening", "detail", "amenity", "footprint", "fixture"] {
            names.insert("\(type) one part")
        }
        return names
    }()

    @Test(arguments: BrokenVenue.damages.indices)
    func `strict clients decode a venue in which every feature of a type is broken`(index: Int) throws {
        let damage = BrokenVenue.damages[index]
        for seed in 0..<4 as Range<UInt64> {
            let venue = BrokenVenue.make(seed: seed, [damage], everywhere: true)
            #expect(venue.features.contains { damage.types.contains($0.type) }, "\(damage.name)")
            let (files, leftOut) = Self.files(of: venue)
            #expect(throws: Never.self, "\(damage.name), seed \(seed)") {
                try FloorMapClient.decode(files)
                try MapKitClient.decode(files)
            }
            if Self.repaired.contains(damage.name) { #expect(leftOut == 0, "\(damage.name), seed \(seed)") }
        }
    }

    @Test func `every repair of this suite is one of the ways to break a venue`() {
        #expect(Self.repaired.isSubset(of: Set(BrokenVenue.damages.map(\.name))))
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `strict clients decode a venue that is broken in several ways`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let damages = BrokenVenue.damages.shuffled(using: &random).prefix(8)
        let venue = BrokenVenue.make(seed: seed, Array(damages))
        let (files, leftOut) = Self.files(of: venue)
        let kept = files.bodies.values.reduce(0) { $0 + $1.count }
        #expect(kept + leftOut == venue.features.count)
        try FloorMapClient.decode(files)
        try MapKitClient.decode(files)
    }

    /// The clients refuse what the server would send without the parameter.
    @Test func `strict clients refuse the stored features of a broken venue`() throws {
        for damage in BrokenVenue.damages where ["opening one part", "level outdoor"].contains(damage.name) {
            let venue = BrokenVenue.make(seed: 3, [damage], everywhere: true)
            let stored = Dictionary(grouping: venue.features, by: \.type)
                .mapValues { $0.map { CanonicalJSON.data(.object($0.body)) } }
            #expect(throws: StrictClients.Refused.self, "\(damage.name)") {
                try FloorMapClient.decode(StrictClients.Files(bodies: stored))
                try MapKitClient.decode(StrictClients.Files(bodies: stored))
            }
        }
    }
}

/// Strict responses of the server against the same decoders.
@Suite(.server) struct StrictResponseTests {
    private static let leftOut = HTTPField.Name("VenueSync-Left-Out")!

    /// Checks collections by type, the whole collection and the archive against each other and the decoders.
    ///
    /// - Returns: How many features were left out.
    @discardableResult
    private static func check(_ path: String, features: Int) async throws -> Int {
        let harness = Harness.current
        let whole = try await harness.send(.get, "\(path)/features?strict=true")
        let bodies = try whole.features
        let leftOut = try #require(whole.headers[Self.leftOut].flatMap { Int($0) })
        #expect(bodies.count + leftOut == features)
        let export = try await harness.send(.get, "\(path)/archive.zip?strict=true")
        #expect(export.headers[Self.leftOut] == "\(leftOut)")
        let archive = try ArchiveReader().read(bytes: Array(export.data))
        #expect(Set(archive.features.map(\.body)) == Set(bodies))
        let files = StrictClients.Files(
            bodies: Dictionary(grouping: archive.features, by: \.type).mapValues { $0.map(\.body) })
        try FloorMapClient.decode(files)
        try MapKitClient.decode(files)
        for (type, expected) in files.bodies {
            let answer = try await harness.send(.get, "\(path)/features?strict=true&type=\(type.rawValue)")
            #expect(try Set(answer.features) == Set(expected))
        }
        let located = try await harness.send(.get, "\(path)/features?strict=true&has_geometry=true")
        #expect(try Set(located.features) == Set(bodies.filter { try JSONReader.value(of: $0)["geometry"] != .null }))
        return leftOut
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `strict responses of a broken venue are decoded by strict clients`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let damages = BrokenVenue.damages.filter { $0.types != [.venue] }.shuffled(using: &random).prefix(12)
        let venue = BrokenVenue.make(seed: seed, Array(damages))
        #expect(try await Harness.current.push(venue.archive()).state == .published)
        try await Self.check("/venues/mall/revisions/1", features: venue.features.count)
    }

    @Test func `strict responses are derived, cached and as long as announced`() async throws {
        let harness = Harness.current
        let damages = BrokenVenue.damages.filter { ["unit one part", "level outdoor"].contains($0.name) }
        let venue = BrokenVenue.make(seed: 1, damages, everywhere: true)
        try await harness.push(venue.archive())
        let path = "/venues/mall/revisions/1/features?strict=true"
        let plain = try await harness.send(.get, "/venues/mall/revisions/1/features")
        let strict = try await harness.send(.get, path)
        #expect(try strict.features.count == plain.features.count)
        #expect(try Set(strict.features) != Set(plain.features))
        // The sound features are the stored ones, byte for byte.
        #expect(try Set(strict.features).intersection(plain.features).count > venue.features.count / 2)
        let head = try await harness.send(.head, path)
        #expect(head.headers[.contentLength] == "\(strict.data.count)")
        #expect(try await harness.send(.get, path).data == strict.data)
        let tag = try #require(strict.headers[.eTag])
        #expect(tag != plain.headers[.eTag])
        for query in ["", "&has_geometry=true"] {
            let again = try await harness.send(.get, path + query, headers: [.ifNoneMatch: tag])
            #expect(again.status == .notModified)
        }
        #expect(try await harness.send(.get, path, headers: [.ifNoneMatch: plain.headers[.eTag] ?? ""]).status == .ok)
        // Nothing else is derived.
        #expect(try await harness.send(.get, "/venues/mall/revisions/1/features").data == plain.data)
        let synced = try await harness.sync().blocks.flatMap(\.features)
        #expect(try Set(synced) == Set(plain.features))
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["VENUE_SAMPLES"] != nil))
    func `strict archives of real venues are decoded by strict clients`() async throws {
        let harness = Harness.current
        let samples = URL(filePath: ProcessInfo.processInfo.environment["VENUE_SAMPLES"] ?? "")
        let files = try #require(FileManager.default.enumerator(at: samples, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }
            // Those in `cases` are small and have a fault each.
            .filter { $0.pathExtension == "zip" && !$0.pathComponents.contains("cases") }
            .sorted { $0.path < $1.path }
        #expect(!files.isEmpty)
        for (index, file) in files.enumerated() {
            let upload = try await harness.push(Array(Data(contentsOf: file)), to: "venue-\(index)")
            guard upload.state == .published else { continue }
            let path = "/venues/venue-\(index)/revisions/1"
            let stored = try await harness.send(.get, "\(path)/features").features.count
            let leftOut = try await Self.check(path, features: stored)
            // A campus of a thousand features that loses a tenth of them would not be the same map.
            #expect(leftOut * 10 < stored, "\(file.lastPathComponent): \(leftOut) of \(stored)")
        }
    }
}
