package import Foundation

/// A `venue serve` process with one address for all its restarts.
package actor ServedNode {
    package nonisolated let address: String
    package nonisolated let port: Int
    private let environment: [String: String]
    private let log: URL
    private var process: ChildProcess?

    package struct NotUp: Error {
        let said: String
    }

    /// - Parameter readURL: The URL of the read replica.
    package init(databaseURL: String, readURL: String? = nil, log: URL) throws {
        self.port = try FreePort.find()
        self.address = "http://127.0.0.1:\(self.port)"
        var environment = ["VENUE_DATABASE_URL": databaseURL, "VENUE_ADMIN_KEY": Harness.adminKey]
        environment["VENUE_READ_DATABASE_URL"] = readURL
        self.environment = environment
        self.log = log
    }

    package nonisolated var service: RemoteService { RemoteService(address: self.address) }

    /// Returns when the node answers. A node that ends because it cannot reach its database is started again.
    package func start() async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            let process = try self.process.flatMap { $0.isRunning ? $0 : nil } ?? self.launch()
            self.process = process
            if try await self.answers() { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw NotUp(said: self.process?.said ?? "")
    }

    private func launch() throws -> ChildProcess {
        try ChildProcess(
            VenueProgram.path, ["serve", "--port", "\(self.port)"], environment: self.environment, log: self.log)
    }

    private func answers() async throws -> Bool {
        try Task.checkCancellation()
        let response = try? await RemoteService(address: self.address, key: nil).send("GET", "/health")
        return response?.status == 200
    }

    package func kill() async { await self.process?.kill() }

    /// Returns the exit status.
    @discardableResult
    package func stop() async -> Int32? { await self.process?.stop() }
}

/// A `venue work` process that can be restarted.
package actor WorkerNode {
    private let databaseURL: String
    private let log: URL
    private let lease: Int
    private var process: ChildProcess?

    /// - Parameter lease: The seconds after which the job of a silent worker is taken over.
    package init(databaseURL: String, log: URL, lease: Int = 3) {
        self.databaseURL = databaseURL
        self.log = log
        self.lease = lease
    }

    /// Starts it unless it is running.
    package func start() throws {
        if self.process?.isRunning == true { return }
        self.process = try ChildProcess(
            VenueProgram.path, ["work", "--lease", "\(self.lease)"],
            environment: ["VENUE_DATABASE_URL": self.databaseURL],
            log: self.log)
    }

    package func kill() async { await self.process?.kill() }

    package func stop() async { await self.process?.stop() }
}
