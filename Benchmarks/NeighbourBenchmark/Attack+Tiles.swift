import BenchmarkSupport
import Foundation
import IMDF
import SampleVenue

extension Attack {
    /// Requests for tiles, glyphs and archives of tiles of public venues, and for searches and routes in them, without a key.
    static let tiles: [Attack] = [.combTiles, .labels, .glyphs, .glyphsOfVenues, .tileArchives, .searches, .routes]

    private static let seconds = Duration.seconds(15)

    /// Vector tiles of combs that cross each other, each requested once.
    private static let combTiles = Attack(name: "tiles: crossing combs", prepare: Self.publishCombs) { service in
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

    /// Ranges that nobody has requested before, each client of a venue of its own.
    private static let glyphsOfVenues = Attack(
        name: "tiles: glyphs of eight venues",
        prepare: { service in
            for number in 0..<8 {
                let archive = try SampleVenue(.init(levels: 1, unitsPerLevel: 4, seed: UInt64(20 + number))).archive()
                _ = try await service.outcome(of: service.upload(archive, to: "glyphs-\(number)"))
                try await service.makePublic("glyphs-\(number)")
            }
        }
    ) { service in
        try await Self.repeating(8, on: service) { client, round in
            let first = 0x7000 + 256 * (2 * (round % 32) + client / 4)
            let stack = ["JP", "KR", "SC", "TC"][client % 4]
            return "/venues/glyphs-\(client)/glyphs/Sans%20\(stack)/\(first)-\(first + 255).pbf"
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

    /// Searches for other texts each time, in a large index with names of 100 KB of combining marks, as many in a row as allowed.
    private static let searches = Attack(
        name: "searches",
        prepare: { service in
            var venue = SampleVenue(.init(levels: 10, unitsPerLevel: 1_000, seed: 13))
            var random = SplitMix64(seed: 13)
            let marks = ["\u{301}", "\u{308}", "\u{323}", "\u{327}"]
            for index in venue.features.indices.filter({ venue.features[$0].type == .occupant }).prefix(50) {
                let name = (0..<50_000).reduce(into: "Kiosk") { name, mark in
                    name += mark % 31 == 0 ? "k" : marks.randomElement(using: &random) ?? ""
                }
                venue.features[index]["name"] = ["en": .string(name)]
            }
            _ = try await service.outcome(of: service.upload(venue.archive(), to: "named"))
            try await service.makePublic("named")
        }
    ) { service in
        try await Self.repeating(4, on: service) { client, round in
            "/venues/named/search?q=kiosk%20\(client)%20\(round)&near=139.7,35.6&limit=100"
        }
    }

    /// Routes between other positions each time, through combs that cross each other.
    private static let routes = Attack(name: "routes", prepare: Self.publishCombs) { service in
        try await Self.repeating(4, on: service) { client, round in
            let places = [client + 4 * round, 7 * client + 12 * round + 5].map { number in
                "\(139.7 + Double(number * 37 % 200) * 1e-5),\(35.6 + Double(number * 53 % 200) * 1e-5),0"
            }
            return "/venues/combs/route?from=\(places[0])&to=\(places[1])"
        }
    }

    @Sendable private static func publishCombs(_ service: Service) async throws {
        let archive = try HostileArchive.crossingCombs.zip(seed: 3, combs: 30)
        _ = try await service.outcome(of: service.upload(archive, to: "combs"))
        try await service.makePublic("combs")
    }

    /// Clients that request one address after the other without a key.
    static func repeating(
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
