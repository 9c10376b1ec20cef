import HTTPTypes
import Hummingbird
import IMDF
import RevisionStore
import SampleVenue
import SyncModel
import SyncServer
import TestSupport
import Testing

/// The authorizer over a read model, without HTTP.
@Suite(.database)
struct AuthorizerTests {
    private static let secret = "0123456789abcdef"

    private struct Fixture: Sendable {
        let authorizer: Authorizer
        let key: KeyID

        func principal(_ header: String?) async throws -> Principal {
            try await self.authorizer.principal(
                of: Request("/venues", headers: header.map { [.authorization: $0] } ?? [:]))
        }

        /// The header with the valid token of the key.
        var header: String { "Bearer vsk_\(self.key)_\(AuthorizerTests.secret)" }
    }

    /// An authorizer that knows one key.
    private func fixture(_ role: Role = .publish, for venues: [String]? = ["mall"]) async throws -> Fixture {
        let store = TestDatabase.current.store
        let key = try await store.addKey(
            .random(), name: "ops", role: role, venues: venues.map { Set($0.compactMap(VenueKey.init)) },
            secretHash: KeyHash(of: Self.secret).bytes, by: .ops)
        let authorizer = Authorizer(readModel: ReadModel(store: store), adminKey: KeyHash(of: Harness.adminKey))
        return Fixture(authorizer: authorizer, key: key.id)
    }

    /// The kind of a principal.
    private static func kind(_ principal: Principal) -> String {
        switch principal {
        case .anonymous: "anonymous"
        case .unknownKey: "unknown"
        case .key: "key"
        case .admin: "admin"
        }
    }

    @Test func `principal is anonymous, unknown, a key or the administrator`() async throws {
        let fixture = try await self.fixture()
        #expect(try await Self.kind(fixture.principal(nil)) == "anonymous")
        #expect(try await Self.kind(fixture.principal("Bearer \(Harness.adminKey)")) == "admin")
        #expect(try await Self.kind(fixture.principal(fixture.header)) == "key")
        let headers = [
            "", "Bearer", "Bearer x", "Basic \(Harness.adminKey)", "Bearer vsk_\(fixture.key)_0",
            "Bearer vsk_\(FeatureID.random())_\(Self.secret)", "\(fixture.header)0", Harness.adminKey,
        ]
        for header in headers { #expect(try await Self.kind(fixture.principal(header)) == "unknown", "\(header)") }
    }

    @Test func `principal has the role and the venues of its key`() async throws {
        let (mall, hall) = (try #require(VenueKey("mall")), try #require(VenueKey("hall")))
        let fixture = try await self.fixture(.admin)
        let principal = try await fixture.principal(fixture.header)
        #expect(principal.role == .admin && principal.name == "ops" && !principal.isForEveryVenue)
        #expect(principal.isFor(mall) && !principal.isFor(hall))
        #expect(principal.isAdmin(of: mall) && !principal.isAdmin(of: hall))
        let authorization = principal.authorization(for: .publish, at: mall)
        #expect(authorization.key == fixture.key && authorization.author == "ops")
        #expect(authorization.role == .publish && authorization.venue == mall)
        for principal in [try await fixture.principal(nil), try await fixture.principal("Bearer x")] {
            #expect(principal.role == nil && !principal.isFor(mall) && !principal.isForEveryVenue)
        }
        let admin = try await fixture.principal("Bearer \(Harness.adminKey)")
        #expect(admin.role == .admin && admin.isForEveryVenue && admin.isAdmin(of: hall))
        #expect(admin.authorization(for: .read, at: nil).key == nil)
    }

    @Test func `principal stays valid until its key changes`() async throws {
        let fixture = try await self.fixture()
        let principal = try await fixture.principal(fixture.header)
        #expect(fixture.authorizer.isStillValid(principal))
        try await TestDatabase.current.store.removeKey(fixture.key, by: .ops)
        _ = try await fixture.principal(fixture.header)  // reads the change
        #expect(!fixture.authorizer.isStillValid(principal))
    }

    @Test func `venue is readable by its keys, and by everybody when it is public`() async throws {
        let fixture = try await self.fixture(.read)
        let (mall, hall) = (try #require(VenueKey("mall")), try #require(VenueKey("hall")))
        try await Harness.run { harness in
            for venue in ["mall", "hall"] { try await harness.push(SampleVenue.tiny.archive(), to: venue) }
            let key = try await fixture.principal(fixture.header)
            let anonymous = try await fixture.principal(nil)
            #expect(fixture.authorizer.canRead(key, mall) && !fixture.authorizer.canRead(key, hall))
            #expect(!fixture.authorizer.canRead(anonymous, hall))
            try await harness.set("public", to: true, of: "hall")
            _ = try await fixture.principal(nil)  // reads the change
            #expect(fixture.authorizer.canRead(anonymous, hall) && fixture.authorizer.canRead(key, hall))
            #expect(!fixture.authorizer.canRead(key, try #require(VenueKey("nowhere"))))
        }
    }
}
