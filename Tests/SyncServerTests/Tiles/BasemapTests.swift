import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// What the page of a venue may load from other hosts: the basemap and the logo of its settings.
@Suite(.server)
struct BasemapTests {
    private static let venue = "/venues/mall"
    private static let tiles = "https://tiles.example.com:8443"
    private static let pictures = "https://pictures.example.com"

    /// The sources of a directive of the policy of a page, without `'self'`, `data:` and `blob:`; and the referrer policy.
    private func policy(_ path: String) async throws -> (images: [String], connections: [String], referrer: String?) {
        let response = try await Harness.current.send(.get, path, key: nil)
        try #require(response.status == .ok, "\(path): \(response.text)")
        let policy = try #require(response.headers[.contentSecurityPolicy])
        func sources(_ name: String) throws -> [String] {
            let directive = try #require(policy.split(separator: "; ").first { $0.hasPrefix("\(name) ") })
            return directive.split(separator: " ").dropFirst().map(String.init)
                .filter { !["'self'", "data:", "blob:"].contains($0) }
        }
        return (
            try sources("img-src"), try sources("connect-src"),
            response.headers[try #require(HTTPField.Name("Referrer-Policy"))]
        )
    }

    private func publishWithBasemap() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        try await harness.set(
            "basemap", to: ["tiles": .string("\(Self.tiles)/{z}/{x}/{y}.png"), "attribution": "© Example"])
        try await harness.set("appearance", to: ["logo": .string("\(Self.pictures)/logo.svg")])
    }

    @Test func `readers find the basemap in the venue, without its settings`() async throws {
        let harness = Harness.current
        try await self.publishWithBasemap()
        let key = try await harness.makeKey(.read, for: ["mall"])
        let venue = try await harness.send(.get, Self.venue, key: key).json
        #expect(venue["basemap"]?["attribution"] == "© Example" && venue["settings"] == nil)
        try await harness.set("basemap", to: nil)
        #expect(try await harness.send(.get, Self.venue, key: key).json["basemap"] == nil)
    }

    @Test func `the page that readers find in the venue may load what its settings name`() async throws {
        let harness = Harness.current
        try await self.publishWithBasemap()
        let page = try #require(try await harness.send(.get, Self.venue).json["page"]?.string)
        let both = try await self.policy(page)
        #expect(both.images == [Self.pictures, Self.tiles] && both.connections == [Self.tiles])
        #expect(both.referrer == "strict-origin")
        try await harness.set("basemap", to: ["style": "/basemap/style.json"])
        let without = try #require(try await harness.send(.get, Self.venue).json["page"]?.string)
        let logo = try await self.policy(without)
        #expect(logo.images == [Self.pictures] && logo.connections == [] && logo.referrer == "no-referrer")
        try await harness.set("appearance", to: nil)
        #expect(try await harness.send(.get, Self.venue).json["page"] == nil)
    }

    @Test(arguments: [false, true])
    func `nobody writes the address of a page that may load from other hosts`(isPublic: Bool) async throws {
        let harness = Harness.current
        try await self.publishWithBasemap()
        try await harness.set("public", to: .bool(isPublic))
        let page = try #require(try await harness.send(.get, Self.venue).json["page"]?.string)
        let code = try #require(page.split(separator: "code=").last)
        let usual = try await harness.send(.get, "/", key: nil)
        for path in [
            "/?venue=mall", "/?venue=mall&basemap=\(Self.tiles)", "/?venue=nowhere&basemap=\(Self.tiles)",
            "/?venue=mall&basemap=\(Self.tiles)&code=\(String(repeating: "0", count: 32))",
            "/?venue=nowhere&basemap=\(Self.tiles)&code=\(String(repeating: "0", count: 32))",
            page.replacing("venue=mall", with: "venue=other"), page.replacing("image=", with: "basemap="),
            page.replacing(Self.tiles, with: "https://other.example.com"), "\(page)0", String(page.dropLast()),
            "/?venue=mall&image=\(Self.pictures)&code=\(code)", "\(page)&basemap=https://other.example.com",
            "/?venue=mall&basemap=*&code=\(code)",
        ] + (isPublic ? [] : ["/embed/mall", "/embed/nowhere"]) {
            let response = try await harness.send(.get, path, key: nil)
            #expect(response.status == .ok && response.text == usual.text, "\(path)")
            for name in [HTTPField.Name.contentSecurityPolicy, .eTag, HTTPField.Name("Referrer-Policy")!] {
                #expect(response.headers[name] == usual.headers[name], "\(path): \(name)")
            }
        }
    }

    @Test func `the page of a public venue for frames may load all of its origins`() async throws {
        try await self.publishWithBasemap()
        try await Harness.current.set("public", to: true)
        let policy = try await self.policy("/embed/mall")
        #expect(policy.images == [Self.pictures, Self.tiles] && policy.connections == [Self.tiles])
        try await Harness.current.set("basemap", to: ["style": "/basemap/style.json"])
        #expect(try await self.policy("/embed/mall").connections == [])
    }

    @Test func `a basemap with a fault is refused with a JSON pointer`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        for (value, pointer) in [
            (["style": "http://example.com/style.json"], "“/style”"),
            (["tiles": "https://user:secret@example.com/{z}/{x}/{y}.png"], "“/tiles”"), ([:], "“”"),
        ] as [(JSONValue, String)] {
            let problem = try await harness.send(.patch, Self.venue, json: ["basemap": value]).problem(400, "\(value)")
            #expect(problem.detail?.contains(pointer) == true || problem.title.contains(pointer), "\(problem)")
        }
        let long = JSONValue.string(String(repeating: "x", count: 9 << 10))
        for value in [["attribution": long], "https://example.com/style.json", [], 1] as [JSONValue] {
            try await harness.send(.patch, Self.venue, json: ["basemap": value]).problem(
                400, "\(value)".prefix(50).description)
        }
        let publisher = try await harness.makeKey(.publish, for: ["mall"])
        try await harness.send(.patch, Self.venue, json: ["basemap": ["style": "/a"]], key: publisher).problem(403)
        #expect(try await harness.send(.get, Self.venue).json["basemap"] == nil)
    }
}
