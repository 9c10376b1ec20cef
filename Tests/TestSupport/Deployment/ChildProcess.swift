package import Foundation
import Synchronization

/// A child process that never outlives the tests, however they end.
package final class ChildProcess: Sendable {
    private let process = Process()
    private let guardPipe = Pipe()
    private let log: URL

    /// Starts a guard and then replaces itself with the program. The guard reads from a pipe whose other end only the
    /// tests hold. When they end, even by SIGKILL, the read finds nothing and the guard ends the program. The guard is no
    /// child of the program, which may count its children. It closes all other descriptors, because Foundation watches
    /// one of them for the end.
    private static let script = """
        exec 3<&0 </dev/null
        guard() {
            for fd in /proc/self/fd/*; do
                fd=${fd##*/}
                ((fd <= 3)) || eval "exec $fd>&-"
            done
            read -r _ <&3 && exit
            kill -TERM $$ || exit 0
            sleep 3
            kill -KILL $$
        }
        ( guard >/dev/null 2>&1 & )
        exec 3<&- "$@"
        """

    /// - Parameter log: The output of the program is appended to this file.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], log: URL
    ) throws {
        self.log = log
        // A guard that has ended reads nothing.
        signal(SIGPIPE, SIG_IGN)
        if !FileManager.default.fileExists(atPath: log.path) {
            _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        }
        let output = try FileHandle(forWritingTo: log)
        try output.seekToEnd()
        self.process.executableURL = URL(filePath: "/bin/bash")
        self.process.arguments = ["-c", Self.script, "bash", program] + arguments
        self.process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        self.process.standardInput = self.guardPipe
        self.process.standardOutput = output
        self.process.standardError = output
        try self.process.run()
    }

    deinit {
        if self.process.isRunning { Foundation.kill(self.process.processIdentifier, SIGKILL) }
        // The guard ends without a signal: another process may have the number of this one by now.
        try? self.guardPipe.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    }

    package var processID: pid_t { self.process.processIdentifier }

    package var isRunning: Bool { self.process.isRunning }

    /// The output so far.
    package var said: String { (try? String(contentsOf: self.log, encoding: .utf8)) ?? "" }

    /// Waits until it has ended by itself, and returns its exit status.
    package func exitStatus() async throws -> Int32 {
        while self.process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
        return self.process.terminationStatus
    }

    /// Ends it without a chance to clean up.
    package func kill() async {
        await self.end(by: SIGKILL)
    }

    /// Asks it to end and waits for that.
    @discardableResult
    package func stop() async -> Int32 {
        await self.end(by: SIGTERM)
        return self.process.terminationStatus
    }

    /// The time that a program gets to end before it is killed.
    private static let stopTimeout = Duration.seconds(60)

    private func end(by signal: CInt) async {
        // Another process may have the number of one that has ended.
        if self.process.isRunning { Foundation.kill(self.process.processIdentifier, signal) }
        // In a separate task, so that a cancelled test waits too.
        await Task.detached {
            let deadline = ContinuousClock.now + Self.stopTimeout
            while self.process.isRunning {
                if ContinuousClock.now > deadline { Foundation.kill(self.process.processIdentifier, SIGKILL) }
                try? await Task.sleep(for: .milliseconds(2))
            }
        }.value
    }
}

/// An unused TCP port of the loopback interface.
package enum FreePort {
    /// Below the range of client ports, so that no connection takes the port while a server restarts.
    private static let range = 20_000..<32_000
    private static let taken = Mutex(Set<Int>())

    package struct NoneLeft: Error {}

    package static func find() throws -> Int {
        for _ in 0..<1_000 {
            let port = Int.random(in: self.range)
            guard self.taken.withLock({ $0.insert(port).inserted }) else { continue }
            if self.isFree(port) { return port }
        }
        throw NoneLeft()
    }

    private static func isFree(_ port: Int) -> Bool {
        let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr = in_addr(s_addr: in_addr_t(0x7F00_0001).bigEndian)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
