import Foundation

/// A PostgreSQL server that still runs in the cluster although the process that started it has ended.
struct LeftoverServer {
    let cluster: Cluster

    /// Stops it and removes what would prevent a new server from starting. The caller holds the lock of the data folder, so
    /// no other process can be using the server.
    func clear() async throws {
        try await self.stop(Self.allSteps[...])
        // PostgreSQL removes a stale file itself, unless the process id in it now belongs to another process of the same
        // user. It also refuses to start if the file is truncated.
        if let file = PostmasterFile(in: self.cluster), file.processID.map(Self.exists) ?? true {
            let path = PostmasterFile.path(in: self.cluster)
            guard unlink(path) == 0 else { throw EmbeddedPostgresError.cannotWrite(path: path, reason: .lastError) }
        }
    }

    /// Kills all processes at once, for a cluster that is not needed.
    func killAll() async throws {
        try await self.stop(Self.allSteps.suffix(1))
    }

    private typealias Step = (signal: CInt, toAll: Bool, timeout: Duration)

    /// From a fast shutdown to SIGKILL. Every step is safe for the data: at worst the next start replays the log.
    private static let allSteps: [Step] = [
        // A fast shutdown. Processes whose postmaster was killed detect that and exit by themselves.
        (SIGINT, false, .seconds(15)), (SIGQUIT, true, .seconds(5)), (SIGKILL, true, .seconds(5)),
    ]

    private func stop(_ steps: ArraySlice<Step>) async throws {
        let server = PostmasterFile(in: self.cluster)?.processID
        for step in steps {
            let present = await self.processes()
            if present.isEmpty { return }
            for process in present where step.toAll || process == server { kill(process, step.signal) }
            // Without a postmaster no signal reaches the other processes, and a busy one may not notice for long.
            let timeout = step.toAll || present.contains { $0 == server } ? step.timeout : .seconds(2)
            let deadline = ContinuousClock.now + timeout
            while ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(20))
                if await self.processes().isEmpty { return }
            }
        }
        if let process = await self.processes().first {
            throw EmbeddedPostgresError.cannotStop(folder: self.cluster.path, processID: Int(process))
        }
    }

    /// The server and its children: processes named postgres whose working folder is the cluster. This also excludes processes
    /// that reuse an old process id.
    private func processes() async -> [pid_t] {
        #if os(Linux)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return names.compactMap { pid_t($0) }.filter { process in
                guard let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8),
                    name.hasPrefix("postgres")
                else { return false }
                let folder = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd")
                return folder == self.cluster.path
            }
        #else
            guard let process = PostmasterFile(in: self.cluster)?.processID, Self.exists(process) else { return [] }
            let command = Command(program: "/bin/ps", arguments: ["-o", "command=", "-p", "\(process)"])
            let result = try? await command.run()
            return result?.output.contains(self.cluster.path) == true ? [process] : []
        #endif
    }

    private static func exists(_ process: pid_t) -> Bool {
        kill(process, 0) == 0 || errno == EPERM
    }
}
