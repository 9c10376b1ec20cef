import Foundation
import IMDF
import SyncModel
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The operator's commands against a server and a worker in processes of their own, with a real database.
@Suite(.serialized)
struct OperatorTests {
    @Test(.timeLimit(.minutes(30)))
    func `push, diff, rollback and export work, and an upload survives a kill of the server`() async throws {
        let workplace = try Workplace()
        var service = try await RunningService(in: workplace.folder)
        let (v1, v2) = (workplace.path("v1.zip"), workplace.path("v2.zip"))
        #expect(try await service.venue("generate", "-o", v1, "--levels", "2", "--units", "8").status == 0)
        #expect(try await service.venue("generate", "-o", v2, "--next-of", v1, "--edit", "rename=2,noise").status == 0)

        let unknown = try await service.venue("push", v1, "--to", "mall")
        #expect(unknown.status == 4 && unknown.complaint.contains("there is no venue “mall”"))
        #expect(try await service.venue("push", v1, "--to", "mall", "--new", "--message", "Opening day").status == 0)

        // The server is killed right after it has accepted the second archive; the next one completes the upload.
        let received = try await self.upload(v2, to: service.address)
        await service.kill()
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
        #expect(
            log.contains("“Too early”") && log.contains("“Opening day”") && log.contains("3 (rollback to revision 1)"))

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
        #expect(await service.stop() == 0)
    }

    @Test(.timeLimit(.minutes(30)))
    func `rollback of levels, history, settings, prune and delete work from the command line`() async throws {
        let workplace = try Workplace()
        let service = try await RunningService(in: workplace.folder)
        let zips = ["v1.zip", "v2.zip", "v3.zip"].map(workplace.path)
        #expect(try await service.venue("generate", "-o", zips[0], "--levels", "2", "--units", "8").status == 0)
        #expect(try await service.venue("push", zips[0], "--to", "mall", "--new").status == 0)
        for (index, edit) in [(1, "rename=1"), (2, "relevel=1")] {
            let made = try await service.venue(
                "generate", "-o", zips[index], "--next-of", zips[index - 1], "--edit", edit)
            #expect(made.status == 0)
            #expect(try await service.venue("push", zips[index], "--to", "mall", "--message", edit).status == 0)
        }
        let diff = try await service.venue("diff", "mall", "2", "3", "--json")
        let changes = try WireJSON.value(RevisionDiff.self, from: Data(diff.output.utf8)).changes
        let unit = try #require(changes.first { $0.type == .unit && $0.classes.contains("level") })
        let level = try #require(unit.level?.description)

        let plan = try await service.venue("rollback", "mall", "2", "--level", level, "--dry-run")
        #expect(plan.status == 2 && plan.complaint.contains("unit \(unit.id)"))
        #expect(plan.complaint.contains("venue rollback mall 2 --dry-run --level \(level) --level "))
        let refused = try await service.venue("rollback", "mall", "2", "--level", level, "--json")
        let refusal = try JSONDecoder().decode(LevelRefusal.self, from: Data(refused.output.utf8))
        #expect(refused.status == 2 && refusal.add_levels.count == 1)
        let both = ["--level", level, "--level", refusal.add_levels.first ?? "", "--message", "Back"]
        let done = try await VenueProgram.run(
            ["rollback", "mall", "2"] + both, server: service.address, key: RunningService.key)
        #expect(done.status == 0 && done.output.contains("revision 4"), "\(done.complaint)")
        #expect(try await service.venue("log", "mall").output.contains("4 (rollback to revision 2 on 2 levels)"))
        #expect(try await service.venue("rollback", "mall", "2", "--level", "9F").status == 4)
        let several = try await service.venue("rollback", "mall", "1", "--level", "1F")
        #expect(several.status == 64 && several.complaint.contains("use the id"))

        let history = try await service.venue("history", "mall", unit.id.description)
        let lines = history.output.split(separator: "\n")
        #expect(history.status == 0 && lines.count == 3)
        #expect(lines[0].hasPrefix("4–now") && lines[0].hasSuffix("“Back”") && lines[2].contains("added"))
        let unknown = "00000000-0000-4000-8000-000000000000"
        #expect(try await service.venue("history", "mall", unknown, "--json").status == 4)

        let set = try await service.venue("set", "mall", "time_zone=Asia/Tokyo", "public=on", "removal_guard=off")
        #expect(set.status == 0 && set.output.contains("Asia/Tokyo"))
        let reset = try await service.venue("set", "mall", "time_zone=null", "identity=trust", "--json").output
        let settings = try WireJSON.value(Venue.Settings.self, from: Data(reset.utf8))
        #expect(settings == Venue.Settings(public: true, identity: .trust, removalGuard: false))
        #expect(try await service.venue("set", "mall", "colour=red").status == 2)
        #expect(try await service.venue("set", "mall", "public").status == 64)

        #expect(try await service.venue("prune", "mall", "--keep-revisions", "0").status == 64)
        let planned = try await service.venue("prune", "mall", "--keep-revisions", "2", "--dry-run").output
        #expect(
            planned.hasPrefix("The history of mall would begin at revision 3.\nThe command would delete 2 revisions, "))
        let pruned = try await service.venue("prune", "mall", "--keep-revisions", "2", "--json").output
        #expect(try WireJSON.value(Pruning.self, from: Data(pruned.utf8)).first == 3)
        #expect(try await service.venue("rollback", "mall", "2").status == 4)
        #expect(try await service.venue("epoch", "renew", "mall").output.hasPrefix("Renewed the epoch of mall."))

        #expect(try await service.venue("delete", "mall").status == 64)
        #expect(try await service.venue("delete", "mall", "--confirm", "small").status == 64)
        #expect(try await service.venue("delete", "mall", "--confirm", "mall").output == "Deleted mall.\n")
        #expect(try await service.venue("log", "mall").status == 4)
        #expect(await service.stop() == 0)
    }

    private struct LevelRefusal: Decodable {
        let add_levels: [String]
    }

    private func status(of upload: String, at service: RunningService) async throws -> Upload {
        let json = try await service.venue("status", upload, "--json").output
        return try WireJSON.value(Upload.self, from: Data(json.utf8))
    }

    /// Uploads without waiting: the upload is queued, and perhaps not processed yet.
    private func upload(_ file: String, to server: String) async throws -> Upload {
        var request = URLRequest(url: try #require(URL(string: server + "/venues/mall/uploads")))
        request.httpMethod = "POST"
        request.setValue("application/zip", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer \(RunningService.key)", forHTTPHeaderField: "Authorization")
        request.httpBody = try Data(contentsOf: URL(filePath: file))
        let (data, _) = try await URLSession.shared.data(for: request)
        return try WireJSON.value(Upload.self, from: data)
    }

    @Test(.timeLimit(.minutes(30)))
    func `demo --once runs all steps and stops`() async throws {
        let demo = try await VenueProgram.run(["demo", "--once", "--port", "0"])
        #expect(demo.status == 0, "\(demo.complaint)")
        let plurals = demo.output.matches(of: /\b1 [a-z]+s\b/).map { String($0.output) }
        #expect(plurals.isEmpty && demo.output.contains("1 feature "), "\(demo.output)")
        #expect(demo.output.contains("shop closed") && demo.output.contains("equals that of revision 1"))
    }

    @Test func `exit codes distinguish an unreachable server from invalid arguments`() async throws {
        #expect(try await VenueProgram.run(["log", "mall"]).status == 6)
        #expect(try await VenueProgram.run(["log", "Not A Key"]).status == 64)
        #expect(try await VenueProgram.run(["generate", "-o", "/dev/null", "--edit", "explode"]).status == 64)
        let help = try await VenueProgram.run(["--help"]).output
        for name in [
            "up", "demo", "serve", "work", "migrate", "list", "info", "push", "status", "publish", "discard", "log",
            "diff", "history",
            "rollback", "pull", "watch", "export", "set", "delete", "keys", "audit", "generate",
        ] {
            #expect(help.contains("  \(name)"), "\(name)")
        }
    }

    @Test func `generate writes the same bytes for the same arguments`() async throws {
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
