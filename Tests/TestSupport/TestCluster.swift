import EmbeddedPostgres
import Foundation
package import Postgres
import RevisionStore
import SyncServer
import Synchronization

/// One private PostgreSQL server for all tests of a process, with a fresh database for each test.
package actor TestCluster {
    package static let shared = TestCluster()

    private var starting: Task<EmbeddedPostgres, any Error>?
    private var template: Task<String, any Error>?
    private var templates = 0
    private var count = 0

    /// Tests need no durability.
    private static let settings = [
        "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "400",
        "shared_buffers": "128MB", "autovacuum": "off",
    ]

    /// An empty database with the newest schema.
    package func freshDatabase() async throws -> ConnectionConfiguration {
        let template = try await self.migratedTemplate()
        let name = self.nextName()
        // PostgreSQL copies a template only once at a time.
        try await self.cloning.withPermit(for: 0) {
            try await self.maintain("CREATE DATABASE \(name) TEMPLATE \(template) STRATEGY FILE_COPY")
        }
        return try await self.configuration(of: name)
    }

    /// A database without a schema.
    package func emptyDatabase() async throws -> ConnectionConfiguration {
        let name = self.nextName()
        try await self.cloning.withPermit(for: 0) { try await self.maintain("CREATE DATABASE \(name)") }
        return try await self.configuration(of: name)
    }

    /// Removes a database, and ends what is still connected to it. The databases of all tests together would take gigabytes.
    package func remove(_ database: ConnectionConfiguration) async throws {
        guard let name = URLComponents(string: database.url)?.path.dropFirst(), name.hasPrefix("test_") else {
            preconditionFailure("not a database of a test: \(database)")
        }
        try await self.maintain("DROP DATABASE \(name) WITH (FORCE)")
    }

    private let cloning = FairSemaphore<Int>(permits: 1)

    private func nextName() -> String {
        self.count += 1
        return "test_\(self.count)"
    }

    /// What the server said when a database could not be made.
    private struct Failure: Error {
        let error: PostgresError
        let message: String?
    }

    /// If that fails, it is made again for the next test: one failure is that of one test.
    private func migratedTemplate() async throws -> String {
        let name = "template_venue_\(self.templates)"
        let task =
            self.template
            ?? Task {
                do {
                    try await self.maintain("CREATE DATABASE \(name)")
                    try await Migrator.migrate(self.configuration(of: name))
                    return name
                } catch let error as PostgresError {
                    throw Failure(error: error, message: error.message)
                }
            }
        self.template = task
        do {
            return try await task.value
        } catch {
            if self.template == task { (self.template, self.templates) = (nil, self.templates + 1) }
            throw error
        }
    }

    /// Runs a statement outside of any test's database.
    package func maintain(_ sql: String) async throws {
        try await self.withConnection { try await $0.execute(sql) }
    }

    /// Ends the connections to a database, and waits until they have ended. One that is being opened may not be listed yet, so repeat this.
    ///
    /// - Returns: The number of connections that there were.
    package func endConnections(to database: String) async throws -> Int {
        try await self.withConnection { connection in
            try await connection.query(
                "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = \(database)"
            ).count
        }
    }

    private func withConnection<Value>(_ body: (Connection) async throws -> Value) async throws -> Value {
        let connection = try await Connection.open(self.configuration(of: "postgres"))
        do {
            let value = try await body(connection)
            await connection.close()
            return value
        } catch {
            await connection.close()
            throw error
        }
    }

    private func configuration(of database: String) async throws -> ConnectionConfiguration {
        let url = try await self.cluster().databaseURL
        return ConnectionConfiguration(url: url.replacing("///postgres?", with: "///\(database)?"))
    }

    private func cluster() async throws -> EmbeddedPostgres {
        if self.starting == nil {
            let folder = NSTemporaryDirectory() + "/venue-tests-\(ProcessInfo.processInfo.processIdentifier)"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
            TestFolder.remember(folder)
            self.starting = Task {
                try await EmbeddedPostgres.start(in: folder + "/data", settings: Self.settings, database: "postgres")
            }
        }
        return try await self.starting!.value
    }
}

/// Stops the server and removes its folder when the process exits.
private enum TestFolder {
    private static let path = Mutex("")

    static func remember(_ folder: String) {
        self.path.withLock { $0 = folder }
        atexit {
            let folder = TestFolder.path.withLock { $0 }
            TestFolder.endServer(in: folder)
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    /// Stops immediately and without a checkpoint, because nothing is kept.
    private static func endServer(in folder: String) {
        let file = try? String(contentsOfFile: folder + "/data/postgresql/postmaster.pid", encoding: .utf8)
        // Lines 1 and 5: the server's process and the folder of its socket.
        let lines = file?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) ?? []
        guard lines.count > 4, let server = pid_t(lines[0]) else { return }
        kill(server, SIGQUIT)
        for _ in 0..<250 where kill(server, 0) == 0 { usleep(20_000) }
        try? FileManager.default.removeItem(atPath: lines[4])
    }
}
