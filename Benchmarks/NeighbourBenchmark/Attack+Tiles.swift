import BenchmarkSupport
import Foundation
import IMDF
import SampleVenue

extension Attack {
    /// Requests for tiles, glyphs and archives of tiles of a public venue, without a key.
    static let tiles: [Attack] = [.combTiles, .labels, .glyphs, .tileArchives]

    private static let seconds = Duration.seconds(15)

    /// Vector tiles of combs that cross each other, each requested once.
    private static let combTiles = Attack(
        name: "tiles: crossing combs",
        prepare: { service in
            let archive = try HostileArchive.crossingCombs.zip(seed: 3, combs: 30)
            _ = try await service.outcome(of: service.upload(archive, to: "combs"))
            try await service.makePublic("combs")
        }
    ) { service in
        let map = try await service.tileGrid(of: "combs", zoom: 20)
        try await Self.repeating(4, on: service) { client, round in
            "/venues/combs/tiles/0/20/\(map.x + round % 16 - 8)/\(map.y + round / 16 % 16 - 8).mvt?lang=a\(client)"
        }
    }

    /// The labels of a floor of 10,000 units, placed for one zoom after the other.
    private static let labels = Attack(
        name: "tiles: labels of 10,000 units",
        prepare: { service in
            let venue = SampleVenue(.init(levels: 1, unitsPerLevel: 10_000, seed: 11))
            _ = try await service.outcome(of: service.upload(venue.archive(), to: "wide"))
            try await service.makePublic("wide")
        }
    ) { service in
        let map = try await service.tileGrid(of: "wide", zoom: 22)
        try await Self.repeating(4, on: service) { client, round in
            let (zoom, language) = (14 + round % 9, ["en", "ja", "de", "fr"][(client + round / 9) % 4])
            let shift = 22 - zoom
            return "/venues/wide/tiles/0/\(zoom)/\(map.x >> shift)/\(map.y >> shift).png?lang=\(language)"
        }
    }

    /// Ranges of Chinese characters of all font stacks.
    private static let glyphs = Attack(name: "tiles: glyphs", prepare: { try await $0.makePublic("victim") }) {
        service in
        try await Self.repeating(4, on: service) { client, round in
            let (first, stack) = (0x4E00 + 256 * round, ["JP", "KR", "SC", "TC"][client])
            return "/venues/victim/glyphs/Sans%20\(stack)/\(first)-\(first + 255).pbf"
        }
    }

    private static let tileArchives = Attack(
        name: "tiles: two archives",
        prepare: { service in
            let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 1_000, seed: 12))
            _ = try await service.outcome(of: service.upload(venue.archive(), to: "packed"))
            try await service.makePublic("packed")
        }
    ) { service in
        try await Self.repeating(2, on: service) { client, round in
            "/venues/packed/revisions/1/tiles/\(client).pmtiles?format=png&theme=\(["light", "dark"][round % 2])"
        }
    }

    /// Clients that request one address after the other without a key.
    private static func repeating(
        _ clients: Int, on service: Service, _ path: @escaping @Sendable (_ client: Int, _ round: Int) -> String
    ) async throws {
        let end = ContinuousClock.now + Self.seconds
        await withTaskGroup(of: Void.self) { group in
            for client in 0..<clients {
                group.addTask {
                    var round = 0
                    while ContinuousClock.now < end, !Task.isCancelled {
                        _ = try? await service.send(
                            "GET", path(client, round), key: nil, timeout: max(end - .now, .milliseconds(1)))
                        round += 1
                    }
                }
            }
        }
    }
}
