import HTTPTypes
import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// Who is asking.
enum Caller: Sendable {
    /// No key at all.
    case nobody
    /// A key that is none of ours.
    case stranger
    case key(KeyRecord)
    /// Whoever holds the key that the server was started with.
    case admin

    /// What is written into the log as the author of a revision.
    var name: String {
        switch self {
        case .nobody, .stranger: ""
        case .key(let key): key.name
        case .admin: "admin"
        }
    }

    var role: Role? {
        switch self {
        case .nobody, .stranger: nil
        case .key(let key): key.role
        case .admin: .admin
        }
    }

    /// Whether the caller's key is for every venue.
    var seesEverything: Bool {
        switch self {
        case .nobody, .stranger: false
        case .key(let key): key.venues == nil
        case .admin: true
        }
    }

    func sees(_ venue: VenueKey) -> Bool {
        switch self {
        case .nobody, .stranger: false
        case .key(let key): key.venues?.contains(venue) ?? true
        case .admin: true
        }
    }
}

/// Decides who may do what: 401 without a key, 404 for what the key may not see (exactly as for what does not exist), 403 for what
/// it sees and may not change. Reading a public venue takes no key, and none is looked at.
struct Gate: Sendable {
    let node: Node
    let adminKey: KeyHash?

    func caller(of request: Request) async throws -> Caller {
        guard let header = request.headers[.authorization] else { return .nobody }
        guard let secret = Self.secret(in: header) else { return .stranger }
        if self.isAdmin(secret) { return .admin }
        guard let token = KeyToken(secret) else { return .stranger }
        try await self.node.settle()
        // One that was made a moment ago at another node is not known here yet.
        if self.node.key(token.id) == nil { try await self.node.refresh() }
        return self.holder(of: token).map { .key($0) } ?? .stranger
    }

    /// Whether a header `Authorization` has a key that is known here to be right. One that was made a moment ago at another node
    /// is not yet.
    func knows(_ authorization: String) -> Bool {
        guard let secret = Self.secret(in: authorization) else { return false }
        return self.isAdmin(secret) || KeyToken(secret).map { self.holder(of: $0) != nil } ?? false
    }

    private static func secret(in header: String) -> String? {
        let words = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
    }

    private func isAdmin(_ secret: String) -> Bool {
        self.adminKey.map { KeyHash(of: secret).matches($0) } ?? false
    }

    private func holder(of token: KeyToken) -> KeyRecord? {
        guard let key = self.node.key(token.id), token.hash.matches(KeyHash(bytes: key.secretHash)) else { return nil }
        return key
    }

    /// Whether the key of a caller who was let in is still one.
    func isStillKnown(_ caller: Caller) -> Bool {
        guard case .key(let key) = caller else { return true }
        return self.node.key(key.id) != nil
    }

    /// Whether a caller may read a venue, and there is something to read.
    func reads(_ caller: Caller, _ venue: VenueKey) -> Bool {
        guard let known = self.node.known(venue), !known.isDeleted, known.venue.head > 0 else { return false }
        return known.venue.settings.public || caller.sees(venue)
    }

    /// The caller, who must hold a key.
    func known(_ request: Request) async throws -> Caller {
        let caller = try await self.caller(of: request)
        guard caller.role != nil else { throw Problem.unauthorized }
        return caller
    }

    func admin(_ request: Request) async throws -> Caller {
        let caller = try await self.known(request)
        guard caller.role == .admin, caller.seesEverything else { throw Problem.forbidden }
        return caller
    }

    /// A venue that the caller may read, and that has something to read.
    func readable(_ request: Request, _ context: VenueContext) async throws -> (venue: VenueRecord, caller: Caller) {
        let key = try Self.venueKey(context)
        try await self.node.settle()
        if self.find(key).isMissing { try await self.node.refresh() }
        let venue = self.find(key)
        switch venue {
        case .found(let record) where record.settings.public:
            guard record.head > 0 else { throw Problem.venueNotFound }
            return (record, .nobody)
        case .gone(wasPublic: true): throw StoreError.venueGone(key, wasPublic: true)
        default: break
        }
        let caller = try await self.known(request)
        guard caller.sees(key) else { throw Problem.venueNotFound }
        switch venue {
        case .found(let record) where record.head > 0: return (record, caller)
        case .found, .missing: throw Problem.venueNotFound
        case .gone(let wasPublic): throw StoreError.venueGone(key, wasPublic: wasPublic)
        }
    }

    /// A venue that the caller may change, with or without a revision.
    func changeable(
        _ request: Request, _ context: VenueContext, by role: Role = .publish
    ) async throws -> (venue: VenueRecord, caller: Caller) {
        let key = try Self.venueKey(context)
        let caller = try await self.permit(request, to: role, at: key)
        switch self.find(key) {
        case .found(let record): return (record, caller)
        case .missing: throw Problem.venueNotFound
        case .gone(let wasPublic): throw StoreError.venueGone(key, wasPublic: wasPublic)
        }
    }

    /// The caller, who may change the venue of this key whether it exists or not. What is to be changed is looked at first.
    func permit(_ request: Request, to role: Role, at key: VenueKey) async throws -> Caller {
        try await self.node.refresh()
        let caller = try await self.known(request)
        if caller.sees(key), let own = caller.role, own >= role { return caller }
        // It may not. Whether it may know that the venue exists is another question.
        switch self.find(key) {
        case .found(let record) where record.settings.public || caller.sees(key): throw Problem.forbidden
        case .gone where caller.sees(key): throw Problem.forbidden
        case .found, .missing, .gone: throw Problem.venueNotFound
        }
    }

    static func venueKey(_ context: VenueContext) throws -> VenueKey {
        guard let text = context.parameters.get("venue"), let key = VenueKey(text) else { throw Problem.venueNotFound }
        return key
    }

    private enum Found {
        case found(VenueRecord)
        case missing
        case gone(wasPublic: Bool)

        /// Whether there is nothing to read, unless it came a moment ago.
        var isMissing: Bool {
            switch self {
            case .found(let venue): venue.head == 0
            case .missing: true
            case .gone: false
            }
        }
    }

    private func find(_ key: VenueKey) -> Found {
        guard let known = self.node.known(key) else { return .missing }
        return known.isDeleted ? .gone(wasPublic: known.venue.settings.public) : .found(known.venue)
    }
}
