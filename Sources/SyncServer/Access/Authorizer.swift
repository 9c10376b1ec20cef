import HTTPTypes
package import Hummingbird
import IMDF
package import RevisionStore
package import SyncModel

/// Who is asking.
package enum Principal: Sendable {
    /// No key at all.
    case nobody
    /// A key that is none of ours.
    case stranger
    case key(KeyRecord)
    /// Whoever holds the key that the server was started with.
    case admin

    /// What is written into the log as the author of a revision.
    package var name: String {
        switch self {
        case .nobody, .stranger: ""
        case .key(let key): key.name
        case .admin: "admin"
        }
    }

    package var role: Role? {
        switch self {
        case .nobody, .stranger: nil
        case .key(let key): key.role
        case .admin: .admin
        }
    }

    /// Whether the caller's key is for every venue.
    package var seesEverything: Bool { self.venues == nil }

    package func isAdmin(of venue: VenueKey) -> Bool { self.role == .admin && self.sees(venue) }

    /// What the caller may do, for the store to check once more when it writes.
    package func authorization(for role: Role, at venue: VenueKey?) -> Authorization {
        let key: FeatureID? = if case .key(let record) = self { record.id } else { nil }
        return Authorization(key: key, author: self.name, role: role, venue: venue)
    }

    /// Those that the caller's key is for; nil for every venue.
    package var venues: Set<VenueKey>? {
        switch self {
        case .nobody, .stranger: []
        case .key(let key): key.venues
        case .admin: nil
        }
    }

    package func sees(_ venue: VenueKey) -> Bool { self.venues?.contains(venue) ?? true }
}

/// Decides who may do what: 401 without a key, 404 for what the key may not see (exactly as for what does not exist), 403 for what
/// it sees and may not change. Reading a public venue takes no key, and none is looked at.
package struct Authorizer: Sendable {
    let node: Node
    let adminKey: KeyHash?

    package init(node: Node, adminKey: KeyHash?) {
        self.node = node
        self.adminKey = adminKey
    }

    package func caller(of request: Request) async throws -> Principal {
        let authorization = request.headers[.authorization]
        try await self.node.ensureFresh()
        let caller = self.caller(with: authorization)
        guard case .stranger = caller, authorization.flatMap(Self.secret(in:)).flatMap(KeyToken.init) != nil else {
            return caller
        }
        // One that was made a moment ago at another node is not known here yet. A wrong secret takes the same time, or it would
        // tell that there is such a key.
        try await self.node.refresh()
        return self.caller(with: authorization)
    }

    /// Who is asking, as far as it is known here.
    private func caller(with authorization: String?) -> Principal {
        guard let authorization else { return .nobody }
        guard let secret = Self.secret(in: authorization) else { return .stranger }
        if self.isAdmin(secret) { return .admin }
        return KeyToken(secret).flatMap(self.holder(of:)).map { .key($0) } ?? .stranger
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

    /// Whether the key of a caller who was let in is still what it was.
    package func isStillKnown(_ caller: Principal) -> Bool {
        guard case .key(let key) = caller else { return true }
        return self.node.key(key.id) == key
    }

    /// Whether a caller may read a venue, and there is something to read.
    package func reads(_ caller: Principal, _ venue: VenueKey) -> Bool {
        guard let known = self.node.known(venue), !known.isDeleted, known.venue.head > 0 else { return false }
        return known.venue.settings.public || caller.sees(venue)
    }

    /// The caller, who must hold a key.
    func known(_ request: Request, _ context: VenueContext) async throws -> Principal {
        let caller = try await self.caller(of: request)
        guard caller.role != nil else { throw Problem.unauthorized }
        context.decisions.add {
            try await self.node.ensureFresh()
            guard self.isStillKnown(caller) else { throw Problem.unauthorized }
        }
        return caller
    }

    /// An admin of every venue.
    func admin(_ request: Request, _ context: VenueContext) async throws -> Authorization {
        let caller = try await self.known(request, context)
        guard caller.role == .admin, caller.seesEverything else { throw Problem.forbidden }
        return caller.authorization(for: .admin, at: nil)
    }

    /// A venue that the caller may read, and that has something to read.
    func readable(_ request: Request, _ context: VenueContext) async throws -> (venue: VenueRecord, caller: Principal) {
        let key = try Self.venueKey(context)
        let authorization = request.headers[.authorization]
        try await self.node.ensureFresh()
        var reading = self.reading(of: key, with: authorization)
        if case .failure(let error) = reading, error is Problem, context.mayLookUp {
            // It may have come a moment ago, or become public, or the key was made. That is looked up whatever the reason of the
            // refusal is, so that the time it takes does not tell which venues there are.
            try await self.node.refresh()
            reading = self.reading(of: key, with: authorization)
        }
        let answer = try reading.get()
        context.decisions.add {
            try await self.node.ensureFresh()
            _ = try self.reading(of: key, with: authorization).get()
        }
        return answer
    }

    /// What is known here of a venue, for somebody who wants to read it. Every refusal that hides whether the venue exists is a
    /// `Problem`.
    private func reading(
        of key: VenueKey, with authorization: String?
    ) -> Result<(venue: VenueRecord, caller: Principal), any Error> {
        let venue = self.find(key)
        switch venue {
        case .found(let record) where record.settings.public && record.head > 0: return .success((record, .nobody))
        case .gone(wasPublic: true): return .failure(StoreError.venueGone(key, wasPublic: true))
        default: break
        }
        let caller = self.caller(with: authorization)
        guard caller.role != nil else { return .failure(Problem.unauthorized) }
        guard caller.sees(key) else { return .failure(Problem.venueNotFound) }
        switch venue {
        case .found(let record) where record.head > 0: return .success((record, caller))
        case .found, .missing: return .failure(Problem.venueNotFound)
        case .gone(let wasPublic): return .failure(StoreError.venueGone(key, wasPublic: wasPublic))
        }
    }

    /// A venue that the caller may change, with or without a revision, and the permission for it.
    func changeable(
        _ request: Request, _ context: VenueContext, by role: Role = .publish
    ) async throws -> (venue: VenueRecord, authorization: Authorization) {
        let key = try Self.venueKey(context)
        let (venue, authorization) = try await self.permit(request, context, to: role, at: key)
        if let venue { return (venue, authorization) }
        if case .gone(let wasPublic) = self.find(key) { throw StoreError.venueGone(key, wasPublic: wasPublic) }
        throw Problem.venueNotFound
    }

    /// The venue of this key, which the caller may change, and the permission for it; nil when there is none. What is to be
    /// changed is looked at first.
    func permit(
        _ request: Request, _ context: VenueContext, to role: Role, at key: VenueKey
    ) async throws -> (venue: VenueRecord?, authorization: Authorization) {
        let header = request.headers[.authorization]
        guard header != nil else { throw Problem.unauthorized }
        try await self.node.refresh()
        let caller = self.caller(with: header)
        guard let own = caller.role else { throw Problem.unauthorized }
        let found = self.find(key)
        guard caller.sees(key), own >= role else {
            // It may not. Whether it may know that the venue exists is another question.
            switch found {
            case .found(let record) where record.settings.public && record.head > 0: throw Problem.forbidden
            case .found, .gone: throw caller.sees(key) ? Problem.forbidden : Problem.venueNotFound
            case .missing: throw Problem.venueNotFound
            }
        }
        context.decisions.add {
            try await self.node.ensureFresh()
            guard self.isStillKnown(caller) else { throw Problem.unauthorized }
        }
        let authorization = caller.authorization(for: role, at: key)
        if case .found(let record) = found { return (record, authorization) }
        return (nil, authorization)
    }

    static func venueKey(_ context: VenueContext) throws -> VenueKey {
        guard let text = context.parameters.get("venue"), let key = VenueKey(text) else { throw Problem.venueNotFound }
        return key
    }

    private enum Found {
        case found(VenueRecord)
        case missing
        case gone(wasPublic: Bool)
    }

    private func find(_ key: VenueKey) -> Found {
        guard let known = self.node.known(key) else { return .missing }
        return known.isDeleted ? .gone(wasPublic: known.venue.settings.public) : .found(known.venue)
    }
}
