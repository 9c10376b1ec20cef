import BenchmarkSupport
import Foundation
import IMDF
import SampleVenue
import Wayfinding

/// Routes in the map of a venue in this process.
struct Queries {
    private let map: WayfindingMap
    private let questions: Questions
    private let count: Int

    init(_ venue: SampleVenue, count: Int) {
        let features = venue.features.map { WayfindingFeature(id: $0.id, type: $0.type, content: $0.body) }
        let start = ContinuousClock.now
        self.map = WayfindingMap(features, language: venue.manifest["language"]?.string)
        report([
            "name": "map of the venue", "ms": .rounded(start.elapsedMilliseconds),
            "triangles": .number(Double(self.map.triangleCount)),
            "mesh_bytes": .number(Double(self.map.meshBytes)),
        ])
        self.questions = Questions(venue)
        self.count = count
    }

    /// One query after another.
    func measure() {
        for profile in Profile.allCases {
            self.measureRoutes("in a level", profile, acrossLevels: false)
            self.measureRoutes("across levels", profile, acrossLevels: true)
            self.measureNearest(profile)
        }
    }

    private func measureRoutes(_ name: String, _ profile: Profile, acrossLevels: Bool) {
        var random = SplitMix64(seed: 1)
        var times: [Double] = []
        var routes = 0
        for _ in 0..<self.count {
            let (from, to) = self.questions.pair(acrossLevels: acrossLevels, using: &random)
            let query = RouteQuery(from: .feature(from), to: .feature(to), profile: profile)
            let start = ContinuousClock.now
            let answer = self.map.route(query)
            times.append(start.elapsedMilliseconds)
            if answer.status == .route { routes += 1 }
        }
        reportTimes("route \(name), \(profile.rawValue)", times, ["routes": .number(Double(routes))])
    }

    private func measureNearest(_ profile: Profile) {
        var random = SplitMix64(seed: 2)
        var times: [Double] = []
        var found = 0
        for _ in 0..<self.count {
            let from = self.questions.pair(acrossLevels: false, using: &random).from
            let start = ContinuousClock.now
            let nearest = self.map.nearest(from: .feature(from), among: self.questions.restrooms, profile: profile)
            times.append(start.elapsedMilliseconds)
            found += nearest.count
        }
        reportTimes(
            "nearest restroom, \(profile.rawValue)", times,
            ["among": .number(Double(self.questions.restrooms.count)), "found": .number(Double(found))])
    }

    /// Concurrent clients, each with a task. A time includes the wait for a core.
    func measure(clients: Int) async {
        let (map, questions, count) = (self.map, self.questions, self.count)
        let before = MemoryReading(of: getpid()).resident
        let start = ContinuousClock.now
        let all = await withTaskGroup(of: [Double].self) { group in
            for client in 0..<clients {
                group.addTask {
                    var random = SplitMix64(seed: UInt64(1_000 + client))
                    var times: [Double] = []
                    for _ in 0..<max(count / 4, 1) {
                        let query = questions.query(using: &random)
                        let start = ContinuousClock.now
                        await Task.yield()
                        _ = map.route(query)
                        times.append(start.elapsedMilliseconds)
                    }
                    return times
                }
            }
            var sum: [Double] = []
            for await times in group { sum += times }
            return sum
        }
        let seconds = start.elapsedMilliseconds / 1_000
        reportTimes(
            "\(clients) clients in this process", all,
            [
                "routes_per_second": .rounded(Double(all.count) / seconds, decimals: 0),
                "resident_growth_mib": .rounded(Double(MemoryReading(of: getpid()).resident - before) / 1_024),
            ])
    }
}
