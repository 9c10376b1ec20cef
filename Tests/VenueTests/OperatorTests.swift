import Foundation
import IMDF
import SyncModel
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Everything as an operator meets it: the program, a server and a worker in processes of their own, a real database.
@Suite(.serialized)
struct OperatorTests {
    @Test(.timeLimit(.minutes(3)))
    func `from the first archive to a rollback, and a kill in the middle`() async throws {
        let workplace = try Workplace()
        var service = try await RunningService(in: workplace.folder)
        let (v1, v2) = (workplace.path("v1.zip"), workplace.path("v2.zip"))
        #expect(try await service.venue("generate", "-o", v1, "--levels", "2", "--units", "8").status == 0)
        #expect(try await service.venue("generate", "-o", v2, "--next-of", v1, "--edit", "rename=2,noise").status == 0)

        let mistyped = try await service.venue("push", v1, "--to", "mall")
        #expect(mistyped.status == 4 && mistyped.complaint.contains("no such venue"))
        #expect(try await service.venue("push", v1, "--to", "mall", "--new", "--message", "Opening day").status == 0)

        // The server is killed right after it has taken the second archive; another one finishes what was promised.
        let received = try await self.upload(v2, to: service.address)
        service.kill()
        service = try await RunningService(in: workplace.folder)
        var upload = try await self.status(of: received.id, at: service)
        while !upload.state.isFinal {
            upload = try await self.status(of: received.id, at: service)
        }
        #expect(upload.state == .published && upload.revision == 2)

        let diff = try await service.venue("diff", "mall", "1", "2", "--json")
        #expect(try WireJSON.value(RevisionDiff.self, from: Data(diff.output.utf8)).changes.count == 2)
        #expect(try await service.venue("rollback", "mall", "1", "--dry-run").output.contains("2 changed"))
        #expect(try await service.venue("rollback", "mall", "1", "--message", "Too early").status == 0)
        let log = try await service.venue("log", "mall").output
        #expect(log.contains("“Too early”") && log.contains("“Opening day”") && log.contains("3 (revision 1 again)"))

        let export = workplace.path("export.zip")
        #expect(try await service.venue("export", "mall", "-o", export).status == 0)
        #expect(try await service.venue("push", export, "--to", "mall").output.contains("already"))
        try Data("no zip".utf8).write(to: URL(filePath: v1))
        #expect(try await service.venue("push", v1, "--to", "mall").status == 3)

        let key = try await service.venue("keys", "create", "--name", "phones", "--role", "read", "--venue", "mall")
            .output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let reader = try await VenueProgram.run(["log", "mall"], server: service.address, key: key)
        #expect(reader.status == 0)
        let refused = try await VenueProgram.run(["push", v2, "--to", "mall"], server: service.address, key: key)
        #expect(refused.status == 5)
        #expect(service.stop() == 0)
    }

    private func status(of upload: String, at service: RunningService) async throws -> Upload {
        let json = try await service.venue("status", upload, "--json").output
        return try WireJSON.value(Upload.self, from: Data(json.utf8))
    }

    /// Only the receipt: the upload is queued, and perhaps not worked on yet.
    private func upload(_ file: String, to server: String) async throws -> Upload {
        var request = URLRequest(url: try #require(URL(string: server + "/venues/mall/uploads")))
        request.httpMethod = "POST"
        request.setValue("application/zip", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer \(RunningService.key)", forHTTPHeaderField: "Authorization")
        request.httpBody = try Data(contentsOf: URL(filePath: file))
        let (data, _) = try await URLSession.shared.data(for: request)
        return try WireJSON.value(Upload.self, from: data)
    }

    @Test(.timeLimit(.minutes(2)))
    func `the demo tells its story and ends`() async throws {
        let demo = try await VenueProgram.run(["demo", "--once", "--port", "0"])
        #expect(demo.status == 0, "\(demo.complaint)")
        #expect(demo.output.contains("shop closed") && demo.output.contains("is that of revision 1"))
    }

    @Test func `a server that is not there and a line that makes no sense have exit codes of their own`() async throws {
        #expect(try await VenueProgram.run(["log", "mall"]).status == 6)
        #expect(try await VenueProgram.run(["log", "Not A Key"]).status == 64)
        #expect(try await VenueProgram.run(["generate", "-o", "/dev/null", "--edit", "explode"]).status == 64)
        let help = try await VenueProgram.run(["--help"]).output
        for name in [
            "up", "demo", "serve", "work", "migrate", "push", "status", "publish", "discard", "log", "diff", "rollback",
            "export", "keys",
            "generate",
        ] {
            #expect(help.contains("  \(name)"), "\(name)")
        }
    }

    @Test func `the same words generate the same bytes`() async throws {
        let workplace = try Workplace()
        for name in ["a.zip", "b.zip"] {
            let made = try await VenueProgram.run([
                "generate", "-o", workplace.path(name), "--levels", "2", "--units", "6", "--seed", "3",
            ])
            #expect(made.status == 0)
        }
        #expect(
            try Data(contentsOf: URL(filePath: workplace.path("a.zip")))
                == Data(contentsOf: URL(filePath: workplace.path("b.zip"))))
    }
}
