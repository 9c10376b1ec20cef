import Foundation
import IMDF
import Subprocess
import SyncClient
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// The conformance cases for clients.
struct ConformanceTests {
    @Test func `every conformance case is parsed`() throws {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: ConformanceCase.folder.appending(path: "cases").path)
        #expect(ConformanceCase.all.count == files.count && files.count > 40)
    }

    @Test(arguments: ConformanceCase.all)
    func `the client passes the conformance cases`(_ test: ConformanceCase) async throws {
        let folder = try Folder()
        let transport = ScriptedTransport()
        var policy = RetryPolicy()
        policy.attempts = 1
        let replica = try await VenueReplica.open(
            folder.file, server: #require(URL(string: "https://maps.example")), venue: test.venue, key: "secret",
            transport: transport, policy: policy)
        for (number, step) in test.steps.enumerated() {
            let comment = Comment(rawValue: "step \(number + 1)")
            transport.reply(step.exchanges.map(\.reply.scripted))
            if step.disk == "full" { try await replica.store.limitSize(toPages: 1) }
            let (result, after) = await Self.sync(replica, step)
            try await replica.store.limitSize(toPages: nil)
            #expect(result == step.result, comment)
            #expect(after == step.retry_after.map { .seconds($0) }, comment)
            Self.check(
                transport.takeRequests(), against: step, checksForm: test.needs.contains("delta"), comment)
            #expect(transport.left == 0, comment)
            let held = try await replica.store.held()
            #expect(held == step.replica, comment)
            #expect(try await replica.store.damagedLevels().isEmpty, comment)
        }
        // The file has the same content after it is opened again.
        try await replica.close()
        #expect(try await ReplicaStore.open(folder.file).held() == test.steps.last?.replica)
    }

    private static let python = Requirement.path(of: "python3")

    /// One is written from “Writing a client”, the other from the five steps alone, which cannot repair a level.
    @Test(
        .requires(program: "python3"),
        arguments: [("replica.py", ["disk-full", "delta"]), ("five_steps.py", ["disk-full", "repair", "delta"])])
    func `the independent Python clients pass the conformance cases`(client: String, lacks: [String]) async throws {
        let script = ConformanceCase.folder.deletingLastPathComponent().appending(path: "Clients/\(client)").path
        let cases = ConformanceCase.all.map {
            ConformanceCase.folder.appending(path: "cases/\($0.name).json").path
        }
        let result = try await Self.run([script] + cases)
        #expect(result.status == 0, "\(result.output)")
        let skipped = ConformanceCase.all.filter { !Set($0.needs).isDisjoint(with: lacks) }
        #expect(
            result.output.split(separator: "\n").filter { $0.hasPrefix("ok: ") }.count == cases.count - skipped.count)
        for test in skipped { #expect(result.output.contains("skipped: \(test.name) needs")) }
    }

    @Test(.requires(program: "python3"))
    func `the conformance cases equal the output of their generator`() async throws {
        let result = try await Self.run([ConformanceCase.folder.appending(path: "make.py").path, "--check"])
        #expect(result.status == 0, "\(result.output)")
    }

    private static func run(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        let record = try await Subprocess.run(
            .path(FilePath(#require(Self.python))), arguments: Arguments(arguments), output: .string(limit: 1 << 20),
            error: .combinedWithOutput)
        let status: Int32 = if case .exited(let code) = record.terminationStatus { code } else { -1 }
        return (status, record.standardOutput)
    }

    private static func sync(
        _ replica: VenueReplica, _ step: ConformanceCase.Step
    ) async -> (result: String, after: Duration?) {
        do {
            if let selection = step.levels?.selection {
                try await replica.select(selection)
            } else {
                try await replica.sync()
            }
            return ("ok", nil)
        } catch let error as SyncError {
            if case .unavailable(_, let after) = error { return (error.conformanceClass, after) }
            return (error.conformanceClass, nil)
        } catch {
            return ("\(error)", nil)
        }
    }

    private static func check(
        _ requests: [TransportRequest], against step: ConformanceCase.Step, checksForm: Bool, _ comment: Comment
    ) {
        #expect(requests.count == step.exchanges.count, comment)
        for (request, exchange) in zip(requests, step.exchanges) {
            guard let parts = URLComponents(string: request.url) else {
                Issue.record("\(request.url) is not a URL")
                continue
            }
            let query = parts.queryItems ?? []
            #expect(parts.host == "maps.example" && parts.path == exchange.request.path, comment)
            #expect(query.first { $0.name == "since" }?.value == exchange.request.since, comment)
            #expect(
                query.filter { $0.name == "level" }.compactMap(\.value).sorted() == exchange.request.level.sorted(),
                comment)
            if checksForm {
                #expect(query.first { $0.name == "form" }?.value == exchange.request.form, comment)
            }
            #expect(request.headers["Authorization"] == "Bearer secret", comment)
        }
    }
}
