import Foundation
import IMDF
import SyncClient
import SyncModel
import Synchronization
import Testing

/// What becomes of edits, with a model of the server.
struct EditorSendingTests {
    private static let shop = EditorTests.shop
    private static let cafe = EditorTests.cafe

    private static func device(
        _ server: EditingServer, sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }
    ) async throws -> EditingDevice {
        let device = try await EditingDevice(server, sleep: sleep)
        try await device.replica.sync()
        return device
    }

    @Test func `edits made offline are sent in order and retire with the revision that has them`() async throws {
        let server = EditorTests.server()
        let device = try await Self.device(server)
        server.setOffline(true)
        let edits = [
            try await device.editor.edit(Self.shop, ["properties": ["name": "One"]]),
            try await device.editor.edit(Self.cafe, ["properties": ["name": "Two"]]),
            try await device.editor.edit(Self.shop, ["properties": ["name": "Three"]]),
        ]
        await #expect(throws: SyncError.self) { try await device.editor.send() }
        #expect(try await device.editor.edits() == edits, "nothing was sent, so everything can be withdrawn")

        server.setOffline(false)
        let settled = try await device.editor.send()
        #expect(settled.map(\.id) == edits.map(\.id))
        #expect(settled.map(\.state) == [2, 3, 4].map { .published(revision: $0) })
        #expect(server.made == edits.map(\.id.uuidString).map { $0.lowercased() })
        #expect(server.requests.map { $0["base"] } == [1, 2, 3])
        #expect(try await device.replica.store.state().revision == 1)
        #expect(try await device.pendingName(Self.shop) == "Three", "it is shown until the replica has it")
        #expect(try await device.editor.send().isEmpty)

        try await device.replica.sync()
        #expect(try await device.editor.edits().isEmpty)
        #expect(try await device.editor.pending().isEmpty)
        #expect(try await device.pendingName(Self.shop) == "Three")
        #expect(try await device.replica.store.damagedLevels().isEmpty)
    }

    @Test func `requests have the form of the protocol`() async throws {
        let server = EditorTests.server()
        let device = try await Self.device(server)
        let until = Date(timeIntervalSince1970: 1_800_100_000.25)
        let place: JSONObject = [
            "id": "00000000-0000-4000-8000-0000000000aa", "feature_type": "kiosk", "properties": ["name": nil],
        ]
        let edit = try await device.editor.edit(
            [
                .change(Self.shop, ["properties": ["name": nil]]), .add(place), .hide(Self.cafe), .show(Self.cafe),
                .revert(Self.shop, pointer: "/properties/name/ja"), .revert(Self.shop, pointer: nil),
            ], message: "All", until: until)
        #expect(try await device.editor.send().map(\.state) == [.published(revision: 2)])
        let (shop, cafe) = (JSONValue.string(Self.shop.description), JSONValue.string(Self.cafe.description))
        var added = place
        (added["type"], added["geometry"]) = ("Feature", .some(.null))
        #expect(
            server.requests == [
                [
                    "id": .string(edit.id.uuidString.lowercased()), "message": "All", "base": 1,
                    "until": "2027-01-16T11:46:40.250Z",
                    "edits": [
                        ["feature": shop, "patch": ["properties": ["name": nil]]], ["add": .object(added)],
                        ["hide": cafe], ["show": cafe], ["revert": shop, "pointer": "/properties/name/ja"],
                        ["revert": shop],
                    ],
                ]
            ])
    }

    @Test func `a refused edit keeps the reason until it is dismissed, and the next one is sent`() async throws {
        let server = EditorTests.server()
        let device = try await Self.device(server)
        let bad = try await device.editor.edit(Self.shop, ["properties": ["hours": "bad"]])
        let good = try await device.editor.edit(Self.shop, ["properties": ["hours": "24/7"]])
        #expect(try await device.editor.send().map(\.id) == [bad.id, good.id])
        let refusal = EditRefusal(
            status: 422, title: "The edit is refused", detail: "It is edit-refused.",
            pointer: "/edits/0/patch/properties/hours", rule: "PR-04")
        #expect(try await device.state(bad) == .refused(refusal))
        #expect(try await device.state(good) == .published(revision: 2))
        try await device.replica.sync()
        #expect(try await device.editor.edits().map(\.id) == [bad.id])
        #expect(try await device.editor.pending().isEmpty)
        await #expect(throws: EditingError.alreadySent) { try await device.editor.withdraw(bad.id) }
        try await device.editor.dismiss(bad.id)
        #expect(try await device.editor.edits().isEmpty)
    }

    @Test func `an edit that causes errors is refused with how it is accepted, and published if it is forced`()
        async throws
    {
        let server = EditorTests.server()
        let device = try await Self.device(server)
        let patch: JSONObject = ["properties": ["hours": "odd"]]
        let refused = try await device.editor.edit(Self.shop, patch)
        try await device.editor.send()
        guard case .refused(let refusal) = try await device.state(refused) else {
            Issue.record("\(try await device.editor.edits())")
            return
        }
        #expect(refusal.canBeForced == true && !refused.isForced)
        let forced = try await device.editor.edit(Self.shop, patch, isForced: true)
        #expect(forced.isForced)
        #expect(try await device.editor.edits().last?.isForced == true)
        try await device.editor.send()
        #expect(try await device.state(forced) == .published(revision: 2))
        #expect(server.requests.map { $0["force"] } == [nil, true])
        #expect(try await device.replica.store.damagedLevels().isEmpty)
    }

    @Test func `an edit is overtaken only by a change of what it changes`() async throws {
        let server = EditorTests.server()
        let device = try await Self.device(server)
        let name = try await device.editor.edit(Self.shop, ["properties": ["name": "Mine"]])
        let label = try await device.editor.edit(Self.shop, ["properties": ["label": ["en": "M"]]])
        let same = try await device.editor.edit(Self.shop, ["properties": ["phone": "1"]])
        let hide = try await device.editor.hide(Self.cafe)
        server.change(Self.shop, ["properties": ["name": "Theirs", "label": ["ja": "彼"], "phone": "1"]])
        server.change(Self.cafe, ["properties": ["name": "New tenant"]])
        try await device.editor.send()
        guard case .overtaken(let refusal) = try await device.state(name) else {
            Issue.record("\(try await device.editor.edits())")
            return
        }
        #expect(refusal.status == 412 && refusal.pointer == "/edits/0/patch/properties/name")
        #expect(try await device.state(label) == .published(revision: 4))
        #expect(try await device.state(same) == .published(revision: 4), "the feature is so already")
        guard case .overtaken(let reason) = try await device.state(hide) else {
            Issue.record("\(try await device.editor.edits())")
            return
        }
        #expect(reason.pointer == "/edits/0/hide")
        #expect(server.made == [label.id.uuidString.lowercased()])
        #expect(server.features[Self.shop]?["properties"]?["name"] == "Theirs")
        #expect(try await device.pendingName(Self.shop) == "Theirs")
    }

    @Test func `a revision that is published between two requests is checked like an earlier one`() async throws {
        for (patch, isOvertaken) in [(["name": "Theirs"], true), (["phone": "1"], false)] as [(JSONValue, Bool)] {
            let server = EditorTests.server()
            let device = try await Self.device(server)
            let edit = try await device.editor.edit(Self.shop, ["properties": ["name": "Mine"]])
            server.around { isBefore in
                guard isBefore, server.revision == 1 else { return }
                server.change(Self.shop, ["properties": patch])
            }
            let settled = try await device.editor.send()
            #expect(settled.map(\.id) == [edit.id] && server.requests.first?["base"] == 1)
            if isOvertaken {
                guard case .overtaken = settled.first?.state else {
                    Issue.record("\(settled)")
                    continue
                }
                #expect(server.made.isEmpty && server.requests.count == 1)
            } else {
                #expect(settled.first?.state == .published(revision: 3))
                #expect(server.requests.map { $0["base"] } == [1, 2])
            }
        }
    }

    @Test func `a response with 412 ends an edit as overtaken`() async throws {
        let server = EditorTests.server()
        let device = try await Self.device(server)
        try await device.editor.edit(Self.shop, ["properties": ["name": "Mine"]])
        server.fail(.reply(EditingServer.problem(412, "feature-changed", "/edits/0/patch")))
        let settled = try await device.editor.send()
        let refusal = EditRefusal(
            status: 412, title: "The edit is refused", detail: "It is feature-changed.", pointer: "/edits/0/patch")
        #expect(settled.map(\.state) == [.overtaken(refusal)])
    }

    @Test func `an edit of a level that is not held any more is overtaken by any newer revision`() async throws {
        let server = EditorTests.server()
        let device = try await Self.device(server)
        let hide = try await device.editor.hide(Self.cafe)
        let name = try await device.editor.edit(Self.shop, ["properties": ["name": "Mine"]])
        server.remove(Self.cafe)
        try await device.editor.send()
        guard case .overtaken(let refusal) = try await device.state(hide) else {
            Issue.record("\(try await device.editor.edits())")
            return
        }
        #expect(refusal.pointer == nil)
        #expect(try await device.state(name) == .published(revision: 3))
    }

    @Test func `a published edit that the replica already has is gone at once`() async throws {
        let server = EditorTests.server()
        let device = try await Self.device(server)
        let edit = try await device.editor.edit(Self.shop, ["properties": ["name": "Mine"]])
        server.around { isBefore in if !isBefore { _ = try? await device.replica.sync() } }
        #expect(try await device.editor.send().map(\.state) == [.published(revision: 2)])
        #expect(try await device.state(edit) == nil)
        #expect(try await device.replica.store.state().revision == 2)
        #expect(try await device.pendingName(Self.shop) == "Mine")
    }

    @Test(arguments: [
        (401, "unauthorized", SyncError.unauthorized), (403, "forbidden", .unauthorized),
        (404, "venue-not-found", .unknownVenue),
    ])
    func `an edit stays in the queue when the server does not accept the key or the address`(
        status: Int, problem: String, error: SyncError
    ) async throws {
        let server = EditorTests.server()
        let device = try await Self.device(server)
        let edit = try await device.editor.edit(Self.shop, ["properties": ["name": "One"]])
        try await device.editor.edit(Self.shop, ["properties": ["name": "Two"]])
        let body = "{\"type\":\"/problems/\(problem)\",\"title\":\"No\"}"
        server.fail(.reply(.init(status: status, body: Array(body.utf8))))
        await #expect(throws: error) { try await device.editor.send() }
        #expect(server.requests.isEmpty)
        #expect(try await device.editor.edits().map(\.state) == [.queued, .queued])
        try await device.editor.withdraw(edit.id)
        #expect(try await device.editor.send().map(\.state) == [.published(revision: 2)])
    }

    @Test func `follow goes on after a key that is not accepted, and once the replica has reached the server again`()
        async throws
    {
        let server = EditorTests.server()
        let (pauses, paused) = AsyncStream.makeStream(of: Duration.self)
        let device = try await Self.device(server) { pause in
            paused.yield(pause)
            // Ends only with the task.
            try await Task.sleep(for: .seconds(86_400))
        }
        var pause = pauses.makeAsyncIterator()
        let refusal = Array(#"{"type":"/problems/unauthorized","title":"No"}"#.utf8)
        server.fail(.reply(.init(status: 401, body: refusal)))
        let edit = try await device.editor.edit(Self.shop, ["properties": ["name": "One"]])
        var updates = device.editor.updates().makeAsyncIterator()
        let following = Task { [editor = device.editor] in try await editor.follow() }
        _ = await pause.next()
        #expect(server.made.isEmpty)
        server.setOffline(true)
        await #expect(throws: SyncError.self) { try await device.replica.sync() }
        #expect(server.made.isEmpty)
        server.setOffline(false)
        try await device.replica.sync()
        while server.made.isEmpty { _ = await updates.next() }
        #expect(server.made == [edit.id.uuidString.lowercased()])
        #expect(device.replica.status.connection == .current)
        following.cancel()
        await #expect(throws: CancellationError.self) { try await following.value }
    }

    @Test func `follow repeats the same request until there is a response, and sends what is made later`() async throws
    {
        let server = EditorTests.server()
        let pauses = Mutex<[Duration]>([])
        let device = try await Self.device(server) { pause in pauses.withLock { $0.append(pause) } }
        server.fail(
            .lostRequest, .reply(.init(status: 503, headers: ["retry-after": "7"])), .lostResponse,
            .reply(.init(body: Array("<html>Log in</html>".utf8))),
            .reply(.init(status: 302, headers: ["location": "https://login.example/"])),
            .reply(.init(status: 403, body: Array("<html>Log in</html>".utf8))))
        let first = try await device.editor.edit(Self.shop, ["properties": ["name": "One"]])
        let editor = device.editor
        let failures = Mutex<[SyncError]>([])
        var updates = editor.updates().makeAsyncIterator()
        let following = Task {
            try await editor.follow { error, _ in failures.withLock { $0.append(error) } }
        }
        while try await device.state(first) != nil {
            if case .published = try await device.state(first) { break }
            _ = await updates.next()
        }
        #expect(server.made == [first.id.uuidString.lowercased()] && Set(server.requests).count == 1)
        #expect(failures.withLock { $0.count } == 6 && pauses.withLock { $0[1] } == .seconds(7))
        #expect(failures.withLock { $0.contains(.unavailable(status: 503, retryAfter: .seconds(7))) })
        #expect(failures.withLock { $0.contains(.redirected(status: 302, to: "https://login.example/")) })

        let second = try await editor.edit(Self.cafe, ["properties": ["name": "Two"]])
        while !server.made.contains(second.id.uuidString.lowercased()) { _ = await updates.next() }
        following.cancel()
        await #expect(throws: CancellationError.self) { try await following.value }
    }

    @Test func `an edit whose request may have arrived cannot be withdrawn`() async throws {
        let server = EditorTests.server()
        let device = try await Self.device(server)
        let edit = try await device.editor.edit(Self.shop, ["properties": ["name": "One"]])
        server.fail(.lostResponse, .reply(.init(status: 401)))
        for _ in 0..<2 {
            await #expect(throws: SyncError.self) { try await device.editor.send() }
            #expect(try await device.state(edit) == .sending)
            await #expect(throws: EditingError.alreadySent) { try await device.editor.withdraw(edit.id) }
            await #expect(throws: EditingError.unfinished) { try await device.editor.dismiss(edit.id) }
        }
        #expect(try await device.editor.send().map(\.state) == [.published(revision: 2)])
        #expect(server.made.count == 1)
    }
}

/// What an app shows of edits.
struct EditMessageTests {
    @Test func `outcomes and errors of edits have sentences in English and Japanese`() {
        let refusal = EditRefusal(status: 422, title: "The edit is refused", detail: "No such rule.")
        let states: [VenueEdit.State] = [
            .queued, .sending, .published(revision: 7), .refused(refusal), .overtaken(refusal),
        ]
        let errors: [EditingError] = [
            .unknownFeature(EditorTests.shop), .featureExists(EditorTests.shop), .notEditable("/id"), .alreadySent,
            .unfinished,
        ]
        let messages =
            states.map { ($0.message(in: "en-GB"), $0.message(in: "ja-JP")) }
            + errors.map { ($0.message(in: "de"), $0.message(in: "ja")) }
        for (english, japanese) in messages {
            #expect(english.hasSuffix(".") && english.allSatisfy(\.isASCII), "\(english)")
            #expect(japanese.contains("。") && japanese.unicodeScalars.contains { (0x3040...0x30FF).contains($0.value) })
        }
        #expect(Set(messages.map(\.0)).count == messages.count && Set(messages.map(\.1)).count == messages.count)
        #expect(VenueEdit.State.refused(refusal).message(in: "en").hasSuffix("The edit is refused. No such rule."))
        #expect(
            ["en", "ja"].map { EditingError.alreadySent.message(in: $0) }
                .contains((EditingError.alreadySent as any Error).localizedDescription))
    }
}
