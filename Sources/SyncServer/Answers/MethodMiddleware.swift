import HTTPTypes
import Hummingbird
import SyncModel

/// Tells a method that a path does not take (405, with `Allow`) from a path that leads nowhere.
struct MethodMiddleware: RouterMiddleware {
    typealias Context = VenueContext

    private let routes: [(path: RouterPath, method: HTTPRequest.Method)]

    init(routes: [(path: RouterPath, method: HTTPRequest.Method)]) {
        self.routes = routes
    }

    func handle(
        _ request: Request, context: VenueContext,
        next: @concurrent (Request, VenueContext) async throws -> Response
    ) async throws -> Response {
        var methods = Set(self.routes.filter { Self.leads($0.path, to: request.uri.path) }.map(\.method.rawValue))
        if methods.contains("GET") { methods.insert("HEAD") }
        // A path that takes the method and came here all the same leads nowhere: it was spelt as no route is.
        guard !methods.isEmpty, !methods.contains(request.method.rawValue) else {
            return try await next(request, context)
        }
        let allowed = methods.sorted().joined(separator: ", ")
        let problem = Problem(
            "method-not-allowed", status: 405, title: "The address does not take this method",
            detail: "It takes \(allowed).")
        var response = try problem.response()
        response.headers[.allow] = allowed
        return response
    }

    private static func leads(_ route: RouterPath, to path: String) -> Bool {
        let segments = path.split(separator: "/")
        for (index, element) in route.components.enumerated() {
            if element == .recursiveWildcard { return true }
            guard index < segments.count, element ~= segments[index] else { return false }
        }
        return route.components.count == segments.count
    }
}
