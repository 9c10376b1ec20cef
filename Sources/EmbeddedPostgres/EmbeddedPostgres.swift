import Foundation

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// A private PostgreSQL of our own: its data in one folder, reachable through a Unix socket that only we, root and the
/// user who runs it can open.
///
/// Whatever happened to the process that had the folder before, `start` leaves a server that runs: one left over is
/// stopped first, a killed one recovers, a cluster that was never finished is made again.
package actor EmbeddedPostgres {
    /// Where the database is, for libpq and whatever builds on it.
    package nonisolated let databaseURL: String
    /// Of the server.
    package nonisolated let processID: Int

    private let folder: DataFolder
    private let socketFolder: SocketFolder
    private let server: ServerProcess
    private var isReleased = false

    /// Where data lives unless the caller says otherwise.
    package static var defaultFolder: String { geteuid() == 0 ? "/var/lib/venuesync" : ".venue" }

    /// Starts the server in a data folder, making the folder, the cluster and the database that are missing, and
    /// returns when it accepts connections.
    ///
    /// - Parameters:
    ///   - folder: Where the data lives; nil for ``defaultFolder``.
    ///   - settings: Server settings by name; they count before our own choices.
    ///   - database: The database that `databaseURL` names.
    ///   - programFolders: Where to look for PostgreSQL's programs instead of the usual places.
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
        let last = data.holder
        try data.write(.init(processID: Int(getpid()), socketFolder: last.socketFolder))
        let cluster = Cluster(path: data.cluster)
        let account = try Account(forClusterAt: cluster.path)
        try await data.checkWay(for: account)
        let version = try cluster.version()
        let programs = try await Programs.find(for: account, clusterVersion: version, in: programFolders)

        try await LeftoverServer(cluster: cluster).clear()
        last.socketFolder.flatMap { SocketFolder(leftAt: $0, by: account) }?.remove()
        try await cluster.removeUnfinished()
        if version == nil {
            try await cluster.make(with: programs, as: account, durably: settings["fsync"] != "off")
        }

        let socketFolder = try SocketFolder(for: account)
        do {
            try data.write(.init(processID: Int(getpid()), socketFolder: socketFolder.path))
            let compression = await ServerSettings.walCompression(of: programs, in: cluster, as: account)
            let all = ServerSettings.all(
                chosen: settings, walCompression: compression, socketFolder: socketFolder)
            let log = try ServerLog(at: data.log)
            defer { log.close() }
            let server = try await ServerProcess(
                programs, cluster: cluster, as: account, settings: all, log: log.descriptor)
            do {
                try await Self.waitUntilReady(server, cluster, log)
                try await Self.make(database, with: programs, at: socketFolder)
            } catch {
                await server.stop(fastWithin: .seconds(10), immediateWithin: .seconds(5))
                throw error
            }
            return EmbeddedPostgres(data, socketFolder, server, database)
        } catch {
            socketFolder.remove()
            throw error
        }
    }

    private init(_ folder: DataFolder, _ socketFolder: SocketFolder, _ server: ServerProcess, _ database: String) {
        self.folder = folder
        self.socketFolder = socketFolder
        self.server = server
        self.databaseURL = socketFolder.url(of: database)
        self.processID = Int(server.processID)
    }

    /// True once the server is gone, whether it was stopped or died.
    package nonisolated var hasExited: Bool { self.server.hasExited }

    /// Returns once the server is gone, whether it was stopped or died. Cancellation does not end the wait.
    package nonisolated func waitUntilExit() async { await self.server.waitUntilExit() }

    /// Shuts the server down and gives the data folder free. Sessions are ended; after 10 s the server is stopped
    /// without a checkpoint, which costs the next start a recovery and nothing else.
    package func stop() async {
        await self.server.stop(fastWithin: .seconds(10), immediateWithin: .seconds(5))
        guard !self.isReleased else { return }
        self.isReleased = true
        self.socketFolder.remove()
        self.folder.unlock()
    }

    /// PostgreSQL says in its own file when it is ready, so nothing has to knock. Recovery may take its time; a server
    /// that died, or a caller who has gone, ends the wait.
    private static func waitUntilReady(_ server: ServerProcess, _ cluster: Cluster, _ log: ServerLog) async throws {
        while true {
            if let file = PostmasterFile(in: cluster), file.processID == server.processID, file.isReady { return }
            if server.hasExited { throw EmbeddedPostgresError.failed(program: "postgres", output: log.tail(12)) }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Run by ourselves and not by the other user: it proves that we can connect.
    private static func make(_ database: String, with programs: Programs, at socketFolder: SocketFolder) async throws {
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
