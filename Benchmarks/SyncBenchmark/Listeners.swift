import BenchmarkSupport
import Foundation
import IMDF

/// The process of the clients, so that their work does not count as that of the server.
final class Listeners {
    private let program: Program
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()
    /// Clients that were not answered with 200.
    private(set) var refused = 0

    struct Ended: Error {}

    /// Returns when all are connected.
    init(_ count: Int, at path: String, port: Int, unanswered: Bool = false) throws {
        let executable = Bundle.main.executablePath ?? CommandLine.arguments[0]
        self.program = try Program(
            executable,
            ["listen", "--port", "\(port)", "--path", path, "--count", "\(count)"]
                + (unanswered ? ["--unanswered"] : []),
            input: self.input, output: self.output)
        self.refused = Int(try self.line()["refused"]?.number ?? 0)
    }

    /// When an event reached the clients, in microseconds since 1970.
    struct Arrival {
        let count: Int
        let median: Double
        let last: Double
    }

    /// Waits until the clients have received the event with this number, counted from 1, and returns when.
    func wait(for number: Int) throws -> Arrival {
        self.input.fileHandleForWriting.write(Data("\(number)\n".utf8))
        let line = try self.line()
        return Arrival(
            count: Int(line["count"]?.number ?? 0), median: line["p50_us"]?.number ?? 0,
            last: line["last_us"]?.number ?? 0)
    }

    private func line() throws -> JSONValue {
        while true {
            if let end = self.unread.firstIndex(of: 0x0A) {
                let line = self.unread[self.unread.startIndex..<end]
                self.unread = Data(self.unread[(end + 1)...])
                return try JSONDecoder().decode(JSONValue.self, from: line)
            }
            let more = self.output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Ended() }
            self.unread += more
        }
    }

    func stop() {
        try? self.input.fileHandleForWriting.close()
        self.program.stop()
    }
}
