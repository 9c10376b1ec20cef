import BenchmarkSupport
import Foundation
import IMDF

/// The process that holds the clients, so that their work is not counted as the server's.
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
        let itself = Bundle.main.executablePath ?? CommandLine.arguments[0]
        self.program = try Program(
            itself,
            ["listen", "--port", "\(port)", "--path", path, "--count", "\(count)"]
                + (unanswered ? ["--unanswered"] : []),
            input: self.input, output: self.output)
        self.refused = Int(try self.line()["refused"]?.number ?? 0)
    }

    /// When an event reached the clients, in microseconds since 1970.
    struct Hearing {
        let count: Int
        let median: Double
        let last: Double
    }

    /// Has the clients wait for the event of this number, counted from 1, and tells when it came.
    func hear(of number: Int) throws -> Hearing {
        self.input.fileHandleForWriting.write(Data("\(number)\n".utf8))
        let line = try self.line()
        return Hearing(
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
