import Foundation
import Subprocess
import Synchronization

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// A running `postgres`, our child until it exits.
final class ServerProcess: Sendable {
    let processID: pid_t
    private let ending: Task<TerminationStatus?, Never>
    private let ended: Flag

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    /// Becomes `postgres` after leaving a guard behind that reads from a pipe whose other end only we hold. When we are
    /// gone, even by SIGKILL, the read ends and the guard asks the server for a fast shutdown, provided that the number
    /// is still the server's; one that has only just begun gets a few seconds to write it down.
    ///
    /// A death signal from the kernel would not do: it comes when the *thread* ends that started the child. The guard
    /// is no child of the server, which takes unknown children for its own.
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

    /// Starts the server in a session of its own, so that Ctrl-C reaches us alone and we decide when it stops.
    init(_ programs: Programs, cluster: Cluster, as account: Account, settings: [String: String], log: FileDescriptor)
        async throws
    {
        let pipe = try FileDescriptor.pipe()
        _ = fcntl(pipe.writeEnd.rawValue, F_SETFD, FD_CLOEXEC)
        _ = fcntl(pipe.readEnd.rawValue, F_SETFD, FD_CLOEXEC)
        var configuration = try Configuration(
            program: "/bin/sh",
            arguments: ["-c", Self.script, "sh", cluster.path, programs.postgres, "-D", cluster.path]
                + ServerSettings.arguments(settings),
            as: account)
        configuration.platformOptions.createSession = true
        let spawn = configuration

        let (starts, start) = AsyncThrowingStream<pid_t, any Error>.makeStream()
        let ended = Flag()
        self.ended = ended
        // Not a child task: the server outlives the call that starts it, and its cancellation.
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

    func waitUntilExit() async { _ = await self.ending.value }

    /// Fast shutdown, then immediate, then none at all: returns when the process is gone, whatever it was doing.
    func stop(fastWithin fast: Duration, immediateWithin immediate: Duration) async {
        let escalation = Task {
            self.signal(SIGINT)
            try await Task.sleep(for: fast)
            self.signal(SIGQUIT)
            try await Task.sleep(for: immediate)
            self.signal(SIGKILL)
        }
        await self.waitUntilExit()
        escalation.cancel()
    }

    private func signal(_ signal: CInt) {
        if !self.hasExited { kill(self.processID, signal) }
    }
}
