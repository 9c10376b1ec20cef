import Foundation
import SyncModel

/// The response to `POST /venues/{venue}/edits`.
enum EditResponse {
    /// `isNew`: the edit made this revision. Otherwise the features were so already.
    case published(revision: Int64, isNew: Bool)
    case refused(EditRefusal)
    case overtaken(EditRefusal)
    /// The base is not the newest revision. The server does not have the edit.
    case headMoved

    private struct Result: Decodable {
        let revision: Int64
    }

    private struct Problem: Decodable {
        let type: String
        let title: String
        let detail: String?
        let pointer: String?
        let rule: String?
        let canBeForced: Bool?

        enum CodingKeys: String, CodingKey {
            case type, title, detail, pointer, rule
            case canBeForced = "can_be_forced"
        }
    }

    /// - Throws: ``SyncError`` if the response is not about the edit, or incomplete.
    init(_ response: TransportResponse, _ policy: RetryPolicy) async throws {
        let status = response.status
        let unavailable = Exchange.interposed(response, policy)
        if status == 408 || status == 429 || status >= 500 { throw unavailable }
        let data = Data(try await Exchange.collect(response.body, upTo: Exchange.maximumProblemSize))
        if (200..<300).contains(status) {
            guard let result = try? WireJSON.value(Result.self, from: data) else {
                throw SyncError.malformed("not the result of an edit")
            }
            self = .published(revision: result.revision, isNew: status == 201)
            return
        }
        // Something between this device and the server may have responded.
        guard let problem = try? WireJSON.value(Problem.self, from: data), problem.type.hasPrefix("/problems/") else {
            throw unavailable
        }
        let refusal = EditRefusal(
            status: status, title: problem.title, detail: problem.detail, pointer: problem.pointer, rule: problem.rule,
            canBeForced: problem.canBeForced)
        switch (status, problem.type) {
        case (401, _), (403, _): throw SyncError.unauthorized
        case (404, "/problems/venue-not-found"), (404, "/problems/not-found"): throw SyncError.unknownVenue
        case (410, _): throw SyncError.venueGone
        case (409, "/problems/head-moved"): self = .headMoved
        case (409, "/problems/venue-replaced"): throw unavailable
        case (412, _): self = .overtaken(refusal)
        default: self = .refused(refusal)
        }
    }
}

extension SyncError {
    /// Whether the server cannot have made the change that it was asked for, if it was asked once.
    var excludesChange: Bool {
        switch self {
        case .configuration, .unauthorized, .unknownVenue, .venueGone, .refused: true
        case .unavailable(let status, _): status == 429
        case .unreachable, .redirected, .malformed, .contradiction, .wrongDigest, .untrusted, .diskFull, .busy, .file:
            false
        }
    }
}

extension EditRefusal {
    /// What the device itself finds out has the form of the server's response to an outdated `If-Match`.
    static func featureChanged(at pointer: String) -> EditRefusal {
        EditRefusal(
            status: 412, title: "The feature was changed",
            detail: "It is not what it was when the edit was made.", pointer: pointer)
    }

    static let damaged = EditRefusal(
        status: 0, title: "The edit was damaged",
        detail: "It is not in the file as it was made, and is not sent. Make it again.")

    static let featureUnknown = EditRefusal(
        status: 412, title: "The feature was changed",
        detail: "A newer revision was published, and the feature is not in the replica any more.")
}
