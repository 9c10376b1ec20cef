import Foundation
import SyncModel
import TestSupport
import Testing

/// Staged uploads from the command line.
@Suite(.serialized)
struct StagingCommandTests {
    @Test(.timeLimit(.minutes(30)))
    func `staged upload is shown, published or discarded`() async throws {
        let workplace = try Workplace()
        let service = try await RunningService(in: workplace.folder)
        let (v1, v2, v3) = (workplace.path("v1.zip"), workplace.path("v2.zip"), workplace.path("v3.zip"))
        #expect(try await service.venue("generate", "-o", v1, "--levels", "3", "--units", "30").status == 0)
        #expect(try await service.venue("generate", "-o", v2, "--next-of", v1, "--edit", "rename=2").status == 0)
        #expect(try await service.venue("generate", "-o", v3, "--next-of", v1, "--edit", "remove-floor").status == 0)
        #expect(try await service.venue("push", v1, "--to", "mall", "--new", "--base", "0").status == 0)

        let held = try await service.venue("push", v2, "--to", "mall", "--hold")
        #expect(held.status == 0 && held.output.contains("Staged") && held.output.contains("2 changed"))
        let id = try #require(held.output.split(separator: " ").first { $0.count == 36 }.map(String.init))
        #expect(held.output.contains("venue publish \(id) --base 1\n"))
        #expect(try await service.venue("status", id).output == held.output)
        let published = try await service.venue("publish", id, "--base", "1")
        #expect(published.status == 0 && published.output.contains("mall is at revision 2"))
        #expect(try await service.venue("publish", id).status == 2)

        let guarded = try await service.venue("push", v3, "--to", "mall")
        #expect(guarded.status == 2 && guarded.output.contains("(removal)"), "\(guarded.output)")
        let other = try #require(guarded.output.split(separator: " ").first { $0.count == 36 }.map(String.init))
        #expect(guarded.output.contains("venue publish \(other) --base 2 --confirm removal\n"))
        let stopped = try await service.venue("publish", other, "--json")
        #expect(stopped.status == 2)
        #expect(try await service.venue("publish", other, "--confirm", "everything").status == 2)
        #expect(try await service.venue("discard", other).status == 0)
        #expect(try await service.venue("discard", other).status == 2)
        let discarded = try await service.venue("status", other, "--json").output
        #expect(try WireJSON.value(Upload.self, from: Data(discarded.utf8)).state == .discarded)

        let timed = try await service.venue("push", v1, "--to", "mall", "--at", "2031-04-01T18:00:00+09:00")
        #expect(timed.status == 0 && timed.output.contains("published at 2031-04-01T09:00:00.000Z"))
        let outdated = try await service.venue("push", v1, "--to", "mall", "--base", "1")
        #expect(outdated.status == 2 && outdated.output.contains("(head_moved)"))
        #expect(await service.stop() == 0)
    }

    /// The ids of the occupants of a venue.
    private static func occupants(of venue: String, at service: RunningService) async throws -> [String] {
        struct Page: Decodable {
            struct Feature: Decodable { let id: String }
            let features: [Feature]
        }
        let path = "/venues/\(venue)/revisions/1/features?type=occupant"
        return try await RemoteService(address: service.address, key: RunningService.key).get(Page.self, path).features
            .map(\.id)
    }

    @Test(.timeLimit(.minutes(30)))
    func `staged upload lists the edited values about which the archive says something new`() async throws {
        let workplace = try Workplace()
        let service = try await RunningService(in: workplace.folder)
        let (v1, v2) = (workplace.path("v1.zip"), workplace.path("v2.zip"))
        #expect(try await service.venue("generate", "-o", v1, "--levels", "1", "--units", "6").status == 0)
        #expect(try await service.venue("generate", "-o", v2, "--next-of", v1, "--edit", "rename=1").status == 0)
        #expect(try await service.venue("push", v1, "--to", "mall", "--new").status == 0)
        for occupant in try await Self.occupants(of: "mall", at: service) {
            let edit = try await service.venue("edit", "mall", occupant, "name.en=Edited")
            #expect(edit.status == 0, "\(edit.output)")
        }
        #expect(try await service.venue("set", "mall", "overrides=ask").status == 0)
        let staged = try await service.venue("push", v2, "--to", "mall")
        #expect(staged.status == 2 && staged.output.contains("values that were edited by hand"), "\(staged.output)")
        #expect(staged.output.contains("/properties/name/en\n"), "\(staged.output)")
        #expect(staged.output.contains("edit:   Edited\n") && staged.output.contains("source: "), "\(staged.output)")
        #expect(staged.output.contains("1 edit contradicted by the archive.\n"), "\(staged.output)")
        #expect(staged.output.contains("--confirm overrides\n"))
        #expect(await service.stop() == 0)
    }

    @Test func `push refuses invalid options before it sends anything`() async throws {
        for options in [
            ["--hold", "--at", "2031-04-01T09:00:00Z"], ["--at", "noon"], ["--base=-1"], ["--base", "ten"],
        ] {
            #expect(try await VenueProgram.run(["push", "a.zip", "--to", "mall"] + options).status == 64)
        }
    }
}
