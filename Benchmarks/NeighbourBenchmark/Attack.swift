import BenchmarkSupport
import Foundation
import IMDF
import SampleVenue

/// One way in which the requests of a venue could slow down others.
struct Attack: Sendable {
    let name: String
    /// Prepares the attack; not measured.
    var prepare: @Sendable (Service) async throws -> Void = { _ in }
    let run: @Sendable (Service) async throws -> Void

    static let all: [Attack] =
        Self.archives + Self.parts + Self.tiles + Self.features + [
            .manyUploads, .slowBodies, .comparisons, .exports, .abandonedExports, .snapshots, .venueLists,
        ]

    /// Twenty concurrent uploads to one venue, each with changes.
    private static let manyUploads = Attack(name: "twenty uploads at once") { service in
        let archives = try Self.revisions(20)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for archive in archives {
                group.addTask { _ = try? await service.outcome(of: service.upload(archive, to: "attacker")) }
            }
            try await group.waitForAll()
        }
    }

    /// Two hundred uploads that send single bytes.
    private static let slowBodies = Attack(name: "slow bodies") { service in
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask { try? await SlowUpload(port: service.port).run(for: .seconds(15)) }
            }
            try await group.waitForAll()
        }
    }

    private static let comparisons = Attack(name: "a hundred comparisons", prepare: Self.publishLarge) { service in
        try await Self.concurrently(100) { number in
            _ = try await service.send("GET", "/venues/large/diff?from=1&to=2&bodies=true&limit=1000&round=\(number)")
        }
    }

    /// Whole and strict archives of a large venue, read to their ends.
    private static let exports = Attack(name: "whole and strict exports", prepare: Self.publishLarge) { service in
        try await Self.concurrently(16) { number in
            let query = number % 2 == 0 ? "" : "?strict=true"
            _ = try await service.send("GET", "/venues/large/revisions/\(1 + number / 2 % 2)/archive.zip\(query)")
        }
    }

    /// Clients that request a large archive and close the connection.
    private static let abandonedExports = Attack(name: "abandoned exports", prepare: Self.publishLarge) { service in
        try await Self.concurrently(40) { _ in
            _ = try await service.send("GET", "/venues/large/revisions/1/archive.zip", timeout: .milliseconds(300))
        }
    }

    private static let snapshots = Attack(name: "thirty-two snapshots of a large venue", prepare: Self.publishLarge) {
        service in
        try await Self.concurrently(32) { _ in
            for _ in 0..<4 { _ = try await service.send("GET", "/venues/large/sync?limit=50000") }
        }
    }

    private static let venueLists = Attack(name: "lists of venues") { service in
        try await Self.concurrently(16) { _ in for _ in 0..<50 { _ = try await service.send("GET", "/venues") } }
    }

    private static func concurrently(_ count: Int, _ request: @escaping @Sendable (Int) async throws -> Void)
        async throws
    {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count { group.addTask { try? await request(number) } }
        }
    }

    /// A venue of some 29,000 features in two revisions.
    @Sendable private static func publishLarge(_ service: Service) async throws {
        guard (try? await service.send("GET", "/venues/large")) == nil else { return }
        var venue = SampleVenue(.init(levels: 50, unitsPerLevel: 250, seed: 5))
        _ = try await service.outcome(of: service.upload(venue.archive(), to: "large"))
        _ = venue.apply(try Edit.parse(list: "rename=2000,move=2000"), seed: 1)
        try await service.report(of: service.upload(venue.archive(), to: "large"))
    }

    private static func revisions(_ count: Int) throws -> [[UInt8]] {
        var venue = SampleVenue(.init(levels: 6, unitsPerLevel: 200, seed: 9))
        return try (0..<count).map { round in
            _ = venue.apply(try Edit.parse(list: "rename=200"), seed: UInt64(round))
            return try venue.archive()
        }
    }
}
