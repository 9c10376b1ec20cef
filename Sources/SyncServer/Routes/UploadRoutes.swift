import Hummingbird
import IMDF
import NIOCore
import RevisionStore
import SyncModel

/// Archives on their way in, and what became of them.
struct UploadRoutes {
    let live: Live
    let authorizer: Authorizer
    let largestArchive: Int64
    let queueLimits: QueueLimits

    private var store: RevisionStore { self.live.node.store }

    func add(to router: Router<VenueContext>) {
        router.post("venues/{venue}/uploads", use: self.receive)
        router.get("venues/{venue}/uploads", use: self.list)
        router.get("uploads/{id}", use: self.status)
        router.get("uploads/{id}/findings", use: self.findings)
    }

    /// `POST /venues/{venue}/uploads?publish=&message=&strict=&identity=&base=&create=`: the body is the zip.
    @Sendable func receive(_ request: Request, _ context: VenueContext) async throws -> Response {
        let venue = try Authorizer.venueKey(context)
        let (known, authorization) = try await self.authorizer.permit(request, context, to: .publish, at: venue)
        let query = QueryValues(request)
        let createsVenue = try query.flag("create", default: true)
        let options = try Self.options(query)
        let message = try query.message()
        try Self.checkType(request)
        try await self.checkVenue(venue, isMade: createsVenue, base: options.base)
        try await self.store.checkQueue(of: venue, author: authorization.author, limits: self.queueLimits)
        let archive = try await self.store(request, by: authorization, context)
        let upload = try await self.store.enqueue(
            UploadRequest(
                venue: venue, archive: archive, options: options, message: message, createsVenue: createsVenue,
                known: known),
            limits: self.queueLimits, by: authorization)
        var response = try await Response.json(self.store.upload(upload.id), status: .accepted)
            .cached("no-store", isPublic: false)
        response.headers[.location] = "/uploads/\(upload.id)"
        return response
    }

    /// Told before the body is sent, and again when the upload is queued.
    private func checkVenue(_ key: VenueKey, isMade: Bool, base: Int64?) async throws {
        guard !isMade || base != nil else { return }
        var head: Int64 = 0
        do {
            head = try await self.store.venue(key).head
        } catch StoreError.unknownVenue where isMade {
        } catch StoreError.venueGone {
            guard isMade else { throw Problem.venueNotFound }
        }
        if let base, base > head { throw StoreError.unknownRevision(base) }
    }

    private static func options(_ query: QueryValues) throws -> UploadOptions {
        let publish = try query.text("publish").map { text in
            guard let publish = Publishing(text) else {
                throw Problem.parameter("publish", "It takes now, hold, or a time such as 2031-04-01T09:00:00Z.")
            }
            return publish
        }
        let identity = try query.text("identity")
        guard identity.map({ VenueSetting.identity.accepts(.string($0)) }) ?? true else {
            throw Problem.parameter("identity", "It takes repair or trust.")
        }
        return UploadOptions(
            strict: try query.flag("strict"), identity: identity, base: try query.number("base", in: 0...Int64.max),
            publish: publish)
    }

    private static func checkType(_ request: Request) throws {
        let type = request.headers[.contentType]?.split(separator: ";").first?.lowercased()
        guard type == "application/zip" || type == "application/octet-stream" else {
            throw Problem(
                "unsupported-media-type", status: 415, title: "An upload is a zip",
                detail: "Send Content-Type application/zip or application/octet-stream.")
        }
    }

    /// Streams the body to the database; nothing is held but the chunk that is being filled.
    private func store(
        _ request: Request, by authorization: Authorization, _ context: VenueContext
    ) async throws -> StoredArchive {
        if let length = request.headers[.contentLength].flatMap({ Int64($0) }), length > self.largestArchive {
            throw self.tooLarge
        }
        var archive = try await self.store.beginArchive(by: authorization)
        do {
            var chunk: [UInt8] = []
            let pace = MinimumUploadRate()
            for try await buffer in request.body {
                chunk.append(contentsOf: buffer.readableBytesView)
                guard archive.bytes + Int64(chunk.count) <= self.largestArchive else { throw self.tooLarge }
                try pace.check(archive.bytes + Int64(chunk.count))
                if chunk.count >= RevisionStore.chunkSize {
                    try await context.decisions.confirm()
                    try await self.store.append(chunk, to: &archive)
                    chunk.removeAll(keepingCapacity: true)
                }
            }
            if !chunk.isEmpty { try await self.store.append(chunk, to: &archive) }
            try await context.decisions.confirm()
            guard archive.bytes > 0 else { throw Problem.body("it is empty, and should be a zip") }
            return try self.store.finish(archive)
        } catch {
            try? await self.store.abandon(archive)  // what stays behind is swept later
            throw error
        }
    }

    private var tooLarge: Problem {
        Problem(
            "too-large", status: 413, title: "The archive is too large", detail: "\(self.largestArchive) bytes at most."
        )
    }

    /// `GET /venues/{venue}/uploads?state=&limit=&before=`: the newest first.
    @Sendable func list(_ request: Request, _ context: VenueContext) async throws -> Response {
        let (venue, _) = try await self.authorizer.changeable(request, context)
        let query = QueryValues(request)
        let state = try query.text("state").map { text in
            guard let state = Upload.State(rawValue: text) else {
                throw Problem.parameter(
                    "state", "It takes one of \(Upload.State.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            return state
        }
        let limit = try query.limit(default: 50, most: 1_000)
        let before = try query.text("before").map { text in
            guard let id = FeatureID(text) else { throw Problem.parameter("before", "It takes an upload's id.") }
            return id
        }
        let uploads = try await self.store.uploads(of: venue.key, state: state, before: before, limit: limit + 1)
        var page = JSONPage()
        for upload in uploads.prefix(limit) { guard try page.append(upload) else { break } }
        let next =
            page.count == uploads.count
            ? nil
            : request.address(
                with: ["before": uploads[page.count - 1].id, "limit": "\(limit)"], at: "/venues/\(venue.key)/uploads")
        return try page.response("uploads", beside: NextPage(next: next)).cached("no-store", isPublic: false)
    }

    /// `GET /uploads/{id}?wait=30`: answers when the upload is finished or staged, or when time is up.
    @Sendable func status(_ request: Request, _ context: VenueContext) async throws -> Response {
        let seconds = try QueryValues(request).number("wait", in: 0...60) ?? 0
        var upload = try await self.visible(request, context)
        if seconds > 0, !upload.isSettled {
            upload = try await self.settled(Self.id(context), within: .seconds(seconds), context)
        }
        try await self.live.node.catchUp(with: upload)
        let words = ChangeDescriptions(store: self.store, language: request.preferredLanguage)
        return try await Response.json(words.told(upload)).cached("no-store", isPublic: false).toldByLanguage
    }

    /// The upload when nothing more happens to it by itself at once, or as it is when time is up.
    func settled(_ id: FeatureID, within patience: Duration, _ context: VenueContext) async throws -> Upload {
        let deadline = ContinuousClock.now + patience
        while true {
            let upload = try await self.store.upload(id)
            try await context.decisions.confirm()
            if upload.isSettled || ContinuousClock.now >= deadline || self.live.room.isClosed { return upload }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// What a page of findings says beside them.
    private struct FindingFrame: Encodable {
        let counts: [String: Int]
        let truncated: Bool
        /// Whether all of the rule book was run through.
        let complete: Bool
        @OrNull var ruleSet: String?
        /// Rules that could not look at everything.
        let skipped: JSONValue
        @OrNull var next: String?

        enum CodingKeys: String, CodingKey {
            case counts, truncated, complete, skipped, next
            case ruleSet = "rule_set"
        }
    }

    /// `GET /uploads/{id}/findings?severity=&rule=&limit=`
    @Sendable func findings(_ request: Request, _ context: VenueContext) async throws -> Response {
        let upload = try await self.visible(request, context)
        let query = QueryValues(request)
        let severity = try query.text("severity").map { text in
            guard let severity = Finding.Severity(rawValue: text) else {
                throw Problem.parameter("severity", "It takes error, warning or info.")
            }
            return severity
        }
        let limit = try query.limit(default: 100, most: 1_000)
        let after = try query.number("after", in: 0...Int64(Int32.max)) ?? 0
        let rule = try query.text("rule")
        guard rule?.utf8.contains(0) != true else { throw Problem.parameter("rule", "It takes a rule's name.") }
        let page = try await self.store.findings(
            of: Self.id(context), severity: severity, rule: rule, after: Int(after), limit: limit)
        var findings = JSONPage()
        var last: Int?
        for (number, finding) in page.findings {
            guard try findings.append(finding) else { break }
            last = number
        }
        let isLast = page.isLast && findings.count == page.findings.count
        let next =
            isLast
            ? nil
            : last.map { last in
                request.address(with: ["after": "\(last)", "limit": "\(limit)"], at: "/uploads/\(upload.id)/findings")
            }
        return try findings.response(
            "findings",
            beside: FindingFrame(
                counts: page.counts, truncated: page.isTruncated, complete: page.isComplete, ruleSet: page.ruleSet,
                skipped: page.skipped, next: next)
        ).cached("no-store", isPublic: false)
    }

    static func id(_ context: VenueContext) throws -> FeatureID {
        guard let id = context.parameters.get("id").flatMap(FeatureID.init) else { throw StoreError.unknownUpload }
        return id
    }

    /// The upload, if the caller may publish to its venue; else exactly what is told of one that does not exist.
    func visible(_ request: Request, _ context: VenueContext) async throws -> Upload {
        try await self.changeable(request, context).upload
    }

    func changeable(
        _ request: Request, _ context: VenueContext
    ) async throws -> (upload: Upload, authorization: Authorization) {
        let caller = try await self.authorizer.known(request, context)
        let upload = try await self.store.upload(Self.id(context), ofAnyOf: caller.venues)
        guard let role = caller.role, role >= .publish else { throw Problem.forbidden }
        return (upload, caller.authorization(for: .publish, at: upload.venue))
    }
}

extension Upload {
    /// Whether nothing more happens to it by itself at once.
    fileprivate var isSettled: Bool { self.state.isFinal || self.state == .staged }
}
