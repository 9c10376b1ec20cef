import Foundation
import Postgres
import TestSupport
import Testing

/// `venue generate --venues`.
@Suite(.database)
struct GenerateVenuesTests {
    private func generate(_ arguments: String...) async throws -> VenueProgram.Outcome {
        try await VenueProgram.run(
            ["generate", "--levels", "1", "--units", "4"] + arguments,
            settings: ["VENUE_DATABASE_URL": TestDatabase.current.configuration.url])
    }

    private func count(_ what: String) async throws -> Int64 {
        try await TestDatabase.current.pool.query("SELECT count(*) FROM \(raw: what)").decode(Int64.self)[0]
    }

    @Test func `generate publishes venues with all their revisions in a database, and the same ones only once`()
        async throws
    {
        let made = try await self.generate("--venues", "3", "--revisions", "2", "--json")
        #expect(made.status == 0, "\(made.complaint)")
        #expect(made.output.contains("\"revisions\":6") && made.output.contains("\"venues\":3"))
        #expect(try await self.count("venue WHERE key LIKE 'venue-000000_' AND head = 2") == 3)
        #expect(try await self.count("revision WHERE chain_hash <> '' AND features > 4") == 6)
        #expect(try await self.count("upload WHERE state = 'published' AND findings_complete") == 6)
        // The second revision changes one name.
        #expect(try await self.count("feature_version WHERE to_revision = 2") == 3)
        #expect(try await self.count("(SELECT DISTINCT digest FROM revision) AS digest") == 6)

        let more = try await self.generate("--venues", "4")
        #expect(more.status == 0 && more.output.hasPrefix("Published 4 revisions of 4 venues"), "\(more.complaint)")
        #expect(try await self.count("venue") == 4)
    }

    @Test func `generate refuses options that do not fit together`() async throws {
        for arguments in [
            [], ["-o", "v1.zip", "--venues", "2"], ["-o", "v1.zip", "--revisions", "2"], ["--venues", "0"],
            ["--venues", "2", "--prefix", "A"], ["--venues", "2", "--next-of", "v1.zip"],
        ] {
            #expect(try await VenueProgram.run(["generate"] + arguments).status == 64, "\(arguments)")
        }
        let unset = try await VenueProgram.run(["generate", "--venues", "1"], settings: ["VENUE_DATABASE_URL": ""])
        #expect(unset.status != 0)
    }
}
