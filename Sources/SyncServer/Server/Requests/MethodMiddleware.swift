import HTTPTypes
import Hummingbird
import SyncModel

/// Answers a request whose path has a route, but not for its method, with 405 and `Allow` instead of 404.
struct MethodMiddleware: RouterMiddleware {
    typealias Context = AppRequestContext

    private let routes: [(path: RouterPath, method: HTTPRequest.Method)]

    init(routes: [(path: RouterPath, method: HTTPRequest.Method)]) {
        self.routes = routes
    }

    func handle(
        _ request: Request, context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        let segments = request.uri.path.split(separator: "/")
        var methods = Set(self.routes.filter { Self.matches($0.path, segments) }.map(\.method.rawValue))
        if methods.contains("GET") { methods.insert("HEAD") }
        // If a route has the method, the router has rejected the path for another reason, such as its spelling.
        guard !methods.isEmpty, !methods.contains(request.method.rawValue) else {
            return try await next(request, context)
        }
        let allowed = methods.sorted().joined(separator: ", ")
        var response = try Problem.methodNotAllowed(allowed: allowed).response()
        response.headers[.allow] = allowed
        return response
    }

    private static func matches(_ route: RouterPath, _ segments: [Substring]) -> Bool {
        for (index, element) in route.components.enumerated() {
            if element == .recursiveWildcard { return true }
            guard index < segments.count, element ~= segments[index] else { return false }
        }
        return route.components.count == segments.count
    }
}
