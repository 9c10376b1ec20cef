import HTTPTypes
import Hummingbird
import SyncModel

extension Problem {
    func response() throws -> Response {
        var response = try Response.json(self, status: .init(code: self.status), type: "application/problem+json")
        response.headers[.cacheControl] = "no-store"
        switch self.status {
        case 401: response.headers[.wwwAuthenticate] = "Bearer"
        case 429: response.headers[.retryAfter] = "10"
        case 503 where self.type == Problem.tooExpensive.type:
            response.headers[.retryAfter] = "\(WorkLimitReached.retryInterval.components.seconds)"
        case 503: response.headers[.retryAfter] = "1"
        default: break
        }
        return response
    }
}
