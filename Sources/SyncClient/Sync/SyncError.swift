public import IMDF

/// Why a synchronization or an upload failed. The replica is unchanged.
public enum SyncError: Error, Hashable, Sendable {
    /// There was no response, or it ended early: a part of a sentence that says why, and the kind of failure. Retry later.
    case unreachable(String, Obstacle = .other)
    /// The server is overloaded or failing (429, 5xx), and may say when to retry; or something in between responded instead of it, with
    /// an error without the server's explanation. Also 410 while the client starts over: the database is being replaced.
    case unavailable(status: Int, retryAfter: Duration?)
    /// Something redirects to another address (its `Location`), which is not followed: the sign-in page of a hotspot, or the server has
    /// moved.
    case redirected(status: Int, to: String?)
    /// The address of the server or the key cannot be used. No request was sent.
    case configuration(String)
    /// The key is missing, unknown, or lacks the permission (401, 403).
    case unauthorized
    /// The venue does not exist, or the key does not cover it (404).
    case unknownVenue
    /// The venue was deleted (410).
    case venueGone
    /// The server refused the request; with the server's message.
    case refused(status: Int, String)
    /// The response has the wrong form: incomplete, not a change set, not a feature.
    case malformed(String)
    /// The response does not fit the replica or earlier pages: another venue, another revision, a repeated page.
    case contradiction(String)
    /// A level (nil: the venue-wide part) does not match its digest, even after it was fetched again.
    case wrongDigest(level: FeatureID?)
    /// What was received is not proven to be the newest revision of the operator: it is unsigned, wrongly signed, expired, older than
    /// what is held, or not what was signed. Only if the app trusts keys; see
    /// ``VenueReplica/open(_:server:venue:key:trusting:transport:policy:)``.
    case untrusted(String)
    /// The disk is full.
    case diskFull
    /// Another process keeps the file locked. Retry later.
    case busy
    /// The file cannot be read or written; with SQLite's message.
    case file(String)

    /// What kept a request from its response, as far as the system reports it.
    public enum Obstacle: Hashable, Sendable {
        /// The device has no network, or none that leads to the server.
        case offline
        /// No address is known for the name of the server: it is wrong, or there is no network.
        case unknownHost
        /// Nothing listens at the address: the server does not run, or a firewall is in between.
        case refused
        case timedOut
        /// Anything else, such as a lost connection or a certificate that is not trusted.
        case other
    }
}

extension SyncError {
    /// The server lost its history again while the client started over.
    static let historyLostAgain = SyncError.unavailable(status: 410, retryAfter: nil)

    struct Retry {
        /// How long the server asks to wait, if it does.
        let after: Duration?
    }

    /// Nil if a retry cannot succeed.
    var retry: Retry? {
        switch self {
        case .unavailable(_, let retryAfter): Retry(after: retryAfter)
        case .unreachable, .redirected, .malformed, .contradiction, .wrongDigest, .untrusted, .busy: Retry(after: nil)
        case .configuration, .unauthorized, .unknownVenue, .venueGone, .refused, .diskFull, .file: nil
        }
    }

    /// Nil if following has to end. A revoked key may be granted again, a venue created again, a full disk emptied; and what the server
    /// refuses today, another version of it may accept.
    var retryWhileFollowing: Retry? {
        switch self {
        case .unauthorized, .unknownVenue, .venueGone, .refused, .diskFull: Retry(after: nil)
        default: self.retry
        }
    }
}

extension SyncError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreachable(let message, _): "the server does not respond: \(message)"
        case .unavailable(let status, let after):
            "the server is unavailable (\(status))" + (after.map { "; retry after \($0)" } ?? "")
        case .redirected(let status, let target):
            "the server redirects to \(target ?? "another address") (\(status)), which is not followed"
        case .configuration(let message): message
        case .unauthorized: "the key is missing, unknown, or lacks the permission"
        case .unknownVenue: "the venue does not exist, or the key does not cover it"
        case .venueGone: "the venue was deleted"
        case .refused(let status, let message): "the server refused the request (\(status)): \(message)"
        case .malformed(let message): "the response is malformed: \(message)"
        case .contradiction(let message): "the response does not fit the replica: \(message)"
        case .wrongDigest(let level):
            "the digest of \(level.map { "level \($0)" } ?? "the venue-wide part") does not match"
        case .untrusted(let message): "the revision is not proven to be the operator's newest: \(message)"
        case .diskFull: "the disk is full"
        case .busy: "another process keeps the file locked"
        case .file(let message): "the file cannot be used: \(message)"
        }
    }
}
