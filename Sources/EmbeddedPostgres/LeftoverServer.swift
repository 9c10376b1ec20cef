import Foundation

/// A PostgreSQL that still works in our cluster although whoever started it is gone.
struct LeftoverServer {
    let cluster: Cluster

    /// Ends it and clears what would keep a new server from starting. The caller holds the lock of the data folder, so
    /// nobody else may be using what is found here.
    func clear() async throws {
        try await self.end(Self.allSteps[...])
        // PostgreSQL clears a stale file itself, unless the number in it has gone to another process of the same user;
        // and it stops at one that was cut off in the middle.
        if let file = PostmasterFile(in: self.cluster), file.processID.map(Self.exists) ?? true {
            let path = PostmasterFile.path(in: self.cluster)
            guard unlink(path) == 0 else { throw EmbeddedPostgresError.cannotWrite(path: path, reason: .lastError) }
        }
    }

    /// Ends whatever still works here and whose work is not wanted.
    func endAtOnce() async throws {
        try await self.end(Self.allSteps.suffix(1))
    }

    private typealias Step = (signal: CInt, toAll: Bool, patience: Duration)

    /// Politely first. Every step is safe for the data: at worst the next start replays the log.
    private static let allSteps: [Step] = [
        // A fast shutdown; processes whose server was killed see that and leave by themselves.
        (SIGINT, false, .seconds(15)), (SIGQUIT, true, .seconds(5)), (SIGKILL, true, .seconds(5)),
    ]

    private func end(_ steps: ArraySlice<Step>) async throws {
        let server = PostmasterFile(in: self.cluster)?.processID
        for step in steps {
            let present = await self.processes()
            if present.isEmpty { return }
            for process in present where step.toAll || process == server { kill(process, step.signal) }
            // Without their server nothing asks the others to leave, and a busy one may not look for long.
            let patience = step.toAll || present.contains { $0 == server } ? step.patience : .seconds(2)
            let deadline = ContinuousClock.now + patience
            while ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(20))
                if await self.processes().isEmpty { return }
            }
        }
        if let process = await self.processes().first {
            throw EmbeddedPostgresError.cannotStop(folder: self.cluster.path, processID: Int(process))
        }
    }

    /// The server and its children: processes called postgres whose working folder is the cluster, which no recycled
    /// number can pretend to be.
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
            let answer = try? await command.run()
            return answer?.output.contains(self.cluster.path) == true ? [process] : []
        #endif
    }

    private static func exists(_ process: pid_t) -> Bool {
        kill(process, 0) == 0 || errno == EPERM
    }
}
