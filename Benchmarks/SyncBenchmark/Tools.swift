import Foundation

/// Programs that are measured against, or with. Without one of them its part is left out, and the report says so.
enum Tools {
    static let nginx = Self.find("nginx")
    static let wrk = Self.find("wrk")
    static let gzip = Self.find("gzip")
    static let nchan = ["/usr/lib/nginx/modules/ngx_nchan_module.so", "/usr/share/nginx/modules/ngx_nchan_module.so"]
        .first { FileManager.default.fileExists(atPath: $0) }

    static var missing: [(program: String, package: String)] {
        let all = [
            ("nginx", "nginx", Self.nginx), ("wrk", "wrk", Self.wrk), ("nchan", "libnginx-mod-nchan", Self.nchan),
            ("gzip", "gzip", Self.gzip),
        ]
        return all.filter { $0.2 == nil }.map { ($0.0, $0.1) }
    }

    private static func find(_ program: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return (folders + ["/usr/sbin", "/usr/local/sbin", "/usr/bin"]).map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

/// A program in a process of its own.
final class Program {
    private let process = Process()

    init(
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

    var memory: MemoryReading { MemoryReading(of: self.process.processIdentifier) }

    /// Asks it to end; one that still waits for its clients after a few seconds is not asked again.
    func stop() {
        guard self.process.isRunning else { return }
        self.process.terminate()
        for _ in 0..<250 where self.process.isRunning { usleep(20_000) }
        if self.process.isRunning { kill(self.process.processIdentifier, SIGKILL) }
        self.process.waitUntilExit()
    }

    struct Failed: Error {
        let program: String
        let status: Int32
    }

    /// Runs a program to its end and hands out what it printed.
    static func output(of path: String, _ arguments: [String], environment: [String: String] = [:]) throws -> String {
        let output = Pipe()
        let program = try Program(path, arguments, environment: environment, output: output)
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        program.process.waitUntilExit()
        guard program.process.terminationStatus == 0 else {
            throw Failed(program: path, status: program.process.terminationStatus)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// What the system counts for a process, in KiB.
struct MemoryReading {
    let resident: Int
    /// The most it ever was.
    let peak: Int

    init(of process: pid_t) {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        func value(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
        }
        self.resident = value("VmRSS")
        self.peak = value("VmHWM")
    }
}
