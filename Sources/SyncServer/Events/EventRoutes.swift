import HTTPTypes
import Hummingbird
import NIOCore
import RevisionStore
import SyncModel

/// Server-sent events about new revisions, without their content.
struct EventRoutes: Sendable {
    let readModel: ReadModel
    let authorizer: Authorizer
    let eventFeed: EventFeed
    let longPolls: LongPolls

    func add(to routes: RouteGroups) {
        routes.keyHolders.get("events", use: self.events)
    }

    /// The interval of comment lines, which show both ends and all proxies that the connection is alive.
    private static let heartbeat = Duration.seconds(15)
    private static let comment = ByteBuffer(string: ":\n\n")

    /// `GET /events`: events of every venue that the key may read, from now on or after `Last-Event-ID`.
    @Sendable func events(_ request: Request, _ context: KeyHolderContext) async throws -> Response {
        let principal = context.permission
        try await self.readModel.ensureFresh()
        let generation = self.readModel.generation
        // Anything but a number is not an id of this server and is ignored. A number that is too large is of another history.
        let last = request.headers[.lastEventID].flatMap { text in
            Int64(text) ?? (text.wholeMatch(of: /[0-9]+/) == nil ? nil : .max)
        }
        if let last, last > self.readModel.cataloguePosition { try await self.readModel.refresh() }
        if let last { try await self.check(last, of: generation) }
        let start = last ?? self.readModel.cataloguePosition
        let connection = context.parent.connection
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream"],
            body: ResponseBody { writer in
                var stream = StreamWriter(writer: writer)
                try await self.send(to: principal, over: connection, after: start, of: generation, &stream)
                try await stream.finish()
            }
        ).cached("no-store", isPublic: false)
    }

    /// Refuses an id of another history. This history may have a revision with the same number, but not those that came before it.
    private func check(_ last: Int64, of generation: Int) async throws {
        if self.eventFeed.end(of: generation) == last { return }
        guard last >= 0, last <= self.readModel.cataloguePosition, try await self.readModel.store.containsPosition(last)
        else {
            throw StoreError.historyLost
        }
    }

    /// Sends events until the key is revoked, the server stops, the client disconnects or another generation begins.
    private func send(
        to principal: Principal, over connection: DisconnectHandler?, after start: Int64, of generation: Int,
        _ stream: inout StreamWriter
    ) async throws {
        var position = start
        try await stream.write(Self.comment)
        var isOver = false
        while !isOver, self.readModel.generation == generation {
            let deadline = ContinuousClock.now + Self.heartbeat
            position = try await self.sendNew(
                to: principal, over: connection, after: position, of: generation, &stream)
            let outcome = await self.longPolls.waitForChange(
                of: .revisions(generation: generation), after: position, until: deadline,
                with: principal.keyID)
            switch outcome {
            case .changed: break
            case .timedOut: if self.authorizer.isStillValid(principal) { try await stream.write(Self.comment) }
            case .closed: isOver = true
            }
            isOver = isOver || !self.authorizer.isStillValid(principal)
        }
    }

    /// - Returns: The position up to which all events were sent.
    private func sendNew(
        to principal: Principal, over connection: DisconnectHandler?, after position: Int64, of generation: Int,
        _ stream: inout StreamWriter
    ) async throws -> Int64 {
        guard let end = self.eventFeed.end(of: generation), position < end else { return position }
        var position = position
        while !self.longPolls.isClosed, self.authorizer.isStillValid(principal),
            let stored = try await self.storedEvents(after: position, end: end, of: generation, for: connection)
        {
            for event in stored where self.authorizer.canRead(principal, event.venue) {
                try await stream.write(event.text)
            }
            position = stored.last?.position ?? end
        }
        for event in self.eventFeed.events(after: position, of: generation) ?? [] {
            if self.authorizer.canRead(principal, event.venue) { try await stream.write(event.text) }
            position = event.position
        }
        return position
    }

    /// Events that are no longer in the feed, from the database; nil when the feed has all that follow. There may be many that the key may
    /// not read: then nothing is written for a long time, which would tell that the client has left.
    private func storedEvents(
        after position: Int64, end: Int64, of generation: Int, for connection: DisconnectHandler?
    ) async throws -> [EventFeed.Event]? {
        guard position < end, self.eventFeed.events(after: position, of: generation) == nil,
            self.readModel.generation == generation
        else { return nil }
        return try await connection.cancelOnDisconnect {
            try await self.readModel.store.publications(after: position, limit: 500)
                .filter { $0.position <= end }.map(EventFeed.Event.init)
        }
    }
}

extension HTTPField.Name {
    static let lastEventID = HTTPField.Name("Last-Event-ID")!
}
