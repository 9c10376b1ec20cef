import Foundation
import IMDF
import SyncClient
import SyncModel
import Testing

/// Edits that wait in the file of a replica, and features with them.
struct EditorTests {
    static let shop = FeatureID(high: 0x4000, low: 0x8000_0000_0000_0001)
    static let cafe = FeatureID(high: 0x4000, low: 0x8000_0000_0000_0002)

    static func server() -> EditingServer {
        EditingServer([
            Self.shop: .place(
                Self.shop, ["name": "Shop", "hours": "Mo-Su 10:00-20:00", "label": ["en": "S", "ja": "店"]]),
            Self.cafe: .place(Self.cafe, ["name": "Café"]),
        ])
    }

    private static func body(_ feature: PendingFeature?) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(#require(feature?.body)))
    }

    @Test func `an edit is pending at once and leaves the verified state as it is`() async throws {
        let device = try await EditingDevice(Self.server())
        try await device.replica.sync()
        let (levels, shop) = try await (device.replica.store.levels(), device.replica.store.feature(Self.shop))
        let until = Date(timeIntervalSince1970: 1_800_100_000)
        let edit = try await device.editor.edit(
            Self.shop, ["properties": ["label": ["ja": "喫茶"], "hours": nil]], message: "New sign", until: until)
        #expect(edit.state == .queued && edit.base == 1 && edit.until == until && edit.message == "New sign")
        #expect(edit.features == [Self.shop])

        let pending = try #require(try await device.editor.feature(Self.shop))
        #expect(pending.verified == shop && pending.edits == [edit])
        #expect(
            try Self.body(pending) == .place(Self.shop, ["name": "Shop", "label": ["en": "S", "ja": "喫茶"]]))
        #expect(try await device.editor.pending() == [pending])
        #expect(try await device.editor.feature(Self.cafe)?.edits == [])
        #expect(try await device.replica.store.feature(Self.shop) == shop)
        #expect(try await device.replica.store.levels() == levels)
        #expect(try await device.replica.store.damagedLevels().isEmpty)
    }

    @Test func `edits of one feature add up in order and survive a restart`() async throws {
        let device = try await EditingDevice(Self.server())
        try await device.replica.sync()
        let first = try await device.editor.edit(Self.shop, ["properties": ["name": "One", "phone": "1"]])
        let second = try await device.editor.edit(Self.shop, ["properties": ["name": "Two"]])
        try await device.replica.close()

        let again = try await EditingDevice(Self.server(), in: device.folder)
        #expect(try await again.editor.edits() == [first, second])
        let feature = try await again.editor.feature(Self.shop)
        #expect(feature?.edits == [first, second])
        let properties = try Self.body(feature)["properties"]
        #expect(properties?["name"] == "Two" && properties?["phone"] == "1")
        try await again.editor.withdraw(second.id)
        #expect(try await again.pendingName(Self.shop) == "One")
        #expect(try await again.editor.edits() == [first])
    }

    @Test func `features are added, hidden and shown in the pending view`() async throws {
        let device = try await EditingDevice(Self.server())
        try await device.replica.sync()
        let added = try await device.editor.add(["feature_type": "occupant", "properties": ["name": "Kiosk"]])
        let id = try #require(added.features.first)
        let kiosk = try #require(try await device.editor.feature(id))
        #expect(kiosk.verified == nil && kiosk.edits == [added])
        #expect(try Self.body(kiosk)["type"] == "Feature" && Self.body(kiosk)["geometry"] == .some(.null))
        try await device.editor.edit(id, ["properties": ["name": "Stand"]])
        #expect(try await device.pendingName(id) == "Stand")

        try await device.editor.hide(Self.cafe)
        let hidden = try #require(try await device.editor.feature(Self.cafe))
        #expect(hidden.body == nil && hidden.verified != nil)
        await #expect(throws: EditingError.unknownFeature(Self.cafe)) {
            try await device.editor.edit(Self.cafe, ["properties": [:]])
        }
        try await device.editor.show(Self.cafe)
        #expect(try await device.pendingName(Self.cafe) == "Café")
        #expect(
            try await device.editor.pending().map(\.id)
                == [Self.cafe, id].sorted())
    }

    @Test func `an edit that cannot be right is refused at once and not stored`() async throws {
        let device = try await EditingDevice(Self.server())
        try await device.replica.sync()
        let missing = FeatureID(high: 1, low: 2)
        await #expect(throws: EditingError.unknownFeature(missing)) {
            try await device.editor.edit(missing, ["properties": ["name": "X"]])
        }
        await #expect(throws: EditingError.unknownFeature(missing)) { try await device.editor.hide(missing) }
        await #expect(throws: EditingError.notEditable("/feature_type")) {
            try await device.editor.edit(Self.shop, ["feature_type": "unit"])
        }
        await #expect(throws: EditingError.notEditable("/properties/a~1b")) {
            try await device.editor.edit(Self.shop, ["properties": ["a/b": .number(.infinity)]])
        }
        await #expect(throws: EditingError.notEditable("/feature_type")) {
            try await device.editor.add(["properties": [:]])
        }
        await #expect(throws: EditingError.notEditable("/id")) {
            try await device.editor.add(["id": "7", "feature_type": "unit", "properties": [:]])
        }
        await #expect(throws: EditingError.featureExists(Self.shop)) {
            try await device.editor.edit([
                .add(["id": .string(Self.shop.description), "feature_type": "unit", "properties": [:]])
            ])
        }
        await #expect(throws: EditingError.notEditable("")) { try await device.editor.edit([]) }
        #expect(try await device.editor.edits().isEmpty)
    }

    @Test func `the pending view is made anew when a sync changes the feature`() async throws {
        let server = Self.server()
        let device = try await EditingDevice(server)
        try await device.replica.sync()
        try await device.editor.edit(Self.shop, ["properties": ["name": "Mine"]])
        var updates = device.editor.updates().makeAsyncIterator()
        #expect(await updates.next()?.count == 1)
        server.change(Self.shop, ["properties": ["phone": "2"]])
        try await device.replica.sync()
        #expect(await updates.next()?.count == 1)
        let properties = try Self.body(try await device.editor.feature(Self.shop))["properties"]
        #expect(properties?["name"] == "Mine" && properties?["phone"] == "2")
        try await device.replica.close()
        while await updates.next() != nil {}
    }

    @Test func `an edit that is made while a change set is written is not rolled back with it`() async throws {
        let device = try await EditingDevice(Self.server())
        try await device.replica.sync()
        try await device.replica.close()

        let transport = ScriptedTransport()
        let busy = try await EditingDevice(transport, in: device.folder)
        let body = String(
            decoding: CanonicalJSON.data(.place(FeatureID(high: 1, low: 1), [:])), as: UTF8.self)
        let page = """
            {"about":{"country":null,"language":null,"time_zone":null},"complete":false,"cursor":"p",\
            "digest":"\(Digest(of: [UInt8]()))","from":1,"protocol":1,"to":2,"venue":"mall","levels":[
            {"digest":null,"kind":"changes","level_id":null,"ordinal":null,"features":[
            \(body)
            ],"removed":[]}]}

            """
        let (editor, shop) = (busy.editor, Self.shop)
        let (edits, sender) = AsyncStream.makeStream(of: Task<VenueEdit, any Error>.self)
        transport.reply([
            .init(body: Array(page.utf8)),
            .init(
                reset: 0,
                before: {
                    sender.yield(Task { try await editor.edit(shop, ["properties": ["name": "Mine"]]) })
                    for _ in 0..<2_000 { await Task.yield() }
                }),
        ])
        await #expect(throws: SyncError.self) { try await busy.replica.sync() }
        var tasks = edits.makeAsyncIterator()
        let edit = try #require(try await tasks.next()?.value)
        #expect(try await busy.editor.edits() == [edit])
        #expect(try await busy.replica.store.state().revision == 1)
        #expect(try await busy.replica.store.damagedLevels().isEmpty)
    }
}
