import HTTPTypes
import Hummingbird
import Logging
import RevisionStore
import SyncModel

/// Turns whatever goes wrong into `application/problem+json`. What is our fault is logged and told in general terms.
struct ProblemMiddleware: RouterMiddleware {
    typealias Context = VenueContext

    func handle(
        _ request: Request, context: VenueContext,
        next: @concurrent (Request, VenueContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            var response = try self.problem(of: error, in: context).response()
            if RevisionStore.isDiskFull(error) { response.headers[.retryAfter] = "30" }
            return response
        }
    }

    private func problem(of error: any Error, in context: VenueContext) -> Problem {
        if let problem = Problem(error) { return problem }
        if error is CancellationError { return Problem("cancelled", status: 503, title: "The request was given up") }
        context.logger.error("Request failed", metadata: ["error": "\(error)"])
        if RevisionStore.isDiskFull(error) {
            return Problem(
                "unavailable", status: 503, title: "The database has no room left",
                detail: "Nothing was stored. Send the same again when the operator has made room.")
        }
        if RevisionStore.isOutage(error) {
            return Problem(
                "unavailable", status: 503, title: "The database cannot be reached", detail: "Try again in a moment.")
        }
        return Problem("internal", status: 500, title: "Something went wrong on our side")
    }
}
