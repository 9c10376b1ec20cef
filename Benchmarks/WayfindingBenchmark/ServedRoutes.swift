import BenchmarkSupport
import Foundation
import IMDF
import SampleVenue
import SyncModel

/// Routes from a server, and polls and change sets of the same venue beside them.
struct ServedRoutes {
    private let service: Service
    private let options: VenueOptions
    /// The cursors of the first and the newest revision.
    private let cursors: (first: String, newest: String)

    static let key = "mall"

    /// Publishes the venue, and a second revision of it with 20 new names.
    init(service: Service, options: VenueOptions) async throws {
        self.service = service
        self.options = options
        var venue = options.sample
        let first = try await Self.publish(venue, on: service)
        _ = venue.apply(try Edit.parse(list: "rename=20"), seed: 1)
        self.cursors = (first, try await Self.publish(venue, on: service))
    }

    /// - Returns: The cursor of the revision.
    private static func publish(_ venue: SampleVenue, on service: Service) async throws -> String {
        let upload = try await service.upload(venue.archive(), to: Self.key)
        guard try await service.outcome(of: upload) == .published else {
            throw Service.Refused(path: "/uploads/\(upload)", status: 0)
        }
        // Rules that are still being checked would be measured too.
        try await service.report(of: upload)
        return try SyncPage(json: await service.send("GET", "/venues/\(Self.key)/sync")).cursor
    }

    func measure() async throws {
        let end = ContinuousClock.now + .seconds(self.options.seconds)
        try await self.measureSync("alone") { ContinuousClock.now < end }
        self.reportMemory("before routes")
        var random = SplitMix64(seed: 3)
        let path = Questions(self.options.sample).path(in: Self.key, using: &random)
        let start = ContinuousClock.now
        try await self.service.send("GET", path)
        report(["name": "first route from the server", "ms": .rounded(start.elapsedMilliseconds)])
        self.reportMemory("after the first route")
        try await self.load([]) { isRunning in
            while isRunning() { try await Task.sleep(for: .milliseconds(5)) }
        }
        self.reportMemory("after the routes of all clients")
        try await self.load(["--seed", "1"]) { isRunning in
            try await self.measureSync("beside routes", while: isRunning)
        }
        // The control: what the same clients do to polls with requests that compute nothing.
        try await self.load(["--cursor", self.cursors.newest]) { isRunning in
            try await self.measureSync("beside polls", while: isRunning)
        }
        self.reportMemory("at the end")
    }

    /// Runs the clients in a process of its own, which prints their times.
    private func load(
        _ arguments: [String], beside body: (_ isRunning: () -> Bool) async throws -> Void
    ) async throws {
        let options = [
            "--levels", "\(self.options.levels)", "--units", "\(self.options.units)",
            "--clients", "\(self.options.clients)", "--seconds", "\(self.options.seconds)",
        ]
        let program = try Program(
            "/proc/self/exe", ["load", "--port", "\(self.service.port)"] + options + arguments)
        defer { program.stop() }
        try await body { program.isRunning }
        try program.checkStatus()
    }

    /// Polls, and requests a change set, 50 times a second.
    private func measureSync(_ name: String, while isNeeded: () -> Bool) async throws {
        var (polls, changeSets): ([Double], [Double]) = ([], [])
        while isNeeded() {
            let start = ContinuousClock.now
            polls.append(try await self.time(since: self.cursors.newest))
            changeSets.append(try await self.time(since: self.cursors.first))
            try await Task.sleep(until: start + .milliseconds(20), clock: .continuous)
        }
        reportTimes("poll \(name)", polls)
        reportTimes("change set \(name)", changeSets)
    }

    private func time(since cursor: String) async throws -> Double {
        let start = ContinuousClock.now
        try await self.service.send("GET", "/venues/\(Self.key)/sync?since=\(cursor)")
        return start.elapsedMilliseconds
    }

    private func reportMemory(_ name: String) {
        report([
            "name": .string("server \(name)"), "resident_mib": .number(Double(self.service.residentMebibytes)),
        ])
    }
}
