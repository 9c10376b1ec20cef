import Foundation
import TestSupport
import Testing

/// A client in another language, which shares no code with the server, follows a real service and reports its digests.
@Suite(.serialized)
struct ClientTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Clients/follow.py").path

    private static let python = Requirement.path(of: "python3")

    @Test(.requires(program: "python3"), .timeLimit(.minutes(30)))
    func
        `sync of one venue and of all venues gives a client written from the documentation the digests of the service`()
        async throws
    {
        let workplace = try Workplace()
        let service = try await RunningService(in: workplace.folder)
        let zips = (1...4).map { workplace.path("v\($0).zip") }
        try await Self.expect(service, "generate", "-o", zips[0], "--levels", "2", "--units", "8")
        for (index, edit) in ["rename=2,move=1", "relevel=2,add=2", "remove-floor,remint"].enumerated() {
            let next = ["-o", zips[index + 1], "--next-of", zips[index], "--edit", edit]
            #expect(try await VenueProgram.run(["generate"] + next).status == 0)
        }
        let key = try await service.venue("keys", "create", "--name", "phones", "--role", "read").output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let python = try #require(Self.python)
        try await Self.expect(service, "push", zips[0], "--to", "mall", "--new")
        let clients = try [
            Follower(python, [Self.script, service.address, key, "all"]),
            Follower(python, [Self.script, service.address, key, "venue", "mall"]),
        ]
        let steps: [[String]] = [
            ["push", zips[0], "--to", "hall", "--new"], ["push", zips[1], "--to", "mall"],
            ["push", zips[2], "--to", "mall"], ["rollback", "mall", "1", "--message", "Back"],
            ["delete", "hall", "--confirm", "hall"], ["push", zips[3], "--to", "hall", "--new"],
            ["set", "mall", "removal_guard=off"], ["push", zips[3], "--to", "mall"],
        ]
        for (index, step) in steps.enumerated() {
            let done = try await VenueProgram.run(step, server: service.address, key: RunningService.key)
            #expect(done.status == 0, "\(step) \(done.complaint)")
            for client in clients { try await Self.check(client, limit: [5_000, 7, 40][index % 3], against: service) }
        }
        for client in clients { #expect(client.end() == 0) }
        #expect(await service.stop() == 0)
    }

    private static func expect(_ service: RunningService, _ first: String, _ rest: String...) async throws {
        let done = try await VenueProgram.run(
            [first] + rest, server: service.address, key: RunningService.key)
        #expect(done.status == 0, "\(first) \(rest) \(done.complaint)")
    }

    private struct ReplicaReport: Decodable {
        let revision: Int64
        let features: Int
        let levels: [String: String]
    }

    private struct Venue: Decodable {
        struct Level: Decodable {
            let level_id: String?
            let digest: String
            let features: Int
        }

        let head: Int64
        let levels: [Level]
    }

    /// Brings the client up to date and compares its digests with those of the service.
    private static func check(_ client: Follower, limit: Int, against service: RunningService) async throws {
        let replicas = try JSONDecoder().decode([String: ReplicaReport].self, from: client.pull(limit))
        #expect(!replicas.isEmpty)
        for (name, replica) in replicas {
            let response = try await service.get("/venues/\(name)")
            let venue = try JSONDecoder().decode(Venue.self, from: response)
            #expect(replica.revision == venue.head && replica.features == venue.levels.reduce(0) { $0 + $1.features })
            for level in venue.levels where level.features > 0 {
                #expect(replica.levels[level.level_id ?? "-"] == level.digest, "\(name) \(level.level_id ?? "-")")
            }
        }
    }
}

/// The client, running in a process of its own.
private final class Follower {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ program: String, _ arguments: [String]) throws {
        self.process.executableURL = URL(filePath: program)
        self.process.arguments = arguments
        self.process.standardInput = self.input
        self.process.standardOutput = self.output
        try self.process.run()
    }

    /// Requests one synchronisation, and returns the line that the client prints.
    func pull(_ limit: Int) throws -> Data {
        try self.input.fileHandleForWriting.write(contentsOf: Data("\(limit)\n".utf8))
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let data = self.output.fileHandleForReading.availableData
            if data.isEmpty { break }
            line += data
        }
        return line
    }

    func end() -> Int32 {
        try? self.input.fileHandleForWriting.close()
        self.process.waitUntilExit()
        return self.process.terminationStatus
    }
}
