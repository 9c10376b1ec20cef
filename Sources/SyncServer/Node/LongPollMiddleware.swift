import Hummingbird
import SyncModel

/// Keeps those waiting who ask to be, outside of everything that works answers out: a route that has nothing to say yet throws
/// ``NoChangeYet``, and is asked again when there is news or time is up.
///
/// So whoever waits costs what it takes to know of it, and not the memory of all that was done to find nothing.
struct LongPollMiddleware: RouterMiddleware {
    typealias Context = VenueContext

    let room: LongPollRegistry

    @concurrent func handle(
        _ request: Request, context: VenueContext,
        next: @concurrent (Request, VenueContext) async throws -> Response
    ) async throws -> Response {
        guard request.uri.query?.contains("wait=") ?? false else { return try await next(request, context) }
        var context = context
        while true {
            do {
                return try await Self.answer(request, context, next)
            } catch let nothing as NoChangeYet {
                let deadline = context.wait.deadline ?? .now + nothing.patience
                context.wait.deadline = deadline
                let outcome = await self.room.wait(for: nothing.subject, after: nothing.news, until: deadline)
                context.wait.isOver = outcome != .news
            }
        }
    }

    /// In a task of its own, because a task keeps the memory of its deepest call as long as it lives.
    @concurrent private static func answer(
        _ request: Request, _ context: VenueContext,
        _ next: @concurrent (Request, VenueContext) async throws -> Response
    ) async throws -> Response {
        try await withoutActuallyEscaping(next) { next in
            // One task alone calls it, and is waited for.
            nonisolated(unsafe) let next = next
            async let response = next(request, context)
            return try await response
        }
    }
}

/// That a request which may wait has nothing to be told yet.
struct NoChangeYet: Error {
    let subject: LongPollRegistry.Subject
    /// The number of the news that were taken account of.
    let news: Int64
    /// How long the request is ready to wait from its beginning on.
    let patience: Duration
}

/// How far a request has got that waits.
struct Wait: Sendable {
    /// Nil before it has begun to wait.
    var deadline: ContinuousClock.Instant?
    /// Whether it is to be answered with what there is.
    var isOver = false
}

extension QueryValues {
    /// How long a request is ready to wait; nil when it wants its answer now.
    ///
    /// Who asks for more than ``longestWait`` gets an answer earlier than it thinks.
    func wait() throws -> Duration? {
        let seconds = min(try self.number("wait", in: 0...Int64.max) ?? 0, Self.longestWait)
        return seconds > 0 ? .seconds(seconds) : nil
    }

    /// Proxies and networks on the way give up on a silent connection after a minute.
    private static let longestWait: Int64 = 55
}
