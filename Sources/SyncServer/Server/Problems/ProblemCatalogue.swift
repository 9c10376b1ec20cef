import RevisionStore
import SyncModel

// All problems of the API, ordered by status. Their names are stable and documented in `docs/protocol/problems.md`; titles and details
// are for people.

// MARK: - The request is invalid

extension Problem {
    static func parameter(_ name: String, _ detail: String) -> Problem {
        Problem("invalid-parameter", status: 400, title: "The parameter “\(name)” is invalid", detail: detail)
    }

    /// `pointer` leads to the value in the body.
    static func body(_ detail: String, at pointer: String? = nil) -> Problem {
        Problem("invalid-body", status: 400, title: "The request body is invalid", detail: detail, pointer: pointer)
    }

    static func cursor(_ detail: String) -> Problem {
        Problem("invalid-cursor", status: 400, title: "The cursor is invalid for this request", detail: detail)
    }

    static let targetBeforeCursor = Problem(
        "target-before-cursor", status: 400, title: "“to” is older than the cursor",
        detail: "“to” must not be older than the revision of the cursor.")

    static func confirmationRequired(_ venue: VenueKey) -> Problem {
        Problem(
            "confirm", status: 400, title: "The deletion must be confirmed",
            detail: "This deletes every revision of the venue. To confirm, send {\"confirm\": \"\(venue)\"}.")
    }

    static let unreadableRequest = Problem(
        "bad-request", status: 400, title: "The request cannot be read",
        detail: "The body ended early, or its framing is invalid.")

    static func badRequest(status: Int, title: String, detail: String?) -> Problem {
        Problem("bad-request", status: status, title: title, detail: detail)
    }

    static func methodNotAllowed(allowed: String) -> Problem {
        Problem(
            "method-not-allowed", status: 405, title: "Method not allowed",
            detail: "This address supports \(allowed).")
    }

    static let uploadTooSlow = Problem(
        "too-slow", status: 408, title: "The request body arrives too slowly",
        detail: "The minimum rate is one kilobyte per second.")

    static func tooLarge(maxBytes: Int64) -> Problem {
        Problem(
            "too-large", status: 413, title: "The request body is too large",
            detail: "The maximum is \(maxBytes) bytes.")
    }

    static func tooLarge(detail: String?) -> Problem {
        Problem("too-large", status: 413, title: "The request body is too large", detail: detail)
    }

    static let unsupportedMediaType = Problem(
        "unsupported-media-type", status: 415, title: "An upload must be a zip archive",
        detail: "Send it as Content-Type application/zip or application/octet-stream.")
}

// MARK: - Access

extension Problem {
    static let unauthorized = Problem(
        "unauthorized", status: 401, title: "A valid API key is required",
        detail: "Send a key of this server as Authorization: Bearer <key>.")

    static let tileTokenInvalid = Problem(
        "unauthorized", status: 401, title: "The tile token is not valid",
        detail: "It has expired, it is for another venue, or its key is not valid any more. Request a new one.")

    static let previewTokenInvalid = Problem(
        "unauthorized", status: 401, title: "The preview token is not valid",
        detail: "It is damaged, or it is for another upload. Open the link again as you received it.")

    static let forbidden = Problem(
        "forbidden", status: 403, title: "The API key does not permit this",
        detail: "The role or the venues of the key do not include this operation.")

    static func queueFull(_ holder: String, limit: Int) -> Problem {
        Problem(
            "queue-full", status: 429, title: "Too many uploads are waiting",
            detail: "At most \(limit) uploads of one \(holder) may wait. Try again when some of them are finished.")
    }

    static let rateLimited = Problem(
        "rate-limited", status: 429, title: "Too many requests",
        detail: "Wait for the number of seconds in Retry-After.")
}

// MARK: - Something does not exist

extension Problem {
    static let venueNotFound = Problem(
        "venue-not-found", status: 404, title: "Venue not found",
        detail: "It does not exist, it has no published revision yet, or this key may not see it.")

    static func revisionNotFound(_ number: Int64) -> Problem {
        Problem("revision-not-found", status: 404, title: "Revision \(number) not found")
    }

    static let collectionNotFound = Problem(
        "collection-not-found", status: 404, title: "Collection not found",
        detail: "A collection is a feature type of the revision.")

    static let featureNotFound = Problem("feature-not-found", status: 404, title: "Feature not found")

    static func editedFeatureNotFound(_ detail: String) -> Problem {
        Problem("feature-not-found", status: 404, title: "Feature not found", detail: detail)
    }

    static let overrideNotFound = Problem(
        "override-not-found", status: 404, title: "Override not found",
        detail: "It does not exist, or it has ended.")

    static func notSigned(_ detail: String) -> Problem {
        Problem("not-signed", status: 404, title: "The revision is not signed", detail: detail)
    }

    static let uploadNotFound = Problem("upload-not-found", status: 404, title: "Upload not found")
    static func tileNotFound(_ detail: String) -> Problem {
        Problem("tile-not-found", status: 404, title: "Tile not found", detail: detail)
    }

    static let keyNotFound = Problem("key-not-found", status: 404, title: "API key not found")
    static let notFound = Problem("not-found", status: 404, title: "Not found")

    static let consoleNotInstalled = Problem(
        "not-found", status: 404, title: "The console is not installed",
        detail: "Its files are in the folder VenueSync_WebConsole.resources, which must be beside the program.")

    static let mapLibraryNotInstalled = Problem(
        "not-found", status: 404, title: "The map library is not installed",
        detail: "Install it with Scripts/install-map-library.")

    static func venueGone(_ venue: VenueKey) -> Problem {
        Problem("venue-gone", status: 410, title: "The venue was deleted", detail: "“\(venue)” was deleted.")
    }

    static let previewEnded = Problem(
        "preview-ended", status: 410, title: "The preview has ended",
        detail: "Its time is over, its key is not valid any more, or the upload was published or discarded.")

    static func revisionPruned(_ number: Int64, first: Int64) -> Problem {
        Problem(
            "revision-pruned", status: 410, title: "Revision \(number) is no longer kept",
            detail: "The oldest revision of the venue is \(first).")
    }

    static let historyLost = Problem(
        "history-lost", status: 410, title: "The cursor belongs to another history",
        detail: "Start over: fetch the levels that differ, or everything.")
}

// MARK: - The state of the venue or upload does not allow it

extension Problem {
    static func featureExists(_ detail: String) -> Problem {
        Problem("feature-exists", status: 409, title: "The feature exists already", detail: detail)
    }

    static func notContested(_ detail: String) -> Problem {
        Problem("not-contested", status: 409, title: "There is nothing to decide", detail: detail)
    }

    static func editIDReused(_ detail: String) -> Problem {
        Problem("edit-id-reused", status: 409, title: "The id was used for another edit", detail: detail)
    }

    static let featureChanged = Problem(
        "feature-changed", status: 412, title: "The feature was changed",
        detail: "It does not have the entity tag of If-Match any more. Fetch it again.")

    static let overrideChanged = Problem(
        "override-changed", status: 412, title: "The override was changed",
        detail: "It, or what the source says, is not as the entity tag of If-Match says any more. Fetch it again.")

    static func editRefused(_ detail: String) -> Problem {
        Problem("edit-refused", status: 422, title: "The edit is refused", detail: detail)
    }

    static let headMoved = Problem(
        "head-moved", status: 409, title: "A newer revision was published",
        detail: "Check the newest revision and try again.")

    static let baseMoved = Problem(
        "head-moved", status: 409, title: "A newer revision was published",
        detail: "Check what would change now, and publish with the new base.")

    static func confirmationRequired(_ reasons: [String]) -> Problem {
        let list = reasons.map { "\"\($0)\"" }.joined(separator: ", ")
        return Problem(
            "guarded", status: 409, title: "The publication must be confirmed",
            detail: "Publish with {\"confirm\": [\(list)]}.")
    }

    static func levelsEntangled(_ detail: String) -> Problem {
        Problem(
            "levels-entangled", status: 409, title: "These levels cannot be rolled back by themselves", detail: detail)
    }

    static let wrongState = Problem(
        "wrong-state", status: 409, title: "The state of the upload does not allow this")

    static let nothingToRestore = Problem(
        "nothing-to-restore", status: 409, title: "The venue is already in this state")

    static let venueReplaced = Problem(
        "venue-replaced", status: 409, title: "The venue was replaced during the request",
        detail: "It was deleted and created again, or its history was restarted. Check its state and try again.")

    static let uploadLost = Problem(
        "upload-lost", status: 409, title: "The upload took too long and was discarded")

    static func notSignable(_ reason: StoreError.NotSignable) -> Problem {
        Problem(
            "not-signable", status: 409, title: "The revision cannot be signed", detail: reason.description)
    }
}

// MARK: - The server cannot do it now

extension Problem {
    static let internalError = Problem("internal", status: 500, title: "Internal server error")

    static func internalError(status: Int, title: String) -> Problem {
        Problem("internal", status: status, title: title)
    }

    static let busy = Problem(
        "busy", status: 503, title: "Too many requests of this kind are in progress", detail: "Try again shortly.")

    static let tooExpensive = Problem(
        "too-expensive", status: 503, title: "The response takes too much work",
        detail:
            "It takes more processor time than one request may: too many features, or too complex ones, are involved.")

    static let cancelled = Problem("cancelled", status: 503, title: "The request was cancelled")

    static let historyChanged = Problem(
        "history-changed", status: 503, title: "The venue was changed during the request", detail: "Try again shortly.")

    static let shuttingDown = Problem("unavailable", status: 503, title: "The server is shutting down")

    static let databaseUnreachable = Problem(
        "unavailable", status: 503, title: "The database is unreachable", detail: "Try again shortly.")

    static let unconfirmed = Problem(
        "unavailable", status: 503, title: "The database has not confirmed for too long who may read this",
        detail:
            "It cannot be reached, and a key may have been revoked or a venue made private since. Try again shortly.")

    static let databaseUnreadable = Problem(
        "unavailable", status: 503, title: "The database cannot be read", detail: "Try again shortly.")

    static let databaseIncomplete = Problem(
        "unavailable", status: 503, title: "The database is incomplete",
        detail: "Tables are missing or contradict each other, as during a restore. Try again shortly.")

    static let archivesUnavailable = Problem(
        "unavailable", status: 503, title: "The archive store cannot be used",
        detail: "The archive was not stored. Send the request again shortly.")

    static let temporaryDiskFull = Problem(
        "unavailable", status: 503, title: "The server is out of disk space for temporary files",
        detail: "The archive could not be made. Send the request again when the operator has freed space.")

    static let databaseFull = Problem(
        "unavailable", status: 503, title: "The database is out of disk space",
        detail: "Nothing was stored. Send the request again when the operator has freed space.")
}
