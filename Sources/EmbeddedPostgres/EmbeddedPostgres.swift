import Foundation

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// A private PostgreSQL server: its data is in one folder, and it listens on a Unix socket that only the current user, root
/// and the user that runs the server can open.
///
/// `start` works whatever happened to the process that used the folder before: a leftover server is stopped first, a killed
/// one recovers, and an incomplete cluster is created again.
package actor EmbeddedPostgres {
    /// The URL of the database, for libpq.
    package nonisolated let databaseURL: String
    /// The process id of the server.
    package nonisolated let processID: Int

    private let folder: DataFolder
    private let socketFolder: SocketFolder
    private let server: ServerProcess
    private let log: ServerLog
    private var isReleased = false

    /// The data folder unless another one is given.
    package static var defaultFolder: String { geteuid() == 0 ? "/var/lib/venuesync" : ".venue" }

    /// Starts the server in a data folder, creates what is missing of folder, cluster and database, and returns when the
    /// server accepts connections.
    ///
    /// - Parameters:
    ///   - folder: The data folder; nil for ``defaultFolder``.
    ///   - settings: Server settings by name; they override the defaults.
    ///   - database: The database that `databaseURL` names.
    ///   - programFolders: The folders to search for PostgreSQL's programs instead of the usual ones.
    package static func start(
        in folder: String? = nil, settings: [String: String] = [:], database: String = "venuesync",
        programFolders: [String]? = nil
    ) async throws -> EmbeddedPostgres {
        let data = try DataFolder(folder ?? Self.defaultFolder)
        do {
            return try await Self.start(in: data, settings, database, programFolders)
        } catch {
            data.unlock()
            throw error
        }
    }

    private static func start(
        in data: DataFolder, _ settings: [String: String], _ database: String, _ programFolders: [String]?
    ) async throws -> EmbeddedPostgres {
        let previous = data.holder
        try data.write(.init(processID: Int(getpid()), socketFolder: previous.socketFolder))
        let cluster = Cluster(path: data.cluster)
        let account = try Account(forClusterAt: cluster.path)
        try await data.checkAccess(for: account)
        let version = try cluster.version()
        let programs = try await Programs.find(for: account, clusterVersion: version, in: programFolders)

        try await LeftoverServer(cluster: cluster).clear()
        previous.socketFolder.flatMap { SocketFolder(leftAt: $0, by: account) }?.remove()
        try await cluster.removeUnfinished()
        if version == nil {
            try await cluster.create(with: programs, as: account, durably: settings["fsync"] != "off")
        }

        let socketFolder = try SocketFolder(for: account)
        do {
            try data.write(.init(processID: Int(getpid()), socketFolder: socketFolder.path))
            let compression = await PostgresSettings.walCompression(of: programs, in: cluster, as: account)
            let all = PostgresSettings.all(
                chosen: settings, walCompression: compression, socketFolder: socketFolder)
            let log = try ServerLog(at: data.log)
            defer { log.close() }
            let server = try await ServerProcess(
                programs, cluster: cluster, as: account, settings: all, log: log.descriptor)
            do {
                try await Self.waitUntilReady(server, cluster, log)
                try await Self.create(database, with: programs, at: socketFolder)
            } catch {
                await server.stop(fastWithin: .seconds(10), immediateWithin: .seconds(5))
                throw error
            }
            return EmbeddedPostgres(data, socketFolder, server, log, database)
        } catch {
            socketFolder.remove()
            throw error
        }
    }

    private init(
        _ folder: DataFolder, _ socketFolder: SocketFolder, _ server: ServerProcess, _ log: ServerLog,
        _ database: String
    ) {
        self.folder = folder
        self.socketFolder = socketFolder
        self.server = server
        self.log = log
        self.databaseURL = socketFolder.url(of: database)
        self.processID = Int(server.processID)
    }

    /// True once the server has exited, whether it was stopped or died.
    package nonisolated var hasExited: Bool { self.server.hasExited }

    /// Returns once the server has exited, whether it was stopped or died. Cancellation does not end the wait.
    package nonisolated func waitUntilExit() async { _ = await self.server.waitUntilExit() }

    /// Waits until the server has exited, and returns how it ended and what it said last. For servers that were not stopped.
    package nonisolated func unexpectedExit() async -> EmbeddedPostgresError {
        let status = await self.server.waitUntilExit()
        return .ended(status: status.map { "\($0)" } ?? "unknown", output: self.log.tail(12))
    }

    /// Shuts the server down and unlocks the data folder. Sessions are terminated. After 10 s the server is stopped without a
    /// checkpoint; then the next start has to recover, but no data is lost.
    package func stop() async {
        await self.server.stop(fastWithin: .seconds(10), immediateWithin: .seconds(5))
        guard !self.isReleased else { return }
        self.isReleased = true
        self.socketFolder.remove()
        self.folder.unlock()
    }

    /// Waits until `postmaster.pid` reports that the server is ready. Recovery may take long, so there is no timeout; the wait
    /// ends when the server dies or the task is cancelled.
    private static func waitUntilReady(_ server: ServerProcess, _ cluster: Cluster, _ log: ServerLog) async throws {
        while true {
            if let file = PostmasterFile(in: cluster), file.processID == server.processID, file.isReady { return }
            if server.hasExited { throw EmbeddedPostgresError.failed(program: "postgres", output: log.tail(12)) }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Creates the database if it does not exist. Runs as the current user, which also proves that it can connect.
    private static func create(_ database: String, with programs: Programs, at socketFolder: SocketFolder) async throws
    {
        let statement = """
            SELECT format('CREATE DATABASE %I', :'database')
            WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database') \\gexec

            """
        let command = Command(
            program: programs.psql,
            arguments: [
                "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--set=database=\(database)",
                "--dbname=\(socketFolder.url(of: "postgres"))",
            ],
            input: statement)
        try await command.check()
    }
}
