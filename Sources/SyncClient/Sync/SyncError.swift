public import IMDF

/// Why a replica could not be brought up to date. Whichever it is, the replica is as it was.
public enum SyncError: Error, Hashable, Sendable {
    /// There was no answer, or it broke off: the network, or the server, is not there. Ask again later.
    case unreachable(String)
    /// The server has no time now (429, 5xx). It may say after how long to ask again.
    case unavailable(status: Int, retryAfter: Duration?)
    /// No key, a wrong one, or one that may not do this (401, 403).
    case unauthorized
    /// There is no such venue, or the key may not see it (404).
    case unknownVenue
    /// The venue was deleted (410).
    case venueGone
    /// The server does not take the request as it was made; its own words.
    case refused(status: Int, String)
    /// The answer is not what it should be: cut short, no change set, a body that is no feature.
    case malformed(String)
    /// The answer does not fit what is held or what came before it: another venue, another revision, a page that was there already.
    case contradiction(String)
    /// What was received of a level (nil: of the venue-wide part) is not what its digest says, also when asked for once more.
    case wrongDigest(level: FeatureID?)
    /// There is no room for the change.
    case diskFull
    /// Another program is writing into the file, and has been for a while. Ask again later.
    case busy
    /// The file cannot be read or written; SQLite's own words.
    case file(String)
}

extension SyncError {
    struct Wish {
        let after: Duration?
    }

    /// Whether the same may succeed later, and what the server wishes for; nil when asking again is of no use.
    var worthAnotherTry: Wish? {
        switch self {
        case .unavailable(_, let retryAfter): Wish(after: retryAfter)
        case .unreachable, .malformed, .contradiction, .wrongDigest, .busy: Wish(after: nil)
        case .unauthorized, .unknownVenue, .venueGone, .refused, .diskFull, .file: nil
        }
    }
}

extension SyncError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreachable(let words): "the server does not answer: \(words)"
        case .unavailable(let status, let after):
            "the server has no time (\(status))" + (after.map { "; ask again after \($0)" } ?? "")
        case .unauthorized: "no key, a wrong key, or a key that may not do this"
        case .unknownVenue: "there is no such venue, or the key may not see it"
        case .venueGone: "the venue was deleted"
        case .refused(let status, let words): "the server refused (\(status)): \(words)"
        case .malformed(let words): "the answer makes no sense: \(words)"
        case .contradiction(let words): "the answer does not fit: \(words)"
        case .wrongDigest(let level):
            "the digest of \(level.map { "level \($0)" } ?? "the venue-wide part") is another one"
        case .diskFull: "there is no room for the change"
        case .busy: "another program is writing into the file"
        case .file(let words): "the file cannot be used: \(words)"
        }
    }
}
