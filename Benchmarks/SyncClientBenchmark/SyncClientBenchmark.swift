import ArgumentParser
import BenchmarkSupport
import Foundation
import IMDF
import SampleVenue
import SyncClient
import SyncModel

/// Measures how fast a replica applies and verifies a large venue, how many requests a first floor takes, the size of the file, and how
/// long a map takes to follow a revision.
@main
struct SyncClientBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "sync-client-benchmark")

    @Option(help: "Levels of the large venue; 200 make about 115 000 features.")
    var levels = 200

    @Option(help: "The number of measurements; the medians are printed.")
    var rounds = 5

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sync-client-benchmark-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await self.measureSnapshot(in: folder)
        try await self.measureFirstFloor(in: folder)
        for line in try MapUpdates(rounds: self.rounds).run() { report(line) }
    }

    /// Synchronises a large venue from responses in memory into a verified file.
    private func measureSnapshot(in folder: URL) async throws {
        let server = VenueInMemory(SampleVenue(.init(levels: self.levels, unitsPerLevel: 250, seed: 7)))
        let file = folder.appending(path: "large.sqlite")
        var (seconds, closed): ([Double], [Double]) = ([], [])
        var requests = 0
        for _ in 0..<self.rounds {
            Self.remove(file)
            let replica = try await Self.open(file, server)
            let clock = ContinuousClock()
            let start = clock.now
            let report = try await replica.sync()
            seconds.append((clock.now - start) / .seconds(1))
            requests = report.requests
            guard report.changes.added == server.features else { throw UnexpectedResult() }
            try await replica.close()
            closed.append((clock.now - start) / .seconds(1))
        }
        let time = seconds.median
        report([
            "name": "snapshot, applied and verified", "features": .number(Double(server.features)),
            "pages": .number(Double(requests)), "seconds": .rounded(time, decimals: 3),
            "features_a_second": .rounded(Double(server.features) / time, decimals: 0),
            "seconds_until_closed": .rounded(closed.median, decimals: 3),
        ])
        let size = Self.size(file)
        report([
            "name": "file", "json_bytes": .number(Double(server.bytes)), "sqlite_bytes": .number(Double(size)),
            "ratio": .rounded(Double(size) / Double(server.bytes), decimals: 3),
        ])
    }

    /// The first start of an app: the level picker, and one floor.
    private func measureFirstFloor(in folder: URL) async throws {
        let server = VenueInMemory(SampleVenue(.init(levels: 20, unitsPerLevel: 250, seed: 7)))
        let file = folder.appending(path: "floor.sqlite")
        var seconds: [Double] = []
        var (requests, features) = (0, 0)
        for _ in 0..<self.rounds {
            Self.remove(file)
            let replica = try await Self.open(file, server)
            let clock = ContinuousClock()
            let start = clock.now
            let picker = try await replica.select(.levels([.venueWide]))
            guard let floor = try await replica.store.features(on: nil, type: .level).first else {
                throw UnexpectedResult()
            }
            let first = try await replica.add(.level(floor.id))
            features = try await replica.store.features(on: floor.id).count
            seconds.append((clock.now - start) / .seconds(1))
            requests = picker.requests + first.requests
            try await replica.close()
        }
        report([
            "name": "first floor of 20", "requests": .number(Double(requests)), "features": .number(Double(features)),
            "seconds": .rounded(seconds.median, decimals: 4),
        ])
    }

    private struct UnexpectedResult: Error {}

    private static func open(_ file: URL, _ server: VenueInMemory) async throws -> VenueReplica {
        guard let address = URL(string: "http://venue.test") else { throw UnexpectedResult() }
        return try await .open(file, server: address, venue: server.key, key: nil, transport: server)
    }

    private static func remove(_ file: URL) {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
    }

    private static func size(_ file: URL) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes?[.size] as? Int) ?? 0
    }
}
