import HTTPTypes
import Hummingbird
import NIOCore
import RevisionStore
import SyncModel

/// Server-sent events: that there is a revision, never what is in it.
struct EventRoutes {
    let live: Live
    let authorizer: Authorizer

    func add(to router: Router<VenueContext>) {
        router.get("events", use: self.events)
    }

    /// A line that says nothing, so that both ends and all between see that the connection stands.
    private static let heartbeat = Duration.seconds(15)
    private static let silence = ByteBuffer(string: ":\n\n")

    /// `GET /events`: of every venue that the key may read, from now on, or from behind `Last-Event-ID` on.
    @Sendable func events(_ request: Request, _ context: VenueContext) async throws -> Response {
        let caller = try await self.authorizer.known(request, context)
        try await self.live.node.ensureFresh()
        let history = self.live.node.histories
        // Anything but a number is no id of ours, and counts as none; one that no revision can have is of another history.
        let last = request.headers[.lastEventID].flatMap { text in
            Int64(text) ?? (text.wholeMatch(of: /[0-9]+/) == nil ? nil : .max)
        }
        if let last, last > self.live.node.position { try await self.live.node.refresh() }
        if let last { try await self.check(last, of: history) }
        let start = last ?? self.live.node.position
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream"],
            body: ResponseBody { writer in
                var sink = StreamWriter(writer: writer)
                try await self.send(to: caller, after: start, of: history, &sink)
                try await sink.finish()
            }
        ).cached("no-store", isPublic: false)
    }

    /// Refuses an id of another history: there may be one after it here, too, but not what came between the two.
    private func check(_ last: Int64, of history: Int) async throws {
        if self.live.feed.end(of: history) == last { return }
        guard last >= 0, last <= self.live.node.position, try await self.live.node.store.containsPosition(last) else {
            throw StoreError.historyLost
        }
    }

    /// Sends until the key is revoked, the server stops, the client is gone, or the database is another copy, whose positions are
    /// others.
    private func send(
        to caller: Principal, after start: Int64, of history: Int, _ sink: inout StreamWriter
    ) async throws {
        var position = start
        try await sink.write(Self.silence)
        var isOver = false
        while !isOver, self.live.node.histories == history {
            let deadline = ContinuousClock.now + Self.heartbeat
            position = try await self.sendNew(to: caller, after: position, of: history, &sink)
            switch await self.live.room.wait(for: .revisions(of: history), after: position, until: deadline) {
            case .news: break
            case .timeUp: if self.authorizer.isStillKnown(caller) { try await sink.write(Self.silence) }
            case .closed: isOver = true
            }
            isOver = isOver || !self.authorizer.isStillKnown(caller)
        }
    }

    /// Returns the position up to which all is sent.
    private func sendNew(
        to caller: Principal, after position: Int64, of history: Int, _ sink: inout StreamWriter
    ) async throws -> Int64 {
        guard let end = self.live.feed.end(of: history), position < end else { return position }
        var position = position
        while !self.live.room.isClosed, self.authorizer.isStillKnown(caller),
            let behind = try await self.eventsBehind(position, end: end, of: history)
        {
            for event in behind where self.authorizer.reads(caller, event.venue) { try await sink.write(event.text) }
            position = behind.last?.position ?? end
        }
        for event in self.live.feed.events(after: position, of: history) ?? [] {
            if self.authorizer.reads(caller, event.venue) { try await sink.write(event.text) }
            position = event.position
        }
        return position
    }

    /// Events that the feed has no longer, read from the database; nil when the feed has all that follow.
    private func eventsBehind(
        _ position: Int64, end: Int64, of history: Int
    ) async throws -> [EventFeed.Event]? {
        guard position < end, self.live.feed.events(after: position, of: history) == nil,
            self.live.node.histories == history
        else { return nil }
        // Many at once are too much for the event loop.
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try await self.live.node.store.publications(after: position, limit: 500)
                .filter { $0.position <= end }.map(EventFeed.Event.init)
        }
    }
}

extension HTTPField.Name {
    static let lastEventID = HTTPField.Name("Last-Event-ID")!
}
