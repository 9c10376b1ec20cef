import ArgumentParser
import BenchmarkSupport
import Foundation
import IMDF

/// Measures how the most expensive requests of one venue affect the polls and uploads of another.
///
/// `venue up` runs in a process of its own. The victim polls and uploads continuously while the attacks run one after another.
/// Targets: p99 of a poll at most 25 ms, and a small upload published within 3 s, during every attack.
@main
struct NeighbourBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "NeighbourBenchmark", abstract: "Measure one venue's polls and uploads while another attacks.")

    @Option(help: "The “venue” program that is measured.")
    var venue = ".build/release/venue"

    @Option(help: "The minimum duration of each attack in seconds.")
    var seconds = 15

    @Option(help: "The seconds after which an attack is cancelled.")
    var limit = 120

    @Option(help: "Only attacks whose name contains this.")
    var only: String?

    func run() async throws {
        raiseFileLimit()
        try await Service.run(program: self.venue) { service in
            let victim = try await Victim(service: service)
            try await self.measure("no attack", against: victim, on: service) {
                try await Task.sleep(for: .seconds(1))
            }
            for attack in Attack.all where self.only.map(attack.name.contains) ?? true {
                try await attack.prepare(service)
                try await self.measure(attack.name, against: victim, on: service) { try await attack.run(service) }
            }
        }
    }

    /// Measures the victim from the start of an attack until the attack has ended and the minimum time has passed.
    private func measure(
        _ name: String, against victim: Victim, on service: Service,
        _ attack: @escaping @Sendable () async throws -> Void
    ) async throws {
        let start = ContinuousClock.now
        let (minimum, maximum) = (Duration.seconds(self.seconds), Duration.seconds(self.limit))
        let latencies = try await victim.measure {
            let hasEnded = await Self.ends(attack, within: maximum)
            let rest = minimum - start.duration(to: .now)
            if rest > .zero { try? await Task.sleep(for: rest) }
            return hasEnded
        }
        report([
            "name": .string(name), "seconds": .rounded(start.duration(to: .now) / .seconds(1)),
            "attack_ended": .bool(latencies.hasEnded), "polls": .number(Double(latencies.polls.count)),
            "poll_p50_ms": .rounded(latencies.polls.median, decimals: 2),
            "poll_p99_ms": .rounded(latencies.polls.percentile(99), decimals: 2),
            "poll_max_ms": .rounded(latencies.polls.max() ?? 0), "uploads": .number(Double(latencies.uploads.count)),
            "upload_p50_ms": .rounded(latencies.uploads.median),
            "upload_max_ms": .rounded(latencies.uploads.max() ?? 0),
            "failures": .number(Double(latencies.failures)),
            "resident_mib": .number(Double(service.residentMebibytes)),
        ])
    }

    /// Returns whether the attack ended by itself. A failed attack, for example a refused request, has ended.
    private static func ends(
        _ attack: @escaping @Sendable () async throws -> Void, within limit: Duration
    ) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                try? await attack()
                return !Task.isCancelled
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return false
            }
            let hasEnded = await group.next() ?? true
            group.cancelAll()
            return hasEnded
        }
    }
}
