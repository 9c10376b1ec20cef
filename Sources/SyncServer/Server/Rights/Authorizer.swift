import Foundation
import HTTPTypes
package import Hummingbird
import IMDF
import RevisionStore
package import SyncModel

/// Decides what a request may do.
///
/// - 401 without a valid key;
/// - 404 for a venue that the key is not for, exactly as for a venue that does not exist;
/// - 403 for an operation that the role of the key does not include;
/// - 503 when the database has not confirmed for too long what the request may do; see ``UnconfirmedLimits``.
///
/// Reading a public venue takes no key, and a key that is sent is not checked.
package struct Authorizer: Sendable {
    let readModel: ReadModel
    let adminKey: KeyHash?

    package init(readModel: ReadModel, adminKey: KeyHash?) {
        self.readModel = readModel
        self.adminKey = adminKey
    }

    // MARK: - Principals

    package func principal(of request: Request) async throws -> Principal {
        let authorization = request.headers[.authorization]
        try await self.readModel.ensureFresh()
        if authorization != nil { try self.readModel.requireConfirmation(forPublic: false) }
        let principal = self.principal(for: authorization)
        guard case .unknownKey = principal, authorization.flatMap(Self.secret(in:)).flatMap(KeyToken.init) != nil else {
            return principal
        }
        // Another node may just have created the key. A wrong secret takes the same time, so that the time does not reveal
        // whether the key exists.
        try await self.readModel.refresh()
        return self.principal(for: authorization)
    }

    /// The principal of a header field `Authorization`, by the read model.
    private func principal(for authorization: String?) -> Principal {
        guard let authorization else { return .anonymous }
        guard let secret = Self.secret(in: authorization) else { return .unknownKey }
        if self.isAdminKey(secret) { return .admin }
        return KeyToken(secret).flatMap(self.record(of:)).map { .key($0) } ?? .unknownKey
    }

    /// Whether a header field `Authorization` has a key that the read model knows. A key that another node has just created is
    /// not known yet.
    func isKnownKey(_ authorization: String) -> Bool {
        guard let secret = Self.secret(in: authorization) else { return false }
        return self.isAdminKey(secret) || KeyToken(secret).map { self.record(of: $0) != nil } ?? false
    }

    private static func secret(in header: String) -> String? {
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
    }

    private func isAdminKey(_ secret: String) -> Bool {
        self.adminKey.map { KeyHash(of: secret).matches($0) } ?? false
    }

    private func record(of token: KeyToken) -> KeyRecord? {
        guard let key = self.readModel.key(token.id), token.hash.matches(KeyHash(bytes: key.secretHash)) else {
            return nil
        }
        self.readModel.noteUse(of: key.id)
        return key
    }

    /// Whether the key of an authorized principal has not been changed or revoked since, as the database has confirmed recently.
    package func isStillValid(_ principal: Principal) -> Bool {
        guard self.readModel.isConfirmed(forPublic: false) else { return false }
        guard case .key(let key) = principal else { return true }
        guard self.readModel.key(key.id) == key else { return false }
        // For streams, which are authorized in no other way meanwhile.
        self.readModel.noteUse(of: key.id)
        return true
    }

    private func confirmLater(_ principal: Principal, in context: AppRequestContext) {
        context.accessDecisions.add {
            try await self.readModel.ensureFresh()
            try self.readModel.requireConfirmation(forPublic: false)
            guard self.isStillValid(principal) else { throw Problem.unauthorized }
        }
    }

    // MARK: - Any venue

    /// The principal of a request that takes a valid key.
    func keyHolder(_ request: Request, _ context: AppRequestContext) async throws -> Principal {
        let principal = try await self.principal(of: request)
        guard principal.role != nil else { throw Problem.unauthorized }
        self.confirmLater(principal, in: context)
        return principal
    }

    /// The permission of an administrator of every venue.
    func admin(_ request: Request, _ context: AppRequestContext) async throws -> Authorization {
        let principal = try await self.keyHolder(request, context)
        guard principal.role == .admin, principal.isForEveryVenue else { throw Problem.forbidden }
        return principal.authorization(for: .admin, at: nil)
    }

    /// An upload that the principal may change. For anybody else it does not exist.
    func upload(_ request: Request, _ context: AppRequestContext) async throws -> UploadAccess {
        let principal = try await self.keyHolder(request, context)
        guard let id = context.parameters.get("id").flatMap(UploadID.init) else { throw StoreError.unknownUpload }
        let upload = try await self.readModel.store.upload(id, ofAnyOf: principal.venues)
        guard principal.mayPublish else { throw Problem.forbidden }
        return UploadAccess(
            id: id, upload: upload, authorization: principal.authorization(for: .publish, at: upload.venue))
    }

    // MARK: - Reading the venue of the path

    /// Whether a principal may read a venue that has a revision.
    package func canRead(_ principal: Principal, _ venue: VenueKey) -> Bool {
        guard let entry = self.readModel.entry(for: venue), !entry.isDeleted, entry.venue.head > 0 else { return false }
        return entry.venue.settings.public || principal.isFor(venue)
    }

    func reader(_ request: Request, _ context: AppRequestContext) async throws -> ReadAccess {
        let key = try Self.venueKey(context)
        let authorization = request.headers[.authorization]
        let version = self.readModel.confirmedVersion
        let generation = self.readModel.generation
        try await self.readModel.ensureFresh()
        var result = self.readable(key, with: authorization)
        if case .failure(let error) = result, error is Problem, context.mayLookUpKeys {
            // Another node may just have created the venue, made it public or created the key. The read model is refreshed
            // whatever the reason is, so that the time does not reveal which venues exist.
            try await self.readModel.refresh()
            result = self.readable(key, with: authorization)
        }
        let (venue, principal) = try result.get()
        context.accessDecisions.add {
            try await self.readModel.ensureFresh()
            _ = try self.readable(key, with: authorization).get()
        }
        return ReadAccess(
            venue: venue, principal: principal, generation: generation, version: self.readModel.unchanged(version))
    }

    /// Like ``reader(_:_:)``, also with a tile token in the query. A request with a key is authorized by the key.
    func tileReader(_ request: Request, _ context: AppRequestContext) async throws -> ReadAccess {
        guard request.headers[.authorization] == nil, let text = try QueryValues(request).text("token") else {
            return try await self.reader(request, context)
        }
        let key = try Self.venueKey(context)
        let (version, generation) = (self.readModel.confirmedVersion, self.readModel.generation)
        try await self.readModel.ensureFresh()
        var venue = try self.venue(key, for: text)
        if venue == nil, context.mayLookUpKeys {
            // Another node may just have created the venue or the key.
            try await self.readModel.refresh()
            venue = try self.venue(key, for: text)
        }
        guard let venue else { throw Problem.tileTokenInvalid }
        context.accessDecisions.add(dependsOnTime: true) {
            try await self.readModel.ensureFresh()
            guard try self.venue(key, for: text) != nil else { throw Problem.tileTokenInvalid }
        }
        return ReadAccess(
            venue: venue, principal: .anonymous, generation: generation, version: self.readModel.unchanged(version))
    }

    /// The venue that a tile token permits to read; nil if it does not.
    private func venue(_ key: VenueKey, for text: String) throws -> VenueRecord? {
        guard case .found(let venue) = self.lookUp(key), venue.head > 0,
            let token = ReadToken(
                text, for: .tiles(venue), adminKey: self.adminKey, sealedBy: self.readModel.cursorSeal),
            token.isValid(at: Date())
        else { return nil }
        if token.isAnonymous {
            guard venue.settings.public else { return nil }
        } else if let id = token.key {
            guard let record = self.readModel.key(id), record.venues?.contains(key) ?? true else { return nil }
            self.readModel.noteUse(of: id)
        }
        try self.readModel.requireConfirmation(forPublic: venue.settings.public)
        return venue
    }

    /// The venue in the read model. Every refusal that hides whether the venue exists is a `Problem`.
    private func readable(
        _ key: VenueKey, with authorization: String?
    ) -> Result<(venue: VenueRecord, principal: Principal), any Error> {
        let lookup = self.lookUp(key)
        switch lookup {
        case .found(let record) where record.settings.public && record.head > 0:
            guard self.readModel.isConfirmed(forPublic: true) else { return .failure(UnconfirmedState()) }
            return .success((record, .anonymous))
        case .deleted(wasPublic: true): return .failure(StoreError.venueGone(key, wasPublic: true))
        default: break
        }
        // Before the key is looked at, so that the response reveals neither whether the key nor whether the venue exists.
        guard self.readModel.isConfirmed(forPublic: false) else { return .failure(UnconfirmedState()) }
        let principal = self.principal(for: authorization)
        guard principal.role != nil else { return .failure(Problem.unauthorized) }
        guard principal.isFor(key) else { return .failure(Problem.venueNotFound) }
        switch lookup {
        case .found(let record) where record.head > 0: return .success((record, principal))
        case .found, .missing: return .failure(Problem.venueNotFound)
        case .deleted(let wasPublic): return .failure(StoreError.venueGone(key, wasPublic: wasPublic))
        }
    }

    /// Whether a reader may know who changes the venue and why: the names of keys and the messages are for those who may publish.
    func seesAuthors(_ request: Request, _ context: ReaderContext) async throws -> Bool {
        // During an outage, readers of a public venue get what anybody gets.
        guard request.headers[.authorization] != nil, self.readModel.isConfirmed(forPublic: false) else { return false }
        let principal = try await self.principal(of: request)
        guard principal.mayPublish, principal.isFor(context.venue.key) else { return false }
        self.confirmLater(principal, in: context.parent)
        return true
    }

    /// Whether a reader may know the settings of the venue, which are for its administrators.
    func seesSettings(_ request: Request, _ context: ReaderContext) async throws -> Bool {
        let venue = context.venue
        guard venue.settings.public else { return context.permission.principal.isAdmin(of: venue.key) }
        // As for authors. Reading a public venue takes no key, so the one that was sent is checked here.
        guard request.headers[.authorization] != nil, self.readModel.isConfirmed(forPublic: false) else { return false }
        let principal = try await self.principal(of: request)
        guard principal.isAdmin(of: venue.key) else { return false }
        self.confirmLater(principal, in: context.parent)
        return true
    }

    // MARK: - Changing the venue of the path

    /// A venue that exists, with or without a revision, and the permission to change it.
    func writer(_ request: Request, _ context: AppRequestContext, _ role: Role) async throws -> WriteAccess {
        let access = try await self.uploader(request, context, role)
        if let venue = access.venue { return WriteAccess(venue: venue, authorization: access.authorization) }
        if case .deleted(let wasPublic) = self.lookUp(access.key) {
            throw StoreError.venueGone(access.key, wasPublic: wasPublic)
        }
        throw Problem.venueNotFound
    }

    /// The permission to change a venue that need not exist yet. The read model is refreshed first.
    func uploader(
        _ request: Request, _ context: AppRequestContext, _ role: Role = .publish
    ) async throws -> UploaderAccess {
        let key = try Self.venueKey(context)
        let header = request.headers[.authorization]
        guard header != nil else { throw Problem.unauthorized }
        try await self.readModel.refresh()
        let principal = self.principal(for: header)
        guard let ownRole = principal.role else { throw Problem.unauthorized }
        let lookup = self.lookUp(key)
        guard principal.isFor(key), ownRole >= role else {
            // Refused. The problem depends on whether the principal may know that the venue exists.
            switch lookup {
            case .found(let record) where record.settings.public && record.head > 0: throw Problem.forbidden
            case .found, .deleted: throw principal.isFor(key) ? Problem.forbidden : Problem.venueNotFound
            case .missing: throw Problem.venueNotFound
            }
        }
        self.confirmLater(principal, in: context)
        let authorization = principal.authorization(for: role, at: key)
        let venue: VenueRecord? = if case .found(let record) = lookup { record } else { nil }
        return UploaderAccess(key: key, venue: venue, authorization: authorization)
    }

    private static func venueKey(_ context: AppRequestContext) throws -> VenueKey {
        guard let text = context.parameters.get("venue"), let key = VenueKey(text) else { throw Problem.venueNotFound }
        return key
    }

    private enum Lookup {
        case found(VenueRecord)
        case missing
        case deleted(wasPublic: Bool)
    }

    private func lookUp(_ key: VenueKey) -> Lookup {
        guard let entry = self.readModel.entry(for: key) else { return .missing }
        return entry.isDeleted ? .deleted(wasPublic: entry.venue.settings.public) : .found(entry.venue)
    }
}
