package import Foundation

/// A child process.
package final class Program {
    private let process = Process()

    package init(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], input: Pipe? = nil,
        output: Pipe? = nil
    )
        throws
    {
        self.process.executableURL = URL(filePath: path)
        self.process.arguments = arguments
        self.process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if let input { self.process.standardInput = input }
        if let output { self.process.standardOutput = output }
        try self.process.run()
    }

    package var isRunning: Bool { self.process.isRunning }

    package var identifier: pid_t { self.process.processIdentifier }

    package var memory: MemoryReading { MemoryReading(of: self.process.processIdentifier) }

    /// Terminates the process; kills it if it is still running after 5 seconds.
    package func stop() {
        guard self.process.isRunning else { return }
        self.process.terminate()
        for _ in 0..<250 where self.process.isRunning { usleep(20_000) }
        if self.process.isRunning { kill(self.process.processIdentifier, SIGKILL) }
        self.process.waitUntilExit()
    }

    package struct Failed: Error {
        let program: String
        let status: Int32
    }

    /// - Throws: `Failed` if the process, which has ended, was not successful.
    package func checkStatus() throws {
        guard self.process.terminationStatus == 0 else {
            throw Failed(program: self.process.executableURL?.path ?? "", status: self.process.terminationStatus)
        }
    }

    /// Runs a program to completion and returns its output.
    package static func output(of path: String, _ arguments: [String], environment: [String: String] = [:]) throws
        -> String
    {
        let output = Pipe()
        let program = try Program(path, arguments, environment: environment, output: output)
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        program.process.waitUntilExit()
        try program.checkStatus()
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The memory of a process in KiB, as reported by the system.
package struct MemoryReading {
    package let resident: Int
    /// The peak of `resident`.
    package let peak: Int

    package init(of process: pid_t) {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        func value(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        }
        self.resident = value("VmRSS")
        self.peak = value("VmHWM")
    }
}
