import Foundation
import SyncModel
import TestSupport
import Testing

/// What `push` and `log` report about the time zone. The generated venues are in Yokohama.
@Suite(.serialized)
struct TimeZoneCommandTests {
    @Test(.timeLimit(.minutes(30)))
    func `push and log report a proposed time zone until an operator sets one`() async throws {
        let workplace = try Workplace()
        let table = workplace.path("zones.tab")
        try Data("JP\t+353916+1394441\tAsia/Tokyo\nJP\t+4304+14121\tAsia/Sapporo\n".utf8).write(
            to: URL(filePath: table))
        let service = try await RunningService(in: workplace.folder, environment: ["VENUE_TIME_ZONES": table])
        let (v1, v2) = (workplace.path("v1.zip"), workplace.path("v2.zip"))
        #expect(try await service.venue("generate", "-o", v1, "--levels", "1", "--units", "4").status == 0)
        #expect(try await service.venue("generate", "-o", v2, "--next-of", v1, "--edit", "rename=1").status == 0)

        let proposal = """
            Time zone: Asia/Tokyo, proposed from the address and the position of the venue. To confirm it: \
            venue set mall time_zone=Asia/Tokyo
            """
        #expect(try await service.venue("push", v1, "--to", "mall", "--new").output.contains(proposal))
        #expect(try await service.venue("log", "mall").output.contains(proposal))
        // JSON is the same as without a proposal.
        #expect(try await !service.venue("log", "mall", "--json").output.contains("Asia/Tokyo"))

        #expect(try await service.venue("set", "mall", "time_zone=Asia/Tokyo").status == 0)
        #expect(try await !service.venue("push", v2, "--to", "mall").output.contains("Time zone"))
        #expect(try await !service.venue("log", "mall").output.contains("Time zone"))
        #expect(try await service.venue("set", "mall", "time_zone=null").status == 0)
        #expect(try await !service.venue("log", "mall").output.contains("Time zone"))
        #expect(await service.stop() == 0)
    }

    @Test(.timeLimit(.minutes(30)))
    func `push and log report the only time zone of a country, and that there is none`() async throws {
        let workplace = try Workplace()
        let (table, zip) = (workplace.path("zones.tab"), workplace.path("v1.zip"))
        try Data("JP,AU\t+353916+1394441\tAsia/Tokyo\n".utf8).write(to: URL(filePath: table))
        var service = try await RunningService(in: workplace.folder, environment: ["VENUE_TIME_ZONES": table])
        #expect(try await service.venue("generate", "-o", zip, "--levels", "1", "--units", "4").status == 0)
        let certain = "Time zone: Asia/Tokyo, the only one of JP.\n"
        #expect(try await service.venue("push", zip, "--to", "mall", "--new").output.contains(certain))
        #expect(try await service.venue("log", "mall").output.hasSuffix(certain))
        #expect(await service.stop() == 0)

        try Data("FJ\t-1808+17825\tPacific/Fiji\n".utf8).write(to: URL(filePath: table))
        service = try await RunningService(in: workplace.folder, environment: ["VENUE_TIME_ZONES": table])
        let none =
            "Time zone: none, so opening hours are not evaluated. To set it: venue set hall time_zone=Area/City\n"
        #expect(try await service.venue("push", zip, "--to", "hall", "--new").output.contains(none))
        #expect(try await service.venue("log", "hall").output.hasSuffix(none))
        #expect(await service.stop() == 0)
    }
}
