import ArgumentParser
import BenchmarkSupport
import EmbeddedPostgres
import Foundation
import IMDF
import Postgres
import RevisionStore
import SampleVenue
import SyncModel

/// Measures the time from the queue to the revision for a large archive, compared with unzipping and hashing it.
///
/// The worker is `venue work` in a process of its own; its peak memory is that reported by the system.
@main
struct ImportBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "import-benchmark")

    @Option(help: "The “venue” program whose worker is measured.")
    var venue = ".build/release/venue"

    @Option(help: "Levels of the generated venue; 200 make about 115 000 features.")
    var levels = 200

    @Option(help: "The number of measurements; the medians are printed.")
    var rounds = 3

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "venue-import-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        defer { try? FileManager.default.removeItem(at: folder) }
        let archives = try Archives(levels: self.levels, in: folder)
        print(#"{"name":"archive","features":\#(archives.features),"bytes":\#(archives.inflatedBytes)}"#)

        let server = try await EmbeddedPostgres.start(in: folder.path + "/data")
        do {
            try await self.measure(archives, on: server.databaseURL)
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }

    private func measure(_ archives: Archives, on databaseURL: String) async throws {
        let database = ConnectionConfiguration(url: databaseURL)
        try await Migrator.migrate(database)
        let pool = ConnectionPool(database)
        var (control, first, unchanged, edited, noise): ([Double], [Double], [Double], [Double], [Double]) = (
            [], [], [], [], []
        )
        var (reminted, known, later): ([Double], [Double], [Double]) = ([], [], [])
        var peak = 0
        for round in 0..<self.rounds {
            control.append(try Self.seconds { try archives.unzipAndHash() })
            let worker = try WorkerProcess(program: self.venue, databaseURL: databaseURL)
            defer { worker.stop() }
            let queue = Queue(store: RevisionStore(pool: pool), venue: VenueKey("round-\(round)"))
            first.append(try await queue.work(on: archives.first, expecting: .published))
            unchanged.append(try await queue.work(on: archives.first, expecting: .unchanged))
            edited.append(try await queue.work(on: archives.edited, expecting: .published))
            noise.append(try await queue.work(on: archives.noise, expecting: .unchanged))
            reminted.append(try await queue.work(on: archives.reminted, expecting: .unchanged))
            known.append(try await queue.work(on: archives.reminted, expecting: .unchanged))
            peak = max(peak, worker.peakKibibytes)
        }
        for round in 0..<self.rounds {
            // PostgreSQL uses its WAL files again after a checkpoint; new ones it fills with zeros first.
            try await pool.withConnection { try await $0.execute("CHECKPOINT") }
            let worker = try WorkerProcess(program: self.venue, databaseURL: databaseURL)
            defer { worker.stop() }
            let queue = Queue(store: RevisionStore(pool: pool), venue: VenueKey("later-\(round)"))
            later.append(try await queue.work(on: archives.first, expecting: .published))
        }
        await pool.close()
        let base = control.median
        Self.report("unzip -p | sha256sum", base, against: base)
        Self.report("first import", first.median, against: base)
        Self.report("first import, after a checkpoint", later.median, against: base)
        Self.report("re-upload, nothing changed", unchanged.median, against: base)
        Self.report("re-upload, 20 changed", edited.median, against: base)
        Self.report("re-upload, everything reformatted", noise.median, against: base)
        Self.report("re-upload, all ids new", reminted.median, against: base)
        Self.report("re-upload, all ids aliases", known.median, against: base)
        print(#"{"name":"worker peak memory","mebibytes":\#(peak / 1024)}"#)
    }

    private static func seconds(_ work: () throws -> Void) rethrows -> Double {
        let duration = try ContinuousClock().measure(work)
        return duration / .seconds(1)
    }

    private static func report(_ name: String, _ seconds: Double, against base: Double) {
        let ratio = (seconds / base * 100).rounded() / 100
        print(#"{"name":"\#(name)","seconds":\#((seconds * 1000).rounded() / 1000),"ratio":\#(ratio)}"#)
    }
}
