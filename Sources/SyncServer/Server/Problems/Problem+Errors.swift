import Hummingbird
import NIOHTTP1
import RevisionStore
import SyncModel

extension Problem {
    /// The problem that an error is reported as; nil for an unexpected error.
    init?(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as StoreError: self.init(error)
        case let error as HTTPError: self.init(error)
        case let error where RevisionStore.isBusy(error): self = .busy
        case is SemaphoreQueueFull, is RemakeRefused: self = .busy
        case is WorkLimitReached: self = .tooExpensive
        case is UnconfirmedState: self = .unconfirmed
        case is HTTPParserError: self = .unreadableRequest
        default: return nil
        }
    }

    private init(_ error: StoreError) {
        self =
            switch error {
            case .unknownVenue: .venueNotFound
            case .venueGone(let key, _): .venueGone(key)
            case .unknownRevision(let number): .revisionNotFound(number)
            case .revisionPruned(let number, let first): .revisionPruned(number, first: first)
            case .historyChanged, .lineageChanged: .historyChanged
            case .unknownFeature: .featureNotFound
            case .unknownUpload: .uploadNotFound
            case .unknownKey: .keyNotFound
            case .headMoved: .headMoved
            case .leaseLost, .wrongState: .wrongState
            case .nothingToRestore: .nothingToRestore
            case .malformedCursor(let detail): .cursor(detail)
            case .targetBeforeCursor: .targetBeforeCursor
            case .historyLost: .historyLost
            case .busy: .busy
            case .queueFull(let holder, let limit): .queueFull(holder.rawValue, limit: limit)
            case .keyRevoked: .unauthorized
            case .notPermitted: .forbidden
            case .venueReplaced: .venueReplaced
            case .incompleteDatabase: .databaseIncomplete
            case .unknownArchive: .uploadLost
            case .notSignable(let reason): .notSignable(reason)
            }
    }

    /// Errors of Hummingbird: no route, an invalid body, a body that is too large.
    private init(_ error: HTTPError) {
        switch error.status {
        case .notFound: self = .notFound
        case .contentTooLarge: self = .tooLarge(detail: error.body)
        case let status where status.code < 500:
            self = .badRequest(status: status.code, title: status.reasonPhrase, detail: error.body)
        default: self = .internalError(status: error.status.code, title: error.status.reasonPhrase)
        }
    }
}
