import BenchmarkSupport
import Foundation
import IMDF
import SampleVenue

extension Attack {
    /// Requests for features of a public venue and for their opening hours, without a key.
    static let features: [Attack] = [.openingHours, .items, .itemPages, .locatedFeatures, .syncLimits]

    /// Opening hours that change rarely and take long to evaluate, each time on other days.
    private static let openingHours = Attack(
        name: "features: opening hours",
        prepare: { service in
            var venue = Self.timed
            for index in venue.features.indices.filter({ venue.features[$0].type == .occupant }) {
                venue.features[index]["hours"] = .string(Self.hours)
            }
            _ = try await service.outcome(of: service.upload(venue.archive(), to: "timed"))
            try await service.makePublic("timed")
        }
    ) { service in
        let shops = Self.timed.features.filter { $0.type == .occupant }.map(\.id)
        try await Self.repeating(8, on: service) { client, round in
            let day = 1 + (client + 8 * round) % 28
            return "/venues/timed/features/\(shops[(client * 31 + round) % shops.count])/hours"
                + "?days=31&at=20\(30 + round % 50)-02-\(day < 10 ? "0" : "")\(day)T03:00:00Z"
        }
    }

    private static let timed = SampleVenue(.init(levels: 1, unitsPerLevel: 100, seed: 14))
    /// Of a length near the limit of 4,096 bytes.
    private static let hours = (1...120).map { "2099 Dec \(1 + $0 % 28) \($0 % 24):00-\($0 % 24):30 off" }
        .joined(separator: "; ")

    /// Items of a large collection, as JSON.
    private static let items = Attack(name: "features: OGC items", prepare: Self.publishOpen) { service in
        try await Self.repeating(8, on: service) { client, round in
            "/ogc/open/collections/unit/items?limit=\(9_000 + client)&category=\(round % 2 == 0 ? "room" : "retail")"
        }
    }

    /// The same for people.
    private static let itemPages = Attack(name: "features: OGC items as pages", prepare: Self.publishOpen) { service in
        try await Self.repeating(8, on: service) { client, round in
            "/ogc/open/collections/unit/items?f=html&limit=\(9_000 + client + 8 * (round % 100))"
        }
    }

    /// All features with a geometry, which only their bodies reveal.
    private static let locatedFeatures = Attack(name: "features: has_geometry", prepare: Self.publishOpen) { service in
        try await Self.repeating(8, on: service) { _, _ in "/venues/open/revisions/1/features?has_geometry=true" }
    }

    /// Change sets that no other client has requested.
    private static let syncLimits = Attack(name: "features: other limits of a sync", prepare: Self.publishOpen) {
        service in
        try await Self.repeating(8, on: service) { client, round in
            "/venues/open/sync?limit=\(1_000 + client + 8 * round)"
        }
    }

    @Sendable private static func publishOpen(_ service: Service) async throws {
        guard (try? await service.send("GET", "/venues/open")) == nil else { return }
        let venue = SampleVenue(.init(levels: 20, unitsPerLevel: 500, seed: 15))
        _ = try await service.outcome(of: service.upload(venue.archive(), to: "open"))
        try await service.makePublic("open")
    }
}
