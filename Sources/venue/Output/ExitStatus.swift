import ArgumentParser
import Foundation
import IMDF
import Postgres
import SyncClient
import SyncModel

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
    case interrupted = 130

    private var meaning: String {
        switch self {
        case .success: "success"
        case .failure: "any other error"
        case .refused: "the server refused the request, or a guard staged the upload"
        case .rejected: "the archive cannot be versioned, or the upload failed"
        case .notFound: "no such venue, revision, upload, level, feature or key; “find” or “route” found nothing"
        case .unauthorized: "no key, a wrong key, or a key without the permission"
        case .unreachable: "the server or the database does not respond"
        case .invalid: "the archive violates rules with the severity error"
        case .doubtful: "the archive violates rules with the severity warning, and --strict was given"
        case .untrusted: "a revision is not signed with a trusted key, or differs from what was signed"
        case .usage: "the command line or a setting is invalid"
        case .interrupted: "interrupted by Ctrl-C; the server continues with an upload that it has"
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

extension Failure {
    /// Prints the message for people on standard error; with `--json` a problem document on standard output.
    func report() {
        guard Terminal.printsJSON else { return Terminal.printError(self.message) }
        var problem = (try? WireJSON.value(JSONValue.self, from: self.response))?.object ?? [:]
        if problem["type"]?.string == nil {
            problem = ["type": "about:blank", "title": .string(self.message)]
        }
        problem["exit_code"] = .number(Double(self.status.rawValue))
        try? Terminal.print(json: JSONValue.object(problem))
    }
}

extension AsyncParsableCommand {
    /// Runs the body of a command and turns errors into a message and an exit code.
    func reportingErrors(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let failure as Failure {
            failure.report()
            throw ExitCode(failure.status.rawValue)
        } catch let error as SyncError {
            let failure = Failure(error)
            failure.report()
            throw ExitCode(failure.status.rawValue)
        } catch let error as PostgresError where error.isConnectionLost {
            let reason = error.connectFailure.map { ": \($0)" } ?? ""
            Failure(.unreachable, "the database of VENUE_DATABASE_URL does not respond\(reason)").report()
            throw ExitCode(ExitStatus.unreachable.rawValue)
        } catch let error as CocoaError {
            Failure(.failure, error.sentence).report()
            throw ExitCode(ExitStatus.failure.rawValue)
        } catch is DecodingError {
            Failure(.unreachable, "the server responded, but not as a VenueSync server does. Check VENUE_SERVER.")
                .report()
            throw ExitCode(ExitStatus.unreachable.rawValue)
        } catch let error where !(error is ExitCode) && !(error is ValidationError) {
            Failure(.failure, "\(error)").report()
            throw ExitCode(ExitStatus.failure.rawValue)
        }
    }
}
