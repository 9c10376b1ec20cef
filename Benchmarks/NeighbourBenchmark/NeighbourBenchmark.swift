import ArgumentParser
import BenchmarkSupport
import Foundation
import IMDF

/// Measures how the most expensive requests of one venue affect the polls and uploads of another.
///
/// `venue up` runs in a process of its own. The victim polls and uploads continuously while the attacks run one after another, each in
/// a process of its own, so that its clients share only the processors with those of the victim.
/// Targets: p99 of a poll and of `/health` at most 25 ms, a tile and a search within 1 s, and a small upload published within 3 s, during every attack.
@main
struct NeighbourBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "NeighbourBenchmark", abstract: "Measure one venue's polls and uploads while another attacks.",
        subcommands: [Measure.self, Perform.self], defaultSubcommand: Measure.self)
}

/// Measures the victim during all attacks.
struct Measure: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measure the victim during all attacks.")

    @Option(help: "The “venue” program that is measured.")
    var venue = ".build/release/venue"

    @Option(help: "The minimum duration of each attack in seconds.")
    var seconds = 15

    @Option(help: "The seconds after which an attack is cancelled.")
    var limit = 120

    @Option(help: "Only attacks whose name contains this.")
    var only: String?

    @Flag(help: "Send all requests through the nginx of deploy/nginx.")
    var proxy = false

    func run() async throws {
        raiseFileLimit()
        try await Service.run(program: self.venue) { service in
            if self.proxy {
                try await ReverseProxy.run(before: service) { try await self.measureAttacks(on: $0) }
            } else {
                try await self.measureAttacks(on: service)
            }
        }
    }

    private func measureAttacks(on service: Service) async throws {
        let victim = try await Victim(service: service)
        try await self.measure("no attack", against: victim, on: service) { try await Task.sleep(for: .seconds(1)) }
        for attack in Attack.all where self.only.map(attack.name.contains) ?? true {
            try await attack.prepare(service)
            try await self.measure(attack.name, against: victim, on: service) {
                try await Perform.run(attack, on: service)
            }
        }
    }

    /// Measures the victim from the start of an attack until the attack has ended and the minimum time has passed.
    private func measure(
        _ name: String, against victim: Victim, on service: Service,
        _ attack: @escaping @Sendable () async throws -> Void
    ) async throws {
        let (start, attackerTime) = (ContinuousClock.now, Self.endedChildrenTime)
        let (minimum, maximum) = (Duration.seconds(self.seconds), Duration.seconds(self.limit))
        let latencies = try await victim.measure {
            let end = await Self.end(of: attack, within: maximum)
            let rest = minimum - start.duration(to: .now)
            if rest > .zero { try? await Task.sleep(for: rest) }
            return end
        }
        report([
            "name": .string(name), "seconds": .rounded(start.duration(to: .now) / .seconds(1)),
            "attack": .string(latencies.attack), "attacker_cpu_s": .rounded(Self.endedChildrenTime - attackerTime),
            "polls": .number(Double(latencies.polls.count)),
            "poll_p50_ms": .rounded(latencies.polls.median, decimals: 2),
            "poll_p99_ms": .rounded(latencies.polls.percentile(99), decimals: 2),
            "poll_max_ms": .rounded(latencies.polls.max() ?? 0),
            "health_p99_ms": .rounded(latencies.health.percentile(99), decimals: 2),
            "health_max_ms": .rounded(latencies.health.max() ?? 0), "uploads": .number(Double(latencies.uploads.count)),
            "upload_p50_ms": .rounded(latencies.uploads.median),
            "upload_max_ms": .rounded(latencies.uploads.max() ?? 0),
            "tiles": .number(Double(latencies.tiles.count)), "tile_max_ms": .rounded(latencies.tiles.max() ?? 0),
            "searches": .number(Double(latencies.searches.count)),
            "search_max_ms": .rounded(latencies.searches.max() ?? 0),
            "failures": .number(Double(latencies.failures)),
            "resident_mib": .number(Double(service.residentMebibytes)),
        ])
    }

    /// The processor time of all children that have ended, in seconds. During the measurements these are the attacks alone: their clients
    /// share the processors with the server, which those of a real attacker would not.
    private static var endedChildrenTime: Double {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage) == 0 else { return 0 }
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }

    /// How the attack ended: "done" and the seconds it took, "unfinished", or the error that ended it.
    private static func end(
        of attack: @escaping @Sendable () async throws -> Void, within limit: Duration
    ) async -> String {
        await withTaskGroup(of: String.self) { group in
            group.addTask {
                let start = ContinuousClock.now
                do {
                    try await attack()
                    let seconds = start.duration(to: .now) / .seconds(1)
                    return "done after \((seconds * 10).rounded() / 10) s"
                } catch {
                    return "failed: \(error)"
                }
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return "unfinished"
            }
            let end = await group.next() ?? ""
            group.cancelAll()
            return end
        }
    }
}
