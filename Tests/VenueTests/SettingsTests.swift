import Foundation
import Postgres
import TestSupport
import Testing

/// Settings from the environment.
@Suite struct SettingsTests {
    @Test(arguments: [
        ("VENUE_ALLOWED_ORIGINS", "maps.example.com"), ("VENUE_RATE_LIMIT", "many"), ("VENUE_TRUSTED_PROXIES", "-1"),
        ("VENUE_MAX_CONNECTIONS", "0"), ("VENUE_DRAIN_SECONDS", "1h"), ("VENUE_LOG_FORMAT", "xml"),
        ("VENUE_UNCONFIRMED_SECONDS", "0"), ("VENUE_UNCONFIRMED_PUBLIC_SECONDS", "for ever"),
        ("VENUE_ARCHIVE_LIMIT", "512MB"), ("VENUE_ARCHIVE_LIMIT", "99999999999GiB"), ("VENUE_ARCHIVE_ENTRIES", "0"),
        ("VENUE_ARCHIVE_ENTRY_LIMIT", "2GiB"), ("VENUE_ARCHIVE_TOTAL_LIMIT", "1.5GiB"), ("VENUE_ARCHIVE_RATIO", "x"),
        ("VENUE_FEATURE_LIMIT", "-1"), ("VENUE_JSON_DEPTH", "1000000"), ("VENUE_CONSOLE_FOLDER", "/nowhere"),
        ("VENUE_ARCHIVES", "/archives"), ("VENUE_ARCHIVES", "file:///nowhere"),
        ("VENUE_ARCHIVES", "s3://bucket/prefix"),
        ("VENUE_MAP_LIBRARY", "/nowhere"), ("VENUE_TILE_FONTS", "/nowhere.ttf"), ("VENUE_LOG_LEVEL", "loud"),
    ])
    func `settings: an invalid one stops the start and is named in the message`(name: String, value: String)
        async throws
    {
        let outcome = try await VenueProgram.run(
            ["work"], settings: [name: value, "VENUE_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing"])
        #expect(outcome.status == 64)
        #expect(outcome.complaint.contains(name), "\(outcome.complaint)")
    }

    @Test func `settings: valid ones are accepted, and the database is contacted`() async throws {
        let outcome = try await VenueProgram.run(
            ["migrate"],
            settings: [
                "VENUE_ALLOWED_ORIGINS": "*", "VENUE_RATE_LIMIT": "200:2000", "VENUE_TRUSTED_PROXIES": "off",
                "VENUE_MAX_CONNECTIONS": "500", "VENUE_DRAIN_SECONDS": "5", "VENUE_LOG_FORMAT": "json",
                "VENUE_ARCHIVE_LIMIT": "1GiB", "VENUE_FEATURE_LIMIT": "1048576", "VENUE_JSON_DEPTH": "64",
                "VENUE_LOG_LEVEL": "INFO", "VENUE_UNCONFIRMED_SECONDS": "60",
                "VENUE_UNCONFIRMED_PUBLIC_SECONDS": "86400",
                "VENUE_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing",
            ])
        #expect(outcome.status == 6, "\(outcome.complaint)")
    }

    @Test func `limits on archives apply to offline commands, too`() async throws {
        let workplace = try Workplace()
        let archive = workplace.path("v1.zip")
        #expect(try await VenueProgram.run(["generate", "-o", archive, "--levels", "1", "--units", "2"]).status == 0)
        for arguments in [["validate", archive], ["diff", archive, archive]] {
            #expect(try await VenueProgram.run(arguments).status == 0)
            let refused = try await VenueProgram.run(arguments, settings: ["VENUE_ARCHIVE_LIMIT": "1KiB"])
            #expect(refused.status == 3, "\(refused.output) \(refused.complaint)")
        }
    }

    @Test(arguments: ["serve", "work"])
    func `database without migrations is refused with the command to run`(command: String) async throws {
        let url = try await TestCluster.shared.emptyDatabase().url
        let outcome = try await VenueProgram.run(
            [command] + (command == "serve" ? ["--port", "0"] : []), settings: ["VENUE_DATABASE_URL": url])
        #expect(outcome.status == 1)
        #expect(outcome.complaint.contains("run “venue migrate” first"), "\(outcome.complaint)")
    }

    @Test func `help lists every setting`() async throws {
        let help = try await VenueProgram.run(["--help"]).output
        for name in [
            "VENUE_ALLOWED_ORIGINS", "VENUE_RATE_LIMIT", "VENUE_TRUSTED_PROXIES", "VENUE_MAX_CONNECTIONS",
            "VENUE_DRAIN_SECONDS", "VENUE_LOG_FORMAT", "VENUE_ARCHIVE_LIMIT", "VENUE_ARCHIVE_ENTRIES",
            "VENUE_ARCHIVE_ENTRY_LIMIT", "VENUE_ARCHIVE_TOTAL_LIMIT", "VENUE_ARCHIVE_RATIO", "VENUE_FEATURE_LIMIT",
            "VENUE_JSON_DEPTH", "VENUE_MAP_LIBRARY", "VENUE_CONSOLE_FOLDER", "VENUE_TILE_FONTS",
            "VENUE_UNCONFIRMED_SECONDS", "VENUE_UNCONFIRMED_PUBLIC_SECONDS",
            "VENUE_READ_DATABASE_URL", "VENUE_ARCHIVES", "VENUE_ARCHIVES_SECRET_KEY",
        ] {
            #expect(help.contains(name), "\(name)")
        }
    }
}
