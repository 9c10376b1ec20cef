import BenchmarkSupport
import Foundation
import IMDF
import SampleVenue
import SyncModel
import Synchronization

/// A venue of ordinary size with a client that polls 50 times per second, and an operator that uploads a small change every
/// two seconds.
struct Victim: Sendable {
    struct Latencies: Sendable {
        /// In milliseconds.
        var polls: [Double] = []
        var uploads: [Double] = []
        var tiles: [Double] = []
        var searches: [Double] = []
        var health: [Double] = []
        var failures = 0
        /// How the attack ended.
        var attack = ""
    }

    private let service: Service
    private let key = "victim"
    private let cursor: String
    private let middle: TileGrid
    private let archives: [[UInt8]]

    init(service: Service) async throws {
        self.service = service
        var venue = SampleVenue(.init(levels: 2, unitsPerLevel: 60, seed: 3))
        var archives = [try venue.archive()]
        for seed in 0..<2 as Range<UInt64> {
            _ = venue.apply(try Edit.parse(list: "rename=3"), seed: seed)
            archives.append(try venue.archive())
        }
        self.archives = archives
        for (index, archive) in archives.enumerated() {
            let upload = try await service.upload(archive, to: self.key, options: index == 0 ? "" : "?create=false")
            guard try await service.outcome(of: upload) == .published else {
                throw Service.Refused(path: "/uploads/\(upload)", status: 0)
            }
        }
        self.middle = try await service.tileGrid(of: self.key, zoom: 22)
        self.cursor = try SyncPage(json: await service.send("GET", "/venues/\(self.key)/sync")).cursor
    }

    /// The measurements so far, shared by two tasks.
    private final class Recorder: Sendable {
        let latencies = Mutex(Latencies())

        func record(_ time: Double?, in list: any WritableKeyPath<Latencies, [Double]> & Sendable) {
            self.latencies.withLock { if let time { $0[keyPath: list].append(time) } else { $0.failures += 1 } }
        }
    }

    /// Polls and uploads while `body` runs.
    func measure(while body: @escaping @Sendable () async -> String) async throws -> Latencies {
        let recorder = Recorder()
        return await withTaskGroup(of: String?.self) { group in
            group.addTask { await body() }
            group.addTask {
                await self.poll { recorder.record($0, in: \.polls) }
                return nil
            }
            group.addTask {
                await self.upload { recorder.record($0, in: \.uploads) }
                return nil
            }
            group.addTask {
                await self.requestTiles { recorder.record($0, in: \.tiles) }
                return nil
            }
            group.addTask {
                await self.search { recorder.record($0, in: \.searches) }
                return nil
            }
            group.addTask {
                await self.checkHealth { recorder.record($0, in: \.health) }
                return nil
            }
            for await attack in group {
                guard let attack else { continue }
                recorder.latencies.withLock { $0.attack = attack }
                break
            }
            group.cancelAll()
            return recorder.latencies.withLock { $0 }
        }
    }

    private func poll(record: (Double?) -> Void) async {
        await Self.repeating(every: .milliseconds(20), record: record) { _ in
            try await self.service.send("GET", "/venues/\(self.key)/sync?since=\(self.cursor)", timeout: .seconds(30))
        }
    }

    /// Images around the middle of the venue, each with other addresses than the ones before.
    private func requestTiles(record: (Double?) -> Void) async {
        await Self.repeating(every: .milliseconds(300), record: record) { round in
            let (x, y) = (self.middle.x + round % 12 - 6, self.middle.y + round / 12 % 12 - 6)
            let path = "/venues/\(self.key)/tiles/0/22/\(x)/\(y).png?theme=\(["light", "dark"][round / 144 % 2])"
            return try await self.service.send("GET", path, timeout: .seconds(60))
        }
    }

    private func search(record: (Double?) -> Void) async {
        await Self.repeating(every: .milliseconds(300), record: record) { round in
            try await self.service.send("GET", "/venues/\(self.key)/search?q=shop%20\(round)", timeout: .seconds(60))
        }
    }

    /// Takes neither the database nor a computation: what delays it delays every request.
    private func checkHealth(record: (Double?) -> Void) async {
        await Self.repeating(every: .milliseconds(50), record: record) { _ in
            try await self.service.send("GET", "/health", key: nil, timeout: .seconds(30))
        }
    }

    /// Uploads two archives alternately, so that each differs from the previous revision.
    private func upload(record: (Double?) -> Void) async {
        await Self.repeating(every: .seconds(2), record: record) { round in
            let upload = try await self.service.upload(self.archives[1 + round % 2], to: self.key)
            _ = try await self.service.outcome(of: upload)
        }
    }

    /// - Parameter record: Takes the milliseconds that a request took, or nil for one that failed.
    private static func repeating(
        every interval: Duration, record: (Double?) -> Void, _ request: (_ round: Int) async throws -> some Sendable
    ) async {
        var round = 0
        while !Task.isCancelled {
            let start = ContinuousClock.now
            do {
                _ = try await request(round)
                record(start.duration(to: .now) / .milliseconds(1))
            } catch {
                if !Task.isCancelled { record(nil) }
            }
            round += 1
            try? await Task.sleep(until: start + interval, clock: .continuous)
        }
    }
}
