import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import RevisionStore
import SyncModel

extension Problem {
    static let unauthorized = Problem(
        "unauthorized", status: 401, title: "A key is needed",
        detail: "Send Authorization: Bearer <key>, with a key of this server.")
    static let forbidden = Problem(
        "forbidden", status: 403, title: "This key may not do that", detail: "Its role does not reach so far.")
    static let venueNotFound = Problem(
        "venue-not-found", status: 404, title: "There is no such venue",
        detail: "Either it does not exist, or this key may not see it, or nothing was published yet.")
    static let busy = Problem(
        "busy", status: 503, title: "Too many requests of this kind are in progress", detail: "Try again in a moment.")
    static let notFound = Problem("not-found", status: 404, title: "There is nothing here")

    static let incompleteDatabase = Problem(
        "unavailable", status: 503, title: "The database is incomplete",
        detail: "A part of it is missing, as while it is being restored. Try again in a moment.")

    static func parameter(_ name: String, _ detail: String) -> Problem {
        Problem("invalid-parameter", status: 400, title: "The parameter “\(name)” makes no sense", detail: detail)
    }

    static func body(_ detail: String) -> Problem {
        Problem("invalid-body", status: 400, title: "The body of the request makes no sense", detail: detail)
    }

    /// What an error is to the one who asked; nil when it is no affair of theirs.
    init?(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as StoreError: self.init(error)
        case let error as HTTPError: self.init(error)
        case let error where RevisionStore.isBusy(error): self = .busy
        case is SemaphoreQueueFull: self = .busy
        // A body that ends too early, or is framed as none may be: the connection cannot be read any further.
        case is HTTPParserError:
            self.init(
                "bad-request", status: 400, title: "The request cannot be read",
                detail: "Its body ended too early, or is none.")
        default: return nil
        }
    }

    private init(_ error: StoreError) {
        self =
            switch error {
            case .unknownVenue: .venueNotFound
            case .venueGone(let key, _):
                Problem(
                    "venue-gone", status: 410, title: "The venue was deleted", detail: "\(key) is not served any more.")
            case .unknownRevision(let number):
                Problem("revision-not-found", status: 404, title: "There is no revision \(number)")
            case .revisionPruned(let number, let first):
                Problem(
                    "revision-pruned", status: 410, title: "Revision \(number) is not kept any more",
                    detail: "The venue's history begins at revision \(first).")
            case .historyChanged:
                Problem(
                    "history-changed", status: 503, title: "The venue was changed while it was read",
                    detail: "Try again in a moment.")
            case .unknownFeature: Problem("feature-not-found", status: 404, title: "There is no such feature")
            case .unknownUpload: Problem("upload-not-found", status: 404, title: "There is no such upload")
            case .unknownKey: Problem("key-not-found", status: 404, title: "There is no such key")
            case .headMoved:
                Problem(
                    "head-moved", status: 409, title: "Somebody else published meanwhile",
                    detail: "Look at the newest revision and decide again.")
            case .leaseLost, .wrongState:
                Problem("wrong-state", status: 409, title: "The upload is in another state by now")
            case .nothingToRestore:
                Problem("nothing-to-restore", status: 409, title: "The venue is in this state already")
            case .malformedCursor(let detail):
                Problem("invalid-cursor", status: 400, title: "The cursor cannot be used here", detail: detail)
            case .targetBeforeCursor:
                Problem(
                    "target-before-cursor", status: 400, title: "“to” lies before what the client holds",
                    detail: "Ask for a revision that is not older than that of the cursor.")
            case .historyLost:
                Problem(
                    "history-lost", status: 410, title: "The history that this was asked of is not continued here",
                    detail: "Start again: fetch what differs, or everything.")
            case .busy: .busy
            case .queueFull(let holder, let limit):
                Problem(
                    "queue-full", status: 429, title: "Too many uploads are waiting",
                    detail: "Of one \(holder.rawValue) at most \(limit) may wait. Try again when some are done.")
            case .keyRevoked: .unauthorized
            case .notPermitted: .forbidden
            case .venueReplaced:
                Problem(
                    "venue-replaced", status: 409, title: "This is another venue by now",
                    detail: "It was deleted and made again, or its history begins anew. Look at it and decide again.")
            case .incompleteDatabase: .incompleteDatabase
            case .unknownArchive:
                Problem("upload-lost", status: 409, title: "The upload took too long and was given up")
            }
    }

    /// Hummingbird's own refusals: no route, a broken body, too large a body.
    private init(_ error: HTTPError) {
        switch error.status {
        case .notFound: self = .notFound
        case .contentTooLarge:
            self.init("too-large", status: 413, title: "The body is too large", detail: error.body)
        case let status where status.code < 500:
            self.init("bad-request", status: status.code, title: status.reasonPhrase, detail: error.body)
        default: self.init("internal", status: error.status.code, title: error.status.reasonPhrase)
        }
    }
}

extension Problem {
    func response() throws -> Response {
        var response = try Response.json(self, status: .init(code: self.status), type: "application/problem+json")
        response.headers[.cacheControl] = "no-store"
        switch self.status {
        case 401: response.headers[.wwwAuthenticate] = "Bearer"
        case 429: response.headers[.retryAfter] = "10"
        case 503: response.headers[.retryAfter] = "1"
        default: break
        }
        return response
    }
}
