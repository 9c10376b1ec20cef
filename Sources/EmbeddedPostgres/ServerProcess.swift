import Foundation
import Subprocess
import Synchronization

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// A running `postgres`, a child of this process until it exits.
final class ServerProcess: Sendable {
    let processID: pid_t
    private let ending: Task<TerminationStatus?, Never>
    private let ended: Flag

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    /// Starts a watchdog and then becomes `postgres`. The watchdog reads from a pipe whose other end only this process holds.
    /// When this process ends, even by SIGKILL, the read returns, and the watchdog requests a fast shutdown of the server, if
    /// `postmaster.pid` still has its process id. A server that has just started gets a few seconds to write that file.
    ///
    /// `PR_SET_PDEATHSIG` does not work here: the kernel sends it when the *thread* ends that started the child. The watchdog
    /// is not a child of the server, because the server would take an unknown child for one of its own.
    private static let script = """
        cluster=$1; shift
        exec 3<&0 </dev/null
        (
            {
                read -r _ <&3
                for try in 1 2 3 4 5; do
                    kill -0 $$ || break
                    if read -r server <"$cluster/postmaster.pid" && [ "$server" = $$ ]; then
                        kill -INT $$
                        break
                    fi
                    sleep 1
                done
            } >/dev/null 2>&1 &
        )
        exec 3<&- "$@"
        """

    /// Starts the server in a session of its own, so that Ctrl-C reaches only this process, which then stops the server.
    init(_ programs: Programs, cluster: Cluster, as account: Account, settings: [String: String], log: FileDescriptor)
        async throws
    {
        let pipe = try FileDescriptor.pipe()
        _ = fcntl(pipe.writeEnd.rawValue, F_SETFD, FD_CLOEXEC)
        _ = fcntl(pipe.readEnd.rawValue, F_SETFD, FD_CLOEXEC)
        var configuration = try Configuration(
            program: "/bin/sh",
            arguments: ["-c", Self.script, "sh", cluster.path, programs.postgres, "-D", cluster.path]
                + PostgresSettings.arguments(settings),
            as: account)
        configuration.platformOptions.createSession = true
        let spawn = configuration

        let (starts, start) = AsyncThrowingStream<pid_t, any Error>.makeStream()
        let ended = Flag()
        self.ended = ended
        // Not a child task: the server outlives the call that starts it, also when that is cancelled.
        self.ending = Task {
            defer { try? pipe.writeEnd.close() }
            do {
                let result = try await Subprocess.run(
                    spawn, input: .fileDescriptor(pipe.readEnd, closeAfterSpawningProcess: true),
                    output: .fileDescriptor(log, closeAfterSpawningProcess: false),
                    error: .fileDescriptor(log, closeAfterSpawningProcess: false)
                ) { execution in
                    start.yield(execution.processIdentifier.value)
                    start.finish()
                }
                ended.isSet.store(true, ordering: .releasing)
                return result.terminationStatus
            } catch {
                ended.isSet.store(true, ordering: .releasing)
                start.finish(throwing: error)
                return nil
            }
        }
        var iterator = starts.makeAsyncIterator()
        guard let processID = try await iterator.next() else { throw CancellationError() }
        self.processID = processID
    }

    var hasExited: Bool { self.ended.isSet.load(ordering: .acquiring) }

    /// Returns how the server ended; nil if that is unknown.
    func waitUntilExit() async -> TerminationStatus? { await self.ending.value }

    /// Stops the server and returns when it has exited: with a fast shutdown, then an immediate one, then SIGKILL.
    func stop(fastWithin fast: Duration, immediateWithin immediate: Duration) async {
        let escalation = Task {
            self.signal(SIGINT)
            try await Task.sleep(for: fast)
            self.signal(SIGQUIT)
            try await Task.sleep(for: immediate)
            self.signal(SIGKILL)
        }
        _ = await self.waitUntilExit()
        escalation.cancel()
    }

    private func signal(_ signal: CInt) {
        if !self.hasExited { kill(self.processID, signal) }
    }
}
