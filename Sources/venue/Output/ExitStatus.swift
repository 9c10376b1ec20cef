import ArgumentParser
import Foundation
import Postgres
import SyncClient

/// What the program ends with.
enum ExitStatus: Int32, CaseIterable {
    case success = 0
    case failure = 1
    case refused = 2
    case rejected = 3
    case notFound = 4
    case unauthorized = 5
    case unreachable = 6
    case invalid = 7
    case doubtful = 8
    case usage = 64

    private var meaning: String {
        switch self {
        case .success: "done"
        case .failure: "something went wrong"
        case .refused: "the server refused the request as it was made, or held the upload back"
        case .rejected: "the archive cannot be versioned, or the upload failed"
        case .notFound: "no such venue, revision, upload, level, feature or key; “find” found nothing"
        case .unauthorized: "no key, a wrong key, or a key that may not do this"
        case .unreachable: "the server or the database does not answer"
        case .invalid: "the archive breaks rules that make errors"
        case .doubtful: "the archive breaks rules that make warnings, and --strict was given"
        case .usage: "the command line or a setting makes no sense"
        }
    }

    static var table: String {
        Self.allCases.map { "  \($0.rawValue)\($0.rawValue < 10 ? " " : "")  \($0.meaning)" }.joined(separator: "\n")
    }
}

/// Ends the program with a sentence on standard error.
struct Failure: Error {
    let status: ExitStatus
    let message: String
    /// What the server sent with its refusal.
    let answer: Data

    init(_ status: ExitStatus, _ message: String, answer: Data = Data()) {
        self.status = status
        self.message = message
        self.answer = answer
    }
}

extension Failure {
    /// What a replica's or an uploader's error means for the program.
    init(_ error: SyncError) {
        let status: ExitStatus =
            switch error {
            case .unauthorized: .unauthorized
            case .unknownVenue, .venueGone: .notFound
            case .refused: .refused
            case .unreachable: .unreachable
            case .unavailable, .malformed, .contradiction, .wrongDigest, .diskFull, .busy, .file: .failure
            }
        self.init(status, error.description)
    }
}

extension AsyncParsableCommand {
    /// Runs a command's work and turns what goes wrong into a sentence and an exit code.
    func reporting(_ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch let failure as Failure {
            Terminal.complain(failure.message)
            throw ExitCode(failure.status.rawValue)
        } catch let error as SyncError {
            Terminal.complain(error.description)
            throw ExitCode(Failure(error).status.rawValue)
        } catch let error as PostgresError where error.isConnectionLost {
            Terminal.complain("the database does not answer: \(error)")
            throw ExitCode(ExitStatus.unreachable.rawValue)
        } catch let error where !(error is ExitCode) && !(error is ValidationError) {
            Terminal.complain("\(error)")
            throw ExitCode(ExitStatus.failure.rawValue)
        }
    }
}
