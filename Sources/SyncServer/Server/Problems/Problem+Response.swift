import HTTPTypes
import Hummingbird
import SyncModel

extension Problem {
    private static let mediaType = "application/problem+json"

    /// The problem document with more members than every problem has.
    func response(beside members: some Encodable) throws -> Response {
        try Response.json(
            Extended(problem: self, members: members), status: .init(code: self.status), type: Self.mediaType
        ).cached("no-store", isPublic: false)
    }

    func response() throws -> Response {
        var response = try Response.json(self, status: .init(code: self.status), type: Self.mediaType)
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

/// Encoded as one object.
private struct Extended<Members: Encodable>: Encodable {
    let problem: Problem
    let members: Members

    func encode(to encoder: any Encoder) throws {
        try self.problem.encode(to: encoder)
        try self.members.encode(to: encoder)
    }
}
