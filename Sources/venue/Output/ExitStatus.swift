import ArgumentParser
import Foundation
import Postgres
import SyncClient

/// The exit codes of the program.
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
    case untrusted = 9
    case usage = 64

    private var meaning: String {
        switch self {
        case .success: "success"
        case .failure: "any other error"
        case .refused: "the server refused the request, or a guard staged the upload"
        case .rejected: "the archive cannot be versioned, or the upload failed"
        case .notFound: "no such venue, revision, upload, level, feature or key; “find” found nothing"
        case .unauthorized: "no key, a wrong key, or a key without the permission"
        case .unreachable: "the server or the database does not answer"
        case .invalid: "the archive violates rules with the severity error"
        case .doubtful: "the archive violates rules with the severity warning, and --strict was given"
        case .untrusted: "a revision is not signed with a trusted key, or is not what was signed"
        case .usage: "the command line or a setting is invalid"
        }
    }

    static var table: String {
        Self.allCases.map { "  \($0.rawValue)\($0.rawValue < 10 ? " " : "")  \($0.meaning)" }.joined(separator: "\n")
    }
}

/// An error that ends the program with a message on standard error and an exit code.
struct Failure: Error {
    let status: ExitStatus
    let message: String
    /// The body of the response with which the server refused the request; empty for other failures.
    let response: Data

    init(_ status: ExitStatus, _ message: String, response: Data = Data()) {
        self.status = status
        self.message = message
        self.response = response
    }
}

extension Failure {
    /// Chooses the exit code for an error of a replica or an uploader.
    ///
    /// - Parameter isTrusting: Whether only what a trusted key has signed is accepted. A response that is damaged, does not match its
    ///   digests or leads to another revision is not that, whoever is to blame.
    init(_ error: SyncError, isTrusting: Bool = false) {
        let status: ExitStatus =
            switch error {
            case .unauthorized: .unauthorized
            case .unknownVenue, .venueGone: .notFound
            case .refused: .refused
            case .unreachable, .unavailable: .unreachable
            case .untrusted: .untrusted
            case .malformed, .contradiction, .wrongDigest: isTrusting ? .untrusted : .failure
            case .configuration, .redirected, .diskFull, .busy, .file: .failure
            }
        self.init(status, error.description)
    }
}

extension AsyncParsableCommand {
    /// Runs the body of a command and turns errors into a message on standard error and an exit code.
    func reportingErrors(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let failure as Failure {
            Terminal.printError(failure.message)
            throw ExitCode(failure.status.rawValue)
        } catch let error as SyncError {
            Terminal.printError(error.description)
            throw ExitCode(Failure(error).status.rawValue)
        } catch let error as PostgresError where error.isConnectionLost {
            Terminal.printError("the database does not answer: \(error)")
            throw ExitCode(ExitStatus.unreachable.rawValue)
        } catch let error where !(error is ExitCode) && !(error is ValidationError) {
            Terminal.printError("\(error)")
            throw ExitCode(ExitStatus.failure.rawValue)
        }
    }
}
