import ArgumentParser
import BenchmarkSupport
import EmbeddedPostgres
import Foundation
import IMDF
import Postgres
import SampleVenue
import SyncModel

/// Measures edits of a large venue, and uploads to a venue with many overrides.
///
/// `venue serve` and `venue work` run in processes of their own on a private PostgreSQL with `fsync` on. The controls run in between:
/// the same change of one property as an upload, and as an `UPDATE` of a table with the same features in the same PostgreSQL.
/// Targets: an edit of one property within 25 ms (median), at least 30 edits per second of one venue, and an upload over 5,000
/// overrides in at most 1.3 times the time of one without.
@main
struct EditBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "EditBenchmark", abstract: "Measure edits of a large venue, and uploads over overrides.")

    @Option(help: "The “venue” program that is measured.")
    var venue = ".build/release/venue"

    @Option(help: "Levels of the generated venue; 200 make about 115 000 features.")
    var levels = 200

    @Option(help: "The number of edits of each kind.")
    var edits = 200

    @Option(help: "The number of concurrent editors.")
    var editors = 8

    @Option(help: "The seconds for which they edit.")
    var seconds = 10

    @Option(help: "The number of overrides that an upload meets.")
    var overrides = 5_000

    @Option(help: "The number of uploads of each kind; the medians are printed.")
    var rounds = 3

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "venue-edit-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await EmbeddedPostgres.start(in: folder.path + "/data")
        do {
            let environment = ["VENUE_DATABASE_URL": server.databaseURL]
            _ = try Program.output(of: self.venue, ["migrate"], environment: environment)
            try await Service.run(program: self.venue, on: server.databaseURL) { service in
                try await self.measure(service, server.databaseURL)
            }
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }

    private func measure(_ service: Service, _ databaseURL: String) async throws {
        let sample = SampleVenue(.init(levels: self.levels, unitsPerLevel: 250, seed: 7))
        report(["name": "venue", "features": .number(Double(sample.features.count))])
        let editing = Editing(of: sample, on: service)
        try await editing.prepare()
        let table = try await ControlTable(of: sample, in: databaseURL)
        for kind in Editing.Kind.allCases {
            var (times, control): ([Double], [Double]) = ([], [])
            let count = kind == .property ? self.edits : max(1, self.edits / 4)
            for number in 0..<count {
                times.append(try await Self.milliseconds { try await editing.edit(kind, number) })
                control.append(try await Self.milliseconds { try await table.update(number) })
            }
            // The first edit of a kind may read what later ones find in memory.
            report([
                "name": .string("edit: \(kind.rawValue)"), "n": .number(Double(count)),
                "first_ms": .rounded(times[0]), "p50_ms": .rounded(times.median),
                "p99_ms": .rounded(times.percentile(99)), "update_p50_ms": .rounded(control.median, decimals: 2),
                "ratio": .rounded(times.median / control.median),
            ])
        }
        try await self.measureConcurrentEdits(editing)
        await table.close()
        try await self.measureUploads(of: sample, service)
        report(["name": "server memory", "mebibytes": .number(Double(service.residentMebibytes))])
    }

    /// An editor's next edit begins when the one before has its response. The rate is that of all editors together.
    private func measureConcurrentEdits(_ editing: Editing) async throws {
        let duration = Duration.seconds(self.seconds)
        let start = ContinuousClock.now
        let times = try await withThrowingTaskGroup(of: [Double].self) { tasks in
            for editor in 0..<self.editors {
                tasks.addTask {
                    var times: [Double] = []
                    while start.duration(to: .now) < duration {
                        let number = 10_000 + times.count * 1_000 + editor
                        times.append(try await Self.milliseconds { try await editing.edit(.property, number) })
                    }
                    return times
                }
            }
            return try await tasks.reduce(into: []) { $0 += $1 }
        }
        let seconds = start.duration(to: .now) / .seconds(1)
        report([
            "name": "concurrent edits", "editors": .number(Double(self.editors)), "n": .number(Double(times.count)),
            "per_second": .rounded(Double(times.count) / seconds), "p50_ms": .rounded(times.median),
            "p99_ms": .rounded(times.percentile(99)),
        ])
    }

    /// Uploads to two venues in turns: one without overrides, and one with many.
    private func measureUploads(of sample: SampleVenue, _ service: Service) async throws {
        let (plain, edited) = (Uploads(to: "plain", on: service), Uploads(to: "edited", on: service))
        var next = sample
        _ = next.apply(try Edit.parse(list: "rename=10,move=5,hours=5"), seed: 11)
        var other = next
        _ = other.apply(try Edit.parse(list: "rename=1"), seed: 12)
        let archives = try [next.archive(), other.archive(), sample.archive()]
        for uploads in [plain, edited] { _ = try await uploads.seconds(for: archives[2]) }
        let count = try await Editing(of: sample, on: service, venue: "edited").makeOverrides(self.overrides)
        var (without, with, one): ([Double], [Double], [Double]) = ([], [], [])
        for round in 0..<self.rounds {
            // In turns, so that what gets slower with time does not count for one of them only.
            if round % 2 == 0 { without.append(try await plain.seconds(for: archives[0])) }
            with.append(try await edited.seconds(for: archives[0]))
            if round % 2 == 1 { without.append(try await plain.seconds(for: archives[0])) }
            one.append(try await plain.seconds(for: archives[1]))
            for uploads in [plain, edited] { _ = try await uploads.seconds(for: archives[2]) }
        }
        report(["name": "upload of one changed property", "seconds": .rounded(one.median, decimals: 3)])
        report([
            "name": "upload of 20 changes", "overrides": .number(Double(count)),
            "without_seconds": .rounded(without.median, decimals: 3),
            "with_seconds": .rounded(with.median, decimals: 3),
            "ratio": .rounded(with.median / without.median, decimals: 2),
        ])
    }

    static func milliseconds(_ work: () async throws -> Void) async rethrows -> Double {
        try await ContinuousClock().measure(work) / .milliseconds(1)
    }
}
