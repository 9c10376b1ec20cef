import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

@Suite(.server)
struct AccessTests {
    private typealias Ask = (method: HTTPRequest.Method, path: String, json: JSONValue?)

    private static let feature = SampleVenue.tiny.features[0].id

    /// All requests that read a venue.
    private static func reads(of venue: String) -> [Ask] {
        [
            "", "/sync", "/revisions", "/revisions/1", "/revisions/1/features", "/revisions/1/archive.zip",
            "/diff?from=1&to=1", "/features/\(self.feature)", "/features/\(self.feature)/history",
            "/tiles/L0_18_0_0.png", "/tiles/0/18/0/0.mvt", "/tiles/0.json", "/tiles/changes?since=1",
            "/revisions/1/tiles/L0_18_0_0@2x.png",
        ].map { (.get, "/venues/\(venue)\($0)", nil) }
    }

    /// All requests that change a venue or show pending changes.
    private static func writes(of venue: String) -> [Ask] {
        [
            (.post, "/venues/\(venue)/uploads", nil), (.get, "/venues/\(venue)/uploads", nil),
            (.post, "/venues/\(venue)/rollback", ["to": 1]), (.patch, "/venues/\(venue)", ["public": true]),
            (.delete, "/venues/\(venue)", ["confirm": .string(venue)]),
            (.patch, "/venues/\(venue)/features/\(self.feature)", ["properties": [:]]),
            (.post, "/venues/\(venue)/edits", ["edits": [["hide": .string(self.feature.description)]]]),
            (.get, "/venues/\(venue)/overrides", nil), (.get, "/venues/\(venue)/overrides/\(self.feature)", nil),
            (.get, "/venues/\(venue)/overrides.geojson", nil), (.get, "/venues/\(venue)/overrides.csv", nil),
            (.delete, "/venues/\(venue)/overrides/\(self.feature)", [:]),
            (.post, "/venues/\(venue)/overrides/\(self.feature)/resolve", ["take": "mine"]),
        ]
    }

    private static func send(_ ask: Ask, to harness: Harness, key: String?) async throws -> TestResponse {
        guard let json = ask.json else {
            return try await harness.send(
                ask.method, ask.path, key: key, type: ask.method == .post ? "application/zip" : nil,
                body: ask.method == .post ? [80, 75] : [])
        }
        return try await harness.send(ask.method, ask.path, json: json, key: key)
    }

    @Test func `authorization: a request without a key, or with a wrong one, is answered 401 and discloses nothing`()
        async throws
    {
        let harness = Harness.current
        let upload = try await harness.push(SampleVenue.tiny.archive())
        let others: [Ask] = [
            (.get, "/venues", nil), (.get, "/uploads/\(upload.id)", nil),
            (.get, "/uploads/\(upload.id)/findings", nil),
            (.get, "/audit", nil), (.get, "/keys", nil),
            (.post, "/keys", ["name": "a", "role": "read", "venues": ["*"]]),
            (.delete, "/keys/\(Self.feature)", nil),
        ]
        for ask in Self.reads(of: "mall") + Self.writes(of: "mall") + Self.reads(of: "nowhere") + others {
            for key in [nil, "wrong", "vsk_\(Self.feature)_0"] as [String?] {
                let response = try await Self.send(ask, to: harness, key: key)
                try response.problem(401)
                #expect(response.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true, "\(ask)")
            }
        }
        #expect(try await harness.get(Venue.self, "/venues/mall").public == false)
    }

    @Test func `authorization: a malformed header counts as a wrong key`() async throws {
        let harness = Harness.current
        for header in [
            "", "Bearer", "Bearer ", "an admin's key", "Basic YW4gYWRtaW4ncyBrZXk=", "Token an admin's key",
            "Beareran admin's key", "Bearer an admin's key and more", ",", "Bearer , Bearer",
        ] as [String] {
            let response = try await harness.send(.get, "/venues", key: nil, headers: [.authorization: header])
            try response.problem(401, "\(header)")
        }
    }

    @Test func `authorization scheme is case-insensitive`() async throws {
        let harness = Harness.current
        for scheme in ["bearer", "BEARER"] {
            let headers: HTTPFields = [.authorization: "\(scheme) \(Harness.adminKey)"]
            let response = try await harness.send(.get, "/venues", key: nil, headers: headers)
            #expect(response.status == .ok, "\(scheme)")
        }
    }

    @Test(arguments: Role.allCases)
    func `venue outside of the key's scope is answered like one that does not exist`(role: Role) async throws {
        let harness = Harness.current
        let upload = try await harness.push(SampleVenue.tiny.archive())
        try await harness.push(SampleVenue.tiny.archive(), to: "deleted")
        #expect(
            try await harness.send(.delete, "/venues/deleted", json: ["confirm": "deleted"]).status.kind
                == .successful)
        try await harness.push([80, 75], to: "empty")
        let key = try await harness.makeKey(role, for: ["office"])
        for reference in Self.reads(of: "nowhere") + Self.writes(of: "nowhere") {
            let expected = try await Self.send(reference, to: harness, key: key).problem(404)
            for hidden in ["mall", "deleted", "empty"] {
                var ask = reference
                ask.path = ask.path.replacing("nowhere", with: hidden)
                if ask.method == .delete { ask.json = ["confirm": .string(hidden)] }
                #expect(try await Self.send(ask, to: harness, key: key).problem(404) == expected, "\(ask)")
            }
        }
        let unknown = try await harness.send(.get, "/uploads/\(Self.feature)", key: key).problem(404)
        #expect(try await harness.send(.get, "/uploads/\(upload.id)", key: key).problem(404) == unknown)
        let venues = try await harness.send(.get, "/venues", key: key)
        #expect(try venues.json["venues"]?.array?.isEmpty == true)
        #expect(try await harness.get(Venue.self, "/venues/mall").head == 1)
    }

    @Test func `venue without a revision is not found by readers of any role`() async throws {
        let harness = Harness.current
        #expect(try await harness.push([80, 75]).state == .rejected)
        for ask in Self.reads(of: "mall") {
            let expected = try await harness.send(
                .get, ask.path.replacing("mall", with: "nowhere")
            ).problem(404)
            #expect(try await Self.send(ask, to: harness, key: Harness.adminKey).problem(404) == expected, "\(ask)")
        }
    }

    @Test func `role includes the roles below it and nothing above`() async throws {
        let harness = Harness.current
        let upload = try await harness.push(SampleVenue.tiny.archive())
        let reader = try await harness.makeKey(.read, for: ["mall"])
        let publisher = try await harness.makeKey(.publish, for: ["mall"])
        let admin = try await harness.makeKey(.admin, for: ["mall"])
        for key in [reader, publisher, admin] {
            for ask in Self.reads(of: "mall") {
                #expect(try await Self.send(ask, to: harness, key: key).status == .ok, "\(ask)")
            }
        }
        let status: Ask = (.get, "/uploads/\(upload.id)", nil)
        for ask in Self.writes(of: "mall") + [status] {
            try await Self.send(ask, to: harness, key: reader).problem(403)
        }
        try await harness.send(.patch, "/venues/mall", json: ["public": true], key: publisher).problem(403)
        try await harness.send(.delete, "/venues/mall", json: ["confirm": "mall"], key: publisher).problem(403)
        for key in [reader, publisher] { try await harness.send(.get, "/keys", key: key).problem(403) }
        for key in [reader, publisher, admin] { try await harness.send(.get, "/audit", key: key).problem(403) }
        for key in [publisher, admin] {
            #expect(try await harness.send(.get, "/uploads/\(upload.id)", key: key).status == .ok)
            #expect(try await harness.push(SampleVenue.tiny.archive(), key: key).state == .unchanged)
            try await harness.send(.post, "/venues/mall/rollback", json: ["to": 1], key: key).problem(409)
        }
        #expect(
            try await harness.send(.patch, "/venues/mall", json: ["public": true], key: admin).status.kind
                == .successful)
    }

    @Test func `venue settings are shown to admins of the venue only`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        for role in Role.allCases {
            let key = try await harness.makeKey(role, for: ["mall"])
            let venue = try await harness.get(Venue.self, "/venues/mall", key: key)
            #expect((venue.settings != nil) == (role == .admin), "\(role)")
        }
    }
}
