import Foundation
import HTTPTypes
import IMDF
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

/// The audit log: who changed settings and keys.
@Suite(.server)
struct AuditTests {
    private struct Page: Decodable {
        let entries: [AuditEntry]
        let next: String?
    }

    private static func entries(_ harness: Harness, _ query: String = "") async throws -> [AuditEntry] {
        try await harness.get(Page.self, "/audit\(query)").entries
    }

    @Test func `audit log has the changes of settings with their values, and who made them`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let key = try await harness.makeKey(.admin, named: "ops", for: ["mall"])
        let changes: JSONValue = ["public": true, "keep_revisions": 7, "identity": "repair"]
        #expect(try await harness.send(.patch, "/venues/mall", json: changes, key: key).status == .ok)
        let entry = try #require(try await Self.entries(harness).first)
        #expect(entry.action == "settings_changed" && entry.author == "ops")
        #expect(entry.venue?.description == "mall" && entry.authorKey.map { key.contains($0) } == true)
        let settings = try #require(entry.detail.settings)
        // That the value is set which was set before is no change.
        #expect(settings.map(\.setting) == ["public", "keep_revisions"])
        #expect(settings.map(\.before) == [false, .null] && settings.map(\.after) == [true, 7])
    }

    @Test func `audit log has no entry when nothing changed, and none for a change that was refused`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.set("public", to: false)
        try await harness.send(.patch, "/venues/mall", json: ["public": true, "identity": "no"]).problem(400)
        try await harness.send(.delete, "/keys/\(KeyID.random())").problem(404)
        let venue = try await harness.store.venue(#require(VenueKey("mall")))
        var change = SettingsChange()
        change[.public] = true
        let lost = Authorization(key: .random(), author: "lost", role: .admin, venue: venue.key)
        await #expect(throws: StoreError.keyRevoked) { try await harness.store.change(change, of: venue, by: lost) }
        try await harness.store.delete(venue, by: .ops)
        await #expect(throws: StoreError.self) { try await harness.store.change(change, of: venue, by: .ops) }
        #expect(try await Self.entries(harness).map(\.action) == ["venue_deleted"])
    }

    @Test func `audit log has the deletion of a venue with the settings that it had`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.set("keep_revisions", to: 7)
        #expect(try await harness.send(.delete, "/venues/mall", json: ["confirm": "mall"]).status == .noContent)
        let entry = try #require(try await Self.entries(harness, "?venue=mall").first)
        #expect(entry.action == "venue_deleted" && entry.author == "admin" && entry.venue?.description == "mall")
        let kept = try #require(entry.detail.settings?.first { $0.setting == "keep_revisions" })
        #expect(kept.before == 7 && kept.after == .null)
    }

    @Test func `audit log has created and revoked keys without their secrets`() async throws {
        let harness = Harness.current
        let secret = try await harness.makeKey(.publish, named: "phones", for: ["mall"])
        let id = String(secret.split(separator: "_")[1])
        #expect(try await harness.send(.delete, "/keys/\(id)").status == .noContent)
        let response = try await harness.send(.get, "/audit")
        #expect(!response.text.contains(secret.split(separator: "_")[2]))
        let entries = try response.decoded(Page.self).entries
        #expect(entries.map(\.action) == ["key_revoked", "key_created"])
        for entry in entries {
            #expect(entry.author == "admin" && entry.authorKey == nil && entry.venue == nil)
            let key = try #require(entry.detail.key)
            #expect(key.id == id && key.name == "phones" && key.role == .publish && key.venues == ["mall"])
            #expect(key.secret == nil)
        }
        let rows = try await harness.store.pool.query("SELECT audit_entry::text FROM audit_entry").decode(String.self)
        #expect(rows.count == 2 && rows.allSatisfy { !$0.contains("sha256") })
    }

    @Test func `audit log excerpts long values`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let origins = (0..<50).map { JSONValue.string("https://site-\($0).example.com") }
        try await harness.set("embed_origins", to: .array(origins))
        let change = try #require(try await Self.entries(harness).first?.detail.settings?.first)
        let excerpt = try #require(change.after.string)
        #expect(excerpt.hasPrefix(#"["https://site-0.example.com","#) && excerpt.hasSuffix("…"))
        #expect(excerpt.utf8.count < 1_100)
    }

    @Test func `audit log is paged, and selected by venue`() async throws {
        let harness = Harness.current
        for venue in ["mall", "hall"] { try await harness.push(SampleVenue.tiny.archive(), to: venue) }
        for number in 1...5 {
            for venue in ["mall", "hall"] {
                try await harness.set("keep_revisions", to: .number(Double(number)), of: venue)
            }
        }
        let all = try await Self.entries(harness)
        #expect(all.map(\.id) == all.map(\.id).sorted(by: >) && all.count == 10)
        var (next, ids): (String?, [Int64]) = ("/audit?venue=mall&limit=2", [])
        while let path = next {
            let page = try await harness.get(Page.self, path)
            #expect(page.entries.count <= 2 && page.entries.allSatisfy { $0.venue?.description == "mall" })
            ids += page.entries.map(\.id)
            next = page.next
        }
        #expect(ids == all.filter { $0.venue?.description == "mall" }.map(\.id))
        #expect(try await Self.entries(harness, "?venue=nowhere").isEmpty)
    }

    @Test func `audit log keeps the entries of a deleted venue`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.set("public", to: true)
        try await harness.delete("mall")
        let actions = try await Self.entries(harness, "?venue=mall").map(\.action)
        #expect(actions == ["venue_deleted", "settings_changed"])
    }
}
