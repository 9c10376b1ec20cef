import Compression
import HTTPTypes
import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// What changed since: the call that map apps poll.
struct SyncRoutes {
    let live: Live
    let authorizer: Authorizer

    /// As the router names the route.
    static let path = "/venues/{venue}/sync"

    func add(to router: Router<VenueContext>) {
        router.get(RouterPath(Self.path), use: self.sync)
    }

    /// `GET /venues/{venue}/sync?since=&level=&to=&limit=&wait=`
    @Sendable func sync(_ request: Request, _ context: VenueContext) async throws -> Response {
        // From before anything is known of the question: what is answered is kept under these, and is no older.
        let past = Past(news: self.live.node.confirmedChangeNumber, history: self.live.node.histories)
        let (venue, _) = try await self.authorizer.readable(request, context)
        let query = QueryValues(request)
        var question = try SyncQuery(query, of: venue, sealedBy: self.live.node.cursorSeal)
        let wait = try query.wait()
        if question.isAhead {
            try await self.live.node.refresh()
            question = try await self.asked(question, again: request, context)
        }
        for _ in 1..<Self.readings {
            do {
                return try await self.answer(to: question, after: past, waiting: wait, for: request, context)
            } catch let error as StoreError where error.invalidatesHead(of: question.venue) {
                // What was the newest revision here was followed by another one and pruned.
                try await self.live.node.refresh()
                question = try await self.asked(question, again: request, context)
            }
        }
        return try await self.answer(to: question, after: past, waiting: wait, for: request, context)
    }

    /// The same question about what is known now.
    private func asked(
        _ question: SyncQuery, again request: Request, _ context: VenueContext
    ) async throws -> SyncQuery {
        let venue = try await self.authorizer.readable(request, context).venue
        return question.asked(of: venue, sealedBy: self.live.node.cursorSeal)
    }

    /// What the node knew when a request came.
    private struct Past {
        let news: Node.Moment?
        let history: Int
    }

    /// Prunes that may come in between, again and again, before a request is given up.
    private static let readings = 5

    private func answer(
        to question: SyncQuery, after past: Past, waiting wait: Duration?, for request: Request,
        _ context: VenueContext
    ) async throws -> Response {
        do {
            guard question.isOfThisHistory else { throw StoreError.historyLost }
            let reply = try await self.live.replies.reply(
                to: question, of: past.history, in: .preferred(by: request.headers[.acceptEncoding]),
                from: self.live.node)
            guard let wait else {
                if let news = past.news { self.live.responseCache.keep(reply, for: request, news: news) }
                return try await reply.response(for: request).measured(for: request)
            }
            if !reply.isNews, question.to == nil, !context.wait.isOver {
                throw NoChangeYet(subject: .venue(question.venue.id), news: question.venue.changeNumber, patience: wait)
            }
            return try await reply.response(for: request).cached("no-store", isPublic: false).measured(for: request)
        } catch let error as StoreError where error.invalidatesCursor(of: question.venue) {
            return try await self.restart(of: question)
        }
    }

    /// A problem that says how to start over: what to hold in the end, and where each level is.
    private struct Restart: Encodable {
        struct Level: Encodable {
            @OrNull var level: FeatureID?
            let digest: IMDF.Digest
            let href: String

            enum CodingKeys: String, CodingKey {
                case digest, href
                case level = "level_id"
            }
        }

        let type: String
        let title: String
        let status: Int
        let detail: String?
        let to: Int64
        let cursor: Cursor
        let levels: [Level]
    }

    private func restart(of question: SyncQuery) async throws -> Response {
        let venue = question.venue
        let (to, cursor, levels) = try await self.live.node.revisions(of: venue).restart(
            of: venue, wanted: question.wanted)
        guard let problem = Problem(StoreError.historyLost) else { throw StoreError.historyLost }
        let restart = Restart(
            type: problem.type, title: problem.title, status: problem.status, detail: problem.detail, to: to,
            cursor: question.seal.sealed(cursor),
            levels: levels.map { state in
                let level = state.level?.description ?? LevelSelection.Name.venueWide.description
                return .init(
                    level: state.level, digest: state.digest,
                    href: "/venues/\(venue.key)/revisions/\(to)/features?level=\(level)"
                        + "&epoch=\(EpochToken(venue.epoch))")
            })
        return try Response.json(restart, status: .gone, type: "application/problem+json")
            .cached("no-store", isPublic: false)
    }
}
