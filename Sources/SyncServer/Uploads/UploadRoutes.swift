import Hummingbird
import IMDF
import NIOCore
import RevisionPlanning
import RevisionStore
import SyncModel

/// Receives archives, and reports what became of them.
struct UploadRoutes: Sendable {
    let readModel: ReadModel
    let uploadWaiter: UploadWaiter
    let maxArchiveBytes: Int64
    let queueLimits: QueueLimits

    private var store: RevisionStore { self.readModel.store }

    func add(to routes: RouteGroups) {
        routes.uploaders.post("venues/{venue}/uploads", use: self.receive)
        routes.publishers.get("venues/{venue}/uploads", use: self.list)
        routes.uploads.get("uploads/{id}", use: self.status)
        routes.uploads.get("uploads/{id}/findings", use: self.findings)
    }

    /// `POST /venues/{venue}/uploads?publish=&message=&file_name=&strict=&identity=&ids=&base=&create=`: the body is the zip archive.
    @Sendable func receive(_ request: Request, _ context: UploaderContext) async throws -> Response {
        let access = context.permission
        let query = QueryValues(request)
        try query.refuseUnknown(
            except: ["publish", "message", "file_name", "strict", "identity", "ids", "base", "create"])
        let createsVenue = try query.flag("create", default: true)
        let options = try Self.options(query)
        let (message, fileName) = (try query.storedText("message"), try query.storedText("file_name"))
        try Self.checkType(request)
        try await self.checkVenue(access.key, isCreated: createsVenue, base: options.base)
        try await self.store.checkQueue(
            of: access.key, submitter: access.authorization.submitter, limits: self.queueLimits)
        let archive = try await self.receiveArchive(request, context)
        let upload = try await self.store.enqueue(
            UploadRequest(
                venue: access.key, archive: archive, options: options, message: message, fileName: fileName,
                createsVenue: createsVenue, known: access.venue),
            limits: self.queueLimits, by: access.authorization)
        var response = try await Response.json(self.store.upload(upload.id), status: .accepted)
            .cached("no-store", isPublic: false)
        response.headers[.location] = "/uploads/\(upload.id)"
        return response
    }

    /// Refuses before the body is sent what would be refused when the upload is queued.
    private func checkVenue(_ key: VenueKey, isCreated: Bool, base: Int64?) async throws {
        guard !isCreated || base != nil else { return }
        var head: Int64 = 0
        do {
            head = try await self.store.venue(key).head
        } catch StoreError.unknownVenue where isCreated {
        } catch StoreError.venueGone {
            guard isCreated else { throw Problem.venueNotFound }
        }
        if let base, base > head { throw StoreError.unknownRevision(base) }
    }

    private static func options(_ query: QueryValues) throws -> UploadOptions {
        let publish = try query.text("publish").map { text in
            guard let publish = Publishing(text) else {
                throw Problem.parameter("publish", "It must be now, hold, or a time such as 2031-04-01T09:00:00Z.")
            }
            return publish
        }
        let identity = try query.text("identity").map { text in
            guard let identity = Venue.Settings.Identity(rawValue: text) else {
                throw Problem.parameter("identity", "It must be \(VenueSetting.identity.valueDescription).")
            }
            return identity
        }
        let ids = try query.text("ids").map { text in
            guard let ids = ArchiveIDs(rawValue: text) else {
                throw Problem.parameter("ids", "It must be repair or strict.")
            }
            return ids
        }
        return UploadOptions(
            strict: try query.flag("strict"), identity: identity, base: try query.number("base", in: 0...Int64.max),
            publish: publish, ids: ids)
    }

    private static func checkType(_ request: Request) throws {
        let type = request.headers[.contentType]?.split(separator: ";").first?.lowercased()
        guard type == "application/zip" || type == "application/octet-stream" else {
            throw Problem.unsupportedMediaType
        }
    }

    /// Streams the body to where archives are stored. No more than one chunk of it, or one part of an object, is in memory.
    private func receiveArchive(_ request: Request, _ context: UploaderContext) async throws -> StoredArchive {
        if let length = request.headers[.contentLength].flatMap({ Int64($0) }), length > self.maxArchiveBytes {
            throw Problem.tooLarge(maxBytes: self.maxArchiveBytes)
        }
        let decisions = context.parent.accessDecisions
        var archive = try await self.store.beginArchive(by: context.permission.authorization)
        do {
            var chunk: [UInt8] = []
            let rate = MinimumUploadRate()
            for try await buffer in request.body {
                chunk.append(contentsOf: buffer.readableBytesView)
                let bytes = archive.bytes + Int64(chunk.count)
                guard bytes <= self.maxArchiveBytes else { throw Problem.tooLarge(maxBytes: self.maxArchiveBytes) }
                try rate.check(bytes)
                if chunk.count >= RevisionStore.chunkSize {
                    try await decisions.confirm()
                    try await self.store.append(chunk, to: &archive)
                    chunk.removeAll(keepingCapacity: true)
                }
            }
            if !chunk.isEmpty { try await self.store.append(chunk, to: &archive) }
            try await decisions.confirm()
            guard archive.bytes > 0 else { throw Problem.body("it is empty; a zip archive is expected") }
            return try await self.store.finish(archive)
        } catch {
            // If this fails, a worker deletes the archive later.
            try? await self.store.abandon(archive)
            throw error
        }
    }

    /// `GET /venues/{venue}/uploads?state=&limit=&before=`: the newest first.
    @Sendable func list(_ request: Request, _ context: PublisherContext) async throws -> Response {
        let venue = context.venue
        let query = QueryValues(request)
        let state = try query.text("state").map { text in
            guard let state = Upload.State(rawValue: text) else {
                throw Problem.parameter(
                    "state", "It must be one of \(Upload.State.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            return state
        }
        let limit = try query.limit(default: 50, max: 1_000)
        let before = try query.text("before").map { text in
            guard let id = UploadID(text) else { throw Problem.parameter("before", "It must be the id of an upload.") }
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

    /// `GET /uploads/{id}?wait=30`: responds when the upload is finished or staged, or after the timeout.
    @Sendable func status(_ request: Request, _ context: UploadContext) async throws -> Response {
        let seconds = try QueryValues(request).number("wait", in: 0...60) ?? 0
        var upload = context.upload
        if seconds > 0, !upload.isSettled {
            upload = try await self.uploadWaiter.settled(
                context.id, within: .seconds(seconds), context.parent.accessDecisions)
        }
        try await self.readModel.catchUp(with: upload)
        let describer = ChangeDescriber(store: self.store, language: request.preferredLanguage)
        return try await Response.json(describer.described(upload)).cached("no-store", isPublic: false)
            .varying(by: .acceptLanguage)
    }

    /// What a page of findings has beside them.
    private struct FindingFrame: Encodable {
        let counts: [String: Int]
        let truncated: Bool
        /// Whether the whole rule book was applied.
        let complete: Bool
        @OrNull var edition: String?
        /// Rules that could not check everything.
        let skipped: [SkippedRule]
        @OrNull var next: String?

        enum CodingKeys: String, CodingKey {
            case counts, truncated, complete, skipped, next
            case edition = "rule_set"
        }
    }

    /// `GET /uploads/{id}/findings?severity=&rule=&limit=`
    @Sendable func findings(_ request: Request, _ context: UploadContext) async throws -> Response {
        let query = QueryValues(request)
        let severity = try query.text("severity").map { text in
            guard let severity = Finding.Severity(rawValue: text) else {
                throw Problem.parameter("severity", "It must be error, warning or info.")
            }
            return severity
        }
        let limit = try query.limit(default: 100, max: 1_000)
        let after = try query.number("after", in: 0...Int64(Int32.max)) ?? 0
        let rule = try query.text("rule")
        guard rule?.utf8.contains(0) != true else { throw Problem.parameter("rule", "It must be the name of a rule.") }
        let page = try await self.store.findings(
            of: context.id, severity: severity, rule: rule, after: Int(after), limit: limit)
        var findings = JSONPage()
        var last: Int?
        for (number, finding) in page.findings {
            guard try findings.append(finding) else { break }
            last = number
        }
        let isLast = page.isLast && findings.count == page.findings.count
        let address = "/uploads/\(context.upload.id)/findings"
        let next =
            isLast
            ? nil : last.map { request.address(with: ["after": "\($0)", "limit": "\(limit)"], at: address) }
        return try findings.response(
            "findings",
            beside: FindingFrame(
                counts: page.counts, truncated: page.isTruncated, complete: page.isComplete, edition: page.edition,
                skipped: page.skipped, next: next)
        ).cached("no-store", isPublic: false)
    }
}
