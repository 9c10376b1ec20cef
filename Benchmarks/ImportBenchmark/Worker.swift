import BenchmarkSupport
import Foundation
import IMDF
import RevisionStore
import SyncModel

/// `venue work` in a process of its own.
final class WorkerProcess {
    private let process = Process()

    init(program: String, databaseURL: String) throws {
        self.process.executableURL = URL(filePath: program)
        self.process.arguments = ["work"]
        self.process.environment = ProcessInfo.processInfo.environment.merging(["VENUE_DATABASE_URL": databaseURL]) {
            $1
        }
        try self.process.run()
    }

    /// The peak resident memory.
    var peakKibibytes: Int { MemoryReading(of: self.process.processIdentifier).peak }

    func stop() {
        self.process.terminate()
        self.process.waitUntilExit()
    }
}

/// Sequential uploads to one venue.
struct Queue {
    let store: RevisionStore
    let venue: VenueKey?

    struct Unexpected: Error {
        let state: Upload.State
    }

    /// Returns the seconds from the claim to the final state. Neither the time until the worker polls the queue is included, nor
    /// that of the rules, which run afterwards.
    func work(on archive: [UInt8], expecting state: Upload.State) async throws -> Double {
        guard let venue else { return 0 }
        let publisher = Authorization(key: nil, author: "benchmark", role: .publish, venue: venue)
        var reception = try await self.store.beginArchive(by: publisher)
        for start in stride(from: 0, to: archive.count, by: RevisionStore.chunkSize) {
            let chunk = Array(archive[start..<min(start + RevisionStore.chunkSize, archive.count)])
            try await self.store.append(chunk, to: &reception)
        }
        let id = try await self.store.enqueue(
            UploadRequest(
                venue: venue, archive: self.store.finish(reception), options: .init(), message: nil,
                createsVenue: true, known: nil),
            by: publisher
        ).id
        var claimed: ContinuousClock.Instant?
        while true {
            let upload = try await self.store.upload(id)
            if upload.state != .received, claimed == nil { claimed = .now }
            if upload.state.isFinal {
                let seconds = (ContinuousClock.now - (claimed ?? .now)) / .seconds(1)
                guard upload.state == state else { throw Unexpected(state: upload.state) }
                try await self.waitForReport(of: id)
                return seconds
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Waits for the rules, so that the next measurement does not share the machine with them.
    private func waitForReport(of id: UploadID) async throws {
        while try await !self.store.upload(id).findings.complete { try await Task.sleep(for: .milliseconds(50)) }
    }
}
