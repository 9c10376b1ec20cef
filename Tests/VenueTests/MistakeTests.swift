import Foundation
import IMDF
import SyncModel
import TestSupport
import Testing

/// A hundred mistakes at the command line: each has an exit status, and a sentence that names what is wrong and what to do.
@Suite(.serialized)
struct MistakeTests {
    @Test(.timeLimit(.minutes(30)))
    func `each of a hundred mistakes has its exit status and a sentence without dumps`() async throws {
        let scene = try await Scene()
        for mistake in Mistake.all { try await scene.check(mistake) }
        #expect(Mistake.all.count >= 100)
        #expect(await scene.service.stop() == 0)
    }

    @Test(.timeLimit(.minutes(30)))
    func `push of a folder publishes the archive in it, and Ctrl-C leaves the upload to the server`() async throws {
        let scene = try await Scene()
        let folder = scene.workplace.path("unpacked")
        let unzipped = Process()
        unzipped.executableURL = URL(filePath: "/usr/bin/env")
        unzipped.arguments = ["python3", "-m", "zipfile", "-e", scene.workplace.path("v1.zip"), folder]
        try unzipped.run()
        unzipped.waitUntilExit()
        let same = try await scene.service.venue("push", folder, "--to", "mall")
        #expect(same.status == 0 && same.output.contains("Nothing to publish"), "\(same.output) \(same.complaint)")
        let uploads = try await WireJSON.value(JSONValue.self, from: scene.service.get("/venues/mall/uploads"))
        #expect(uploads["uploads"]?.array?.map { $0["file_name"]?.string } == ["unpacked", "v1.zip"])
        #expect(
            try await scene.service.venue("diff", scene.workplace.path("v1.zip"), folder).output.contains("0 changed"))
        // Some tools unpack an archive into a folder of its name.
        let outer = scene.workplace.path("outer")
        try FileManager.default.createDirectory(atPath: outer, withIntermediateDirectories: false)
        try FileManager.default.moveItem(atPath: folder, toPath: "\(outer)/mall")
        #expect(
            try await scene.service.venue("diff", scene.workplace.path("v1.zip"), outer).output.contains("0 changed"))

        // Without a worker the upload stays queued.
        for worker in scene.service.workers { kill(worker, SIGSTOP) }
        defer { for worker in scene.service.workers { kill(worker, SIGCONT) } }
        let log = scene.workplace.folder.appending(path: "push.log")
        let push = try ChildProcess(
            VenueProgram.path, ["push", scene.workplace.path("v1.zip"), "--to", "mall", "--message", "slow"],
            environment: ["VENUE_SERVER": scene.service.address, "VENUE_KEY": RunningService.key], log: log)
        try await eventually("the upload is queued") {
            try await String(decoding: scene.service.get("/venues/mall/uploads"), as: UTF8.self).contains("slow")
        }
        // The command may not have read the response yet; each signal before that has the other message.
        kill(push.processID, SIGINT)
        #expect(try await push.exitStatus() == 130)
        #expect(push.said.contains("interrupted"), "\(push.said)")
        for worker in scene.service.workers { kill(worker, SIGCONT) }
        #expect(await scene.service.stop() == 0)
    }
}

/// A command line that is wrong, and what is expected of it.
private struct Mistake {
    let arguments: [String]
    let status: Int32
    /// Parts of the message.
    let parts: [String]
    /// The server; nil for the one of the test.
    var server: String?
    /// The key; nil for that of the operator.
    var key: String?
    var settings: [String: String] = [:]

    init(
        _ arguments: String, _ status: Int32, _ parts: String..., server: String? = nil, key: String? = nil,
        settings: [String: String] = [:]
    ) {
        self.arguments = arguments.split(separator: " ").map(String.init)
        (self.status, self.parts, self.server, self.key, self.settings) = (status, parts, server, key, settings)
    }

    /// Nothing has this id.
    private static let unknown = "00000000-0000-4000-8000-00000000dead"

    static let all =
        commandLines + files + venues + edits + operation + replicas + servers + connections + otherMistakes

    private static let commandLines = [
        Mistake("pussh FILE", 64, "there is no command “pussh”", "“push”", "venue help"),
        Mistake("lists", 64, "there is no command “lists”", "“list”"),
        Mistake("sing mall", 64, "there is no command “sing”", "“sign”"),
        Mistake("help psuh", 64, "there is no command “psuh”", "“push”", "venue help"),
        Mistake("help keys crate", 64, "there is no command “keys crate”", "“create”", "venue help keys"),
        Mistake("keys delete phones", 64, "there is no command “keys delete”", "venue help keys"),
        Mistake("push", 64, "<file>"), Mistake("push FILE", 64, "--to"),
        Mistake(
            "push https://maps.example.com/mall.zip --to mall", 1, "mall.zip is an address", "Download the archive"),
        Mistake("push FILE --to Mall!", 64, "Mall!", "--to"),
        Mistake("push FILE --to mall --nwe", 64, "--nwe", "--new"),
        Mistake("push FILE --to mall --hold --at 2031-04-01T09:00:00Z", 64, "--hold and --at"),
        Mistake("push FILE --to mall --at tomorrow", 64, "“tomorrow”", "2031-04-01T09:00:00Z"),
        Mistake("push FILE --to mall --identity guess", 64, "repair or trust"),
        Mistake("push FILE --to mall --base=-1", 64, "--base"), Mistake("log", 64, "<venue>"),
        Mistake("log MALL", 64, "MALL"), Mistake("log mall --limit 0", 64, "--limit", "at least 1"),
        Mistake("log mall --limit=-3", 64, "--limit", "-3"), Mistake("log mall --limit ten", 64, "ten", "--limit"),
        Mistake("log mall mall", 64, "mall"), Mistake("diff mall", 64, "two revisions, or two archives"),
        Mistake("diff mall one two", 64, "two revisions, or two archives"),
        Mistake("diff FILE FILE --identity guess", 64, "repair or trust"),
        Mistake("history mall nope", 64, "nope", "a UUID", "venue find"),
        Mistake("rollback mall", 64, "<to>"), Mistake("rollback mall first", 64, "first"),
        Mistake("edit mall SHOP", 64, "<values>"), Mistake("edit mall SHOP name", 64, "name=value"),
        Mistake("edit mall SHOP name:={", 64, "name:=JSON"),
        Mistake("edit mall nope name=X", 64, "nope", "a UUID", "venue find"),
        Mistake("edit mall SHOP hours=off --until yesterday", 64, "--until", "2026-12-24T18:00:00+09:00"),
        Mistake("set mall", 64, "<settings>"), Mistake("set mall public", 64, "name=value", "public=on"),
        Mistake("prune mall", 64, "--keep-revisions"), Mistake("prune mall --keep-revisions 0", 64, "from 1"),
        Mistake("epoch reset mall", 64, "no command “epoch reset”", "venue help epoch"),
        Mistake("delete mall", 64, "--confirm"),
        Mistake("delete mall --confirm small", 64, "--confirm must repeat the key mall"),
        Mistake("keys create --name x --expires tomorrow", 64, "--expires", "2031-04-01T09:00:00Z"),
        Mistake("keys create", 64, "--name"), Mistake("keys create --name x --role king", 64, "king", "read"),
        Mistake("export mall", 64, "--output", "--tiles"), Mistake("export mall --tiles x.pmtiles", 64, "--level"),
        Mistake("pull mall", 64, "--into"), Mistake("pull mall --into x --level 1F --everything", 64, "--everything"),
        Mistake("find none.sqlite shop --limit 0", 64, "--limit", "at least 1"),
        Mistake("find none.sqlite shop --at noon", 64, "noon"), Mistake("validate FILE --rule XX-99", 64, "“XX-99”"),
        Mistake("validate FILE --format xml", 64, "xml", "sarif"), Mistake("generate", 64, "--output", "--venues"),
        Mistake("generate -o x.zip --levels 0", 64, "--levels"),
        Mistake("generate -o x.zip --edit dance=1", 64, "dance"),
    ]

    private static let files = [
        Mistake("push none.zip --to mall", 1, "none.zip cannot be read", "no such file"),
        Mistake("push EMPTY --to mall", 1, "is a folder without an IMDF archive", "manifest.json"),
        Mistake("push TEXT --to mall", 3, "Rejected"), Mistake("validate none.zip", 1, "none.zip cannot be read"),
        Mistake("validate EMPTY", 1, "is a folder without an IMDF archive"), Mistake("validate TEXT", 3, "error"),
        Mistake("diff mall 1", 1, "1 cannot be read", "venue diff VENUE FROM TO"),
        Mistake("diff mall 1..2", 1, "1..2 cannot be read", "venue diff VENUE FROM TO"),
        Mistake("diff FILE TEXT", 3, "cannot be compared"),
        Mistake("add mall none.json", 1, "none.json"), Mistake("add mall TEXT", 64, "TEXT", "JSON"),
        Mistake("generate -o x.zip --next-of none.zip", 1, "none.zip"),
        Mistake("export mall -o /nowhere/x.zip", 1, "there is no folder /nowhere"),
        Mistake("generate -o /nowhere/x.zip", 1, "there is no folder /nowhere"),
        Mistake("export mall -o EMPTY", 1, "EMPTY is a folder", "the name of a file in it"),
        Mistake("generate -o EMPTY", 1, "EMPTY is a folder", "the name of a file in it"),
        Mistake("push BLANK --to mall", 1, "BLANK is empty", "Export the archive again"),
    ]

    private static let venues = [
        Mistake("push FILE --to mal", 4, "there is no venue “mal”", "“mall”", "--new"),
        Mistake("push FILE --to station", 4, "there is no venue “station”", "--new", "venue list"),
        Mistake("log mal", 4, "there is no venue “mal”", "“mall”", "venue list"),
        Mistake("info mal", 4, "there is no venue “mal”"), Mistake("set mal public=on", 4, "there is no venue “mal”"),
        Mistake("diff mal 1 2", 4, "there is no venue “mal”"), Mistake("overrides mal", 4, "there is no venue “mal”"),
        Mistake("prune mal --keep-revisions 1", 4, "there is no venue “mal”"),
        Mistake("audit --venue mal", 0, "No change of “mal” is recorded", "venue list"),
        Mistake("epoch renew mal", 4, "there is no venue “mal”"),
        Mistake("delete mal --confirm mal", 4, "there is no venue “mal”"),
        Mistake("rollback mal 1", 4, "there is no venue “mal”"),
        Mistake("export mal -o x.zip", 4, "there is no venue “mal”"),
        Mistake("pull mal --into TMP/mal.sqlite", 4, "there is no venue “mal”"),
        Mistake("edit mal SHOP hours=off", 4, "there is no venue “mal”"),
        Mistake("keys create --name x --venue nope", 4, "“nope”", "no key was created", "--new"),
        Mistake("keys create --name x --venue mall --venue mal", 4, "“mal”", "“mall”"),
    ]

    private static let edits = [
        Mistake("edit mall \(unknown) name=X", 4, "no feature \(unknown)", "venue find", "venue pull"),
        Mistake("edit mall \(unknown) hours=off", 4, "no feature \(unknown)", "venue find", "venue pull"),
        Mistake("edit mall SHOP category=moonbase", 2, "moonbase", "RQ-02", "/properties/category", "--force"),
        Mistake("edit mall SHOP name:=\"Shoes\"", 2, "name is not an object", "PV-01", "--force"),
        Mistake("edit mall SHOP website=nowhere", 2, "PV-09", "--force"),
        Mistake("edit mall SHOP phone=call", 2, "PV-08"),
        Mistake("edit mall SHOP anchor_id=SHOP", 2, "ST-15", "/properties/anchor_id"),
        Mistake("edit mall SHOP anchor_id=\(unknown)", 2, "ST-14"),
        Mistake("edit mall SHOP geometry:={\"type\":\"Point\",\"coordinates\":[1,2]}", 2, "GE-02", "/geometry"),
        Mistake("edit mall SHOP hours=off --until 2001-01-01T00:00:00Z", 2, "future"),
        Mistake("edit mall SHOP hours=off --base 7", 2, "revision"), Mistake("hide mall \(unknown)", 4, unknown),
        Mistake("hide mall ANCHOR", 2, "refer", "--with-dependents"), Mistake("show mall \(unknown)", 4, unknown),
        Mistake("resolve \(unknown) --take mine --venue mall", 4, "Override not found"),
        Mistake("resolve \(unknown) --take yours", 64, "yours"),
        Mistake("history mall \(unknown)", 4, "no feature \(unknown)", "venue find"),
    ]

    private static let operation = [
        Mistake("diff mall 1 9", 4, "Revision 9 not found"), Mistake("rollback mall 9", 4, "Revision 9 not found"),
        Mistake("rollback mall 0", 2, "“to” must be the number of a revision"),
        Mistake("rollback mall 1", 2, "already"),
        Mistake("rollback mall 1 --level 9F", 4, "no level “9F”"),
        Mistake("export mall --revision 9 -o x.zip", 4, "Revision 9 not found"),
        Mistake("export mall --tiles x.pmtiles --level 9F", 4, "no level “9F”"),
        Mistake("status nope", 4, "there is no upload “nope”", "venue push --json"),
        Mistake("publish mall.zip", 4, "there is no upload “mall.zip”", "venue push --json"),
        Mistake("discard nope", 4, "there is no upload “nope”", "venue push --json"),
        Mistake("status nope --matches", 4, "there is no upload “nope”"),
        Mistake("keys revoke phones", 4, "there is no key with the id “phones”", "venue keys list"),
        Mistake("keys create --name=", 64, "--name"),
        Mistake("set mall colour=red", 2, "no setting “colour”", "The settings are public, time_zone"),
        Mistake("set mall timezone=Tokyo", 2, "no setting “timezone”", "Did you mean “time_zone”?"),
        Mistake("set mall time_zone=Tokyo", 2, "time_zone"), Mistake("set mall validation=hard", 2, "validation"),
    ]

    private static let replicas = [
        Mistake("pull mall --into TMP/x.sqlite --level 9F", 4, "no level “9F”"),
        Mistake("pull mall --into TEXT", 1, "TEXT"), Mistake("find TEXT shop", 1, "TEXT"),
        Mistake("find none.sqlite shop", 1, "there is no file none.sqlite", "venue pull VENUE --into"),
        Mistake("find EMPTY shop", 1, "EMPTY is a folder"),
        Mistake("pull mall --into EMPTY", 1, "EMPTY is a folder", "mall.sqlite"),
        Mistake("pull mall --into /nowhere/x.sqlite", 1, "/nowhere"),
    ]

    private static let servers = [
        Mistake("up --port 99999", 64, "--port", "0 to 65535", "99999"),
        Mistake("serve --port=-1", 64, "--port", "0 to 65535"),
        Mistake("demo --port 70000", 64, "--port", "0 to 65535"),
        Mistake("up --port http", 64, "http", "--port"),
        Mistake("up --port 0 --host no-such-host.invalid --data TMP/other", 1, "“no-such-host.invalid”", "--host"),
        Mistake("up --port PORT --data TMP/other", 1, "port PORT of 127.0.0.1 is in use", "--port"),
        Mistake("up", 64, "VENUE_ADMIN_KEY", "openssl rand", settings: ["VENUE_ADMIN_KEY": "x"]),
        Mistake(
            "serve", 64, "VENUE_ADMIN_KEY",
            settings: ["VENUE_ADMIN_KEY": "x", "VENUE_DATABASE_URL": "postgresql://127.0.0.1:1/x"]),
        Mistake("serve", 64, "VENUE_DATABASE_URL is not set"), Mistake("migrate", 64, "VENUE_DATABASE_URL is not set"),
        Mistake(
            "migrate", 6, "the database of VENUE_DATABASE_URL does not respond",
            settings: ["VENUE_DATABASE_URL": "postgresql://127.0.0.1:1/x"]),
        Mistake("up", 64, "VENUE_LOG_LEVEL", "loud", settings: ["VENUE_LOG_LEVEL": "loud"]),
        Mistake("work --lease 0", 64, "--lease"),
    ]

    /// What else may listen at an address, by the word that stands for its port.
    static let others = [
        "SSH": "SSH-2.0-OpenSSH_9.2\r\n",
        "PAGE": "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>",
        "GATEWAY": "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n",
    ]

    private static let otherMistakes = others.keys.sorted().flatMap { word -> [Mistake] in
        let address = "http://127.0.0.1:\(word)"
        let part = word == "SSH" ? "does not speak HTTP" : "not as a VenueSync server does"
        return ["list", "info mall", "log mall", "push FILE --to mall", "pull mall --into TMP/y.sqlite"].map {
            Mistake($0, 6, address, part, "VENUE_SERVER", server: address)
        }
    }

    private static let connections = [
        Mistake(
            "list", 6, "http://127.0.0.1:1 does not respond", "nothing listens", "venue up",
            server: "http://127.0.0.1:1"
        ),
        Mistake("push FILE --to mall", 6, "nothing listens", "VENUE_SERVER", server: "http://127.0.0.1:1"),
        Mistake("pull mall --into TMP/x.sqlite", 6, "nothing listens", server: "http://127.0.0.1:1"),
        Mistake("list", 6, "does not speak https", "http://", server: "https://127.0.0.1:PORT"),
        Mistake("push FILE --to mall", 6, "does not speak https", server: "https://127.0.0.1:PORT"),
        Mistake("list", 64, "VENUE_SERVER is “127.0.0.1:8080”", "http://", server: "127.0.0.1:8080"),
        Mistake("push FILE --to mall", 64, "VENUE_SERVER is “localhost:8080”", server: "localhost:8080"),
        Mistake("pull mall --into TMP/x.sqlite", 64, "VENUE_SERVER", server: "localhost"),
        Mistake("list", 64, "VENUE_SERVER", server: "ftp://127.0.0.1"),
        Mistake("list", 64, "65535", server: "http://127.0.0.1:99999"),
        Mistake("list", 6, "no host of this name", server: "http://no-such-host.invalid"),
        Mistake("list", 4, "Not found", "the path “/maps” in VENUE_SERVER", server: "http://127.0.0.1:PORT/maps"),
        Mistake("list", 4, "the path “/venues” in VENUE_SERVER", server: "http://127.0.0.1:PORT/venues"),
        Mistake("list", 5, "does not know the key", "VENUE_KEY", key: "vsk_wrong"),
        Mistake("push FILE --to mall", 5, "VENUE_KEY", key: "vsk_wrong"), Mistake("log mall", 5, "VENUE_KEY", key: ""),
        Mistake("pull mall --into TMP/x.sqlite", 5, "VENUE_KEY", key: "vsk_wrong"),
        Mistake("push FILE --to mall", 5, "VENUE_KEY", key: "READER"),
        Mistake("edit mall SHOP hours=off", 5, "do not permit this", key: "READER"),
    ]
}

/// A server with one venue, and files that are wrong.
private struct Scene {
    let service: RunningService
    let workplace: Workplace
    private let words: [(String, String)]
    private let others: [String: RawServer]

    init() async throws {
        self.others = try Mistake.others.mapValues { try RawServer(replying: Array($0.utf8)) }
        let workplace = try Workplace()
        let service = try await RunningService(in: workplace.folder)
        (self.service, self.workplace) = (service, workplace)
        let archive = workplace.path("v1.zip")
        #expect(try await service.venue("generate", "-o", archive, "--levels", "1", "--units", "8").status == 0)
        #expect(try await service.venue("push", archive, "--to", "mall", "--new").status == 0)
        let text = workplace.path("text.zip")
        try Data("no zip".utf8).write(to: URL(filePath: text))
        try Data().write(to: URL(filePath: workplace.path("blank.zip")))
        try FileManager.default.createDirectory(atPath: workplace.path("empty"), withIntermediateDirectories: true)
        struct Features: Decodable {
            struct Feature: Decodable {
                let id: String
                let properties: JSONValue
            }
            let features: [Feature]
        }
        let shops = try await service.get("/venues/mall/revisions/1/features?type=occupant")
        let shop = try #require(try WireJSON.value(Features.self, from: shops).features.first)
        let key = try await service.venue("keys", "create", "--name", "reader", "--role", "read", "--venue", "mall")
            .output
        self.words =
            [
                ("FILE", archive), ("TEXT", text), ("EMPTY", workplace.path("empty")),
                ("BLANK", workplace.path("blank.zip")), ("TMP", workplace.folder.path),
                ("SHOP", shop.id), ("ANCHOR", shop.properties["anchor_id"]?.string ?? ""),
                ("PORT", service.address.split(separator: ":").last.map(String.init) ?? ""),
                ("READER", key.trimmingCharacters(in: .whitespacesAndNewlines)),
            ] + self.others.map { ($0.key, "\($0.value.port)") }
    }

    private func written(_ text: String) -> String {
        self.words.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    /// What no message may contain: dumps of libraries, types of our code, and paths of a build.
    private static let dumps = [
        "Error Domain", "NSError", "NSURL", "NSCocoa", "CocoaError", "UserInfo", "NIO", "SSL", "errno", "Optional(",
        "Swift.",
        "/Sources/", ".swift", "DecodingError", "URLError", "0x", "Code=",
    ]

    func check(_ mistake: Mistake) async throws {
        let arguments = mistake.arguments.map(self.written)
        let server = mistake.server.map(self.written) ?? self.service.address
        let key = mistake.key.map(self.written) ?? RunningService.key
        let outcome = try await VenueProgram.run(arguments, server: server, key: key, settings: mistake.settings)
        let (line, message) = (arguments.joined(separator: " "), outcome.complaint + outcome.output)
        #expect(outcome.status == mistake.status, "\(line): \(message)")
        for part in mistake.parts { #expect(message.contains(self.written(part)), "\(line): “\(part)” in \(message)") }
        for dump in Self.dumps { #expect(!message.contains(dump), "\(line): \(message)") }
        #expect(
            outcome.complaint.isEmpty || outcome.complaint.hasPrefix("venue: ")
                || outcome.complaint.hasPrefix("Error: "), "\(line)")
        guard !outcome.complaint.isEmpty, !["up", "serve", "work", "demo"].contains(mistake.arguments[0]) else {
            return
        }
        // For programs it is a document.
        let json = try await VenueProgram.run(
            arguments + ["--json"], server: server, key: key, settings: mistake.settings)
        let problem = try? WireJSON.value(JSONValue.self, from: Data(json.output.utf8))
        #expect(json.status == mistake.status && json.complaint.isEmpty, "\(line) --json: \(json.complaint)")
        #expect(problem?["title"]?.string?.isEmpty == false, "\(line) --json: \(json.output)")
        #expect(problem?["exit_code"] == .number(Double(mistake.status)), "\(line) --json: \(json.output)")
    }
}
