import ArchiveStore
import HTTPTypes
import Hummingbird
import IMDFArchive
import Logging
import RevisionStore
import SyncModel

/// Turns every error into `application/problem+json`. Unexpected errors are logged, and reported without their description.
enum ErrorResponse {
    static func response(to error: any Error, in context: AppRequestContext) throws -> Response {
        if error is ClientDisconnected { return Response(status: .clientClosedRequest) }
        var response = try self.problem(for: error, in: context).response()
        if RevisionStore.isDiskFull(error) || Self.isTemporaryDiskFull(error) { response.headers[.retryAfter] = "30" }
        if let error = error as? RemakeRefused { response.headers[.retryAfter] = "\(error.retryAfter)" }
        return response
    }

    private static func problem(for error: any Error, in context: AppRequestContext) -> Problem {
        if let problem = Problem(error) { return problem }
        if error is CancellationError { return .cancelled }
        context.logger.error("Request failed", metadata: ["error": "\(error)"])
        if error is ArchiveStoreError { return .archivesUnavailable }
        if RevisionStore.isDiskFull(error) { return .databaseFull }
        if self.isTemporaryDiskFull(error) { return .temporaryDiskFull }
        if RevisionStore.isOutage(error) { return .databaseUnreachable }
        return .internalError
    }

    private static func isTemporaryDiskFull(_ error: any Error) -> Bool {
        (error as? TemporaryFile.Unwritable)?.isDiskFull ?? false
    }
}

/// The client closed the connection before the response was ready.
struct ClientDisconnected: Error {}

extension HTTPResponse.Status {
    /// Logged for a request whose client did not wait for the response. It is in no RFC, but most servers use it.
    static let clientClosedRequest = Self(code: 499, reasonPhrase: "Client Closed Request")
}
