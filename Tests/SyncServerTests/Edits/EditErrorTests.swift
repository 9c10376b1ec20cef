import Foundation
import HTTPTypes
import IMDF
import SyncModel
import TestSupport
import Testing

/// What the rule book finds about edits, and parameters that do not exist.
@Suite(.server)
struct EditErrorTests {
    private static let shop = EditedVenue.shop

    @Test(arguments: [
        ("category", "moonbase", "RQ-02"), ("name", "Boots", "PV-01"), ("website", "no address", "PV-09"),
    ])
    func `edit that makes an error is refused unless it is forced, and never on a strict venue`(
        member: String, value: String, rule: String
    ) async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let change: JSONValue = .object([member: .string(value)])
        for query in ["", "?dry_run=true"] {
            let refused = try await harness.patch(Self.shop, change, query)
            let problem = try refused.problem(422)
            #expect(problem.type == "/problems/edit-refused")
            #expect(problem.detail?.contains("“force”") == true, "\(refused.text)")
            #expect(try refused.json["rule"] == .string(rule) && refused.json["can_be_forced"] == true)
            #expect(try refused.json["pointer"] == .string("/properties/\(member)"))
            #expect(try refused.json["findings"]?.array?.map { $0["rule"] } == [.string(rule)])
        }
        let batch: JSONValue = ["feature": Handmade.reference(Self.shop), "patch": ["properties": change]]
        let refused = try await harness.edit([batch])
        try refused.problem(422)
        #expect(try refused.json["pointer"] == .string("/edits/0/patch/properties/\(member)"))
        #expect(try await harness.head == 1)

        try await harness.set("validation", to: "strict")
        let strict = try await harness.patch(Self.shop, change, "?force=true")
        try strict.problem(422)
        #expect(try strict.json["rule"] == .string(rule) && strict.json["can_be_forced"] == false)
        try await harness.set("validation", to: "report")

        let forced = try await harness.edit([batch], ["force": true])
        #expect(forced.status == .created, "\(forced.text)")
        #expect(try forced.decoded(EditResult.self).findings.map(\.rule) == [rule])
        #expect(try await harness.properties(Self.shop)?[member] == .string(value))
    }

    @Test func `edit that replaces a wrong value by another wrong one is refused, too`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        #expect(try await harness.patch(Self.shop, ["name": "Boots"], "?force=true").status == .created)
        let refused = try await harness.patch(Self.shop, ["name": "Sandals"])
        try refused.problem(422)
        #expect(try refused.json["rule"] == "PV-01")
        #expect(try refused.problem(422).detail?.contains(#"{"en": "…"}"#) == true, "\(refused.text)")
        // Errors that the edit does not make do not matter.
        #expect(try await harness.patch(Self.shop, ["hours": "24/7"]).status == .created)
        #expect(try await harness.patch(Self.shop, ["name": ["en": "Sandals"]]).status == .created)
    }

    @Test func `error of the source is not refused when a feature goes back to it`() async throws {
        let harness = Harness.current
        var venue = EditedVenue()
        venue.set("category", of: Self.shop, to: "moonbase")
        try await harness.push(venue.archive())
        #expect(try await harness.patch(Self.shop, ["category": "restaurant"]).status == .created)
        #expect(try await harness.edit([["revert": Handmade.reference(Self.shop)]]).status == .created)
        #expect(try await harness.edit([["hide": Handmade.reference(Self.shop)]]).status == .created)
        #expect(try await harness.edit([["show": Handmade.reference(Self.shop)]]).status == .created)
        #expect(try await harness.properties(Self.shop)?["category"] == "moonbase")
    }

    @Test func `member that IMDF does not define is reported as a warning that names the likely one`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let result = try await harness.patch(Self.shop, ["hourz": "24/7"]).decoded(EditResult.self)
        let finding = try #require(result.findings.first)
        #expect(result.isPublished && result.findings.count == 1)
        #expect(finding.rule == "ST-18" && finding.severity == .warning && finding.pointer == "/properties/hourz")
        #expect(finding.message.contains("“hours”"), "\(finding.message)")
        // It is not new any more.
        let second = try await harness.patch(Self.shop, ["hourz": "off", "phone": "+81312345678"])
        #expect(try second.decoded(EditResult.self).findings.isEmpty)
    }

    @Test(arguments: ["dryrun=true", "dry-run=true", "Dry_Run=true", "untill=2099-01-01T00:00:00Z", "rule=PV-01"])
    func `edit with a parameter that does not exist is refused`(parameter: String) async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let meant = ["d": "“dry_run”", "D": "“dry_run”", "u": "“until”"][parameter.prefix(1)] ?? "message, until, base"
        let item = "/ogc/mall/collections/occupant/items/\(Handmade.id(Self.shop))"
        for (method, path) in [
            (.patch, "/venues/mall/features/\(Handmade.id(Self.shop))"), (.patch, item), (.put, item), (.delete, item),
            (.post, "/ogc/mall/collections/occupant/items"),
        ] as [(HTTPRequest.Method, String)] {
            let response = try await harness.send(
                method, "\(path)?\(parameter)", json: ["properties": ["hours": "24/7"]], key: Harness.adminKey)
            let problem = try response.problem(400)
            #expect(problem.type == "/problems/invalid-parameter")
            #expect(problem.detail?.contains(meant) == true, "\(response.text)")
        }
        let edits = try await harness.send(
            .post, "/venues/mall/edits?\(parameter)", json: ["edits": [["hide": Handmade.reference(Self.shop)]]],
            key: Harness.adminKey)
        #expect(try edits.problem(400).type == "/problems/invalid-parameter")
        #expect(try await harness.head == 1)
    }

    @Test func `body with a member that does not exist is refused`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        let hide: JSONValue = ["hide": Handmade.reference(Self.shop)]
        for (path, body, meant) in [
            ("edits", ["edits": [hide], "dryrun": true], "“dry_run”"),
            ("edits", ["edits": [["hide": Handmade.reference(Self.shop), "dependants": "hide"]]], "“dependents”"),
            ("edits", ["edits": [["hide": Handmade.reference(Self.shop), "dependents": "all"]]], "hide or refuse"),
            ("rollback", ["to": 1, "dryrun": true], "“dry_run”"),
            ("prune", ["keep_revisions": 1, "dryRun": true], "“dry_run”"),
        ] as [(String, JSONValue, String)] {
            let response = try await harness.send(.post, "/venues/mall/\(path)", json: body, key: Harness.adminKey)
            let problem = try response.problem(400)
            #expect(
                problem.type == "/problems/invalid-body" && problem.detail?.contains(meant) == true, "\(response.text)")
        }
        #expect(try await harness.head == 1)
    }

    @Test func `sync and uploads refuse parameters that do not exist, and name the likely one`() async throws {
        let harness = Harness.current
        try await harness.push(EditedVenue().archive())
        for (method, path, meant) in [
            (.get, "/venues/mall/sync?levels=ordinal:0", "“level”"), (.get, "/sync?sinse=x", "“since”"),
            (.get, "/venues/mall/sync?cachebuster=1", "since, level, to"),
            (.post, "/venues/mall/uploads?publsh=hold", "“publish”"),
        ] as [(HTTPRequest.Method, String, String)] {
            let response = try await harness.send(method, path, key: Harness.adminKey)
            let problem = try response.problem(400)
            #expect(problem.type == "/problems/invalid-parameter" && problem.detail?.contains(meant) == true)
        }
    }
}
