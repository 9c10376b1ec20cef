/// An error of the server, of the connection, or of their use.
///
/// Server messages quote values of rows, so ``description`` shows only the code; ``message`` and ``detail`` are for debugging, and
/// must not be logged or sent to clients.
package struct PostgresError: Error, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The server rejected a statement; the connection remains usable.
        case server
        /// The connection could not be established.
        case connecting
        /// The connection was lost; uncommitted changes are rolled back.
        case connectionLost
        /// The server does not respond, although the connection is not lost.
        case unresponsive
        /// The connection or the pool was closed by this program.
        case closed
        /// Another task is using the connection.
        case busy
        /// COMMIT of a transaction that had failed before: the server rolled it back.
        case rolledBack
        /// A column has another type than requested, or an invalid value.
        case decoding
        /// An error in this program: the statement was not sent, or does not fit the method.
        case misuse
    }

    package let kind: Kind
    /// The five-character code of the server, if the error came from the server.
    package internal(set) var sqlState: String?
    /// The name of the violated constraint.
    package internal(set) var constraint: String?
    /// The index of the query of a pipeline that failed.
    package internal(set) var pipelineIndex: Int?
    /// True if the connection was lost during COMMIT, so that it is unknown whether the transaction was committed.
    package internal(set) var outcomeUnknown = false
    /// The message of the server or of libpq, which may quote values of rows.
    package internal(set) var message: String?
    /// The detail message of the server, which may quote values of rows.
    package internal(set) var detail: String?

    init(_ kind: Kind, message: String? = nil) {
        self.kind = kind
        self.message = message
    }

    /// Whether the same transaction may succeed if it is repeated. Check ``outcomeUnknown`` first.
    package var isRetryable: Bool {
        self.isConnectionLost || self.sqlState == "40001" || self.sqlState == "40P01"
    }

    /// Whether another transaction held a lock for longer than `lock_timeout`.
    package var isLockTimeout: Bool { self.sqlState == "55P03" }

    /// Whether the server has no disk space, memory or connections left (class 53), is starting or stopping (57P), cannot read or write
    /// its files (58030), or reports a connection that failed (class 08): the statement may succeed later.
    package var isOutOfResources: Bool {
        guard let sqlState = self.sqlState else { return false }
        return sqlState.hasPrefix("53") || self.isStartingOrStopping || sqlState.hasPrefix("08") || sqlState == "58030"
    }

    /// Whether the server is starting or stopping, or an administrator ended the session (class 57P).
    package var isStartingOrStopping: Bool { self.sqlState?.hasPrefix("57P") ?? false }

    /// Whether a disk of the server is full.
    package var isDiskFull: Bool { self.sqlState == "53100" }

    /// Whether a statement that writes was sent to a standby: a primary that was demoted, or a proxy that does not know yet.
    package var isReadOnlyServer: Bool { self.sqlState == "25006" }

    package var isUniqueViolation: Bool { self.sqlState == "23505" }

    /// Why a connection was refused, in the words of the server or of the operating system, such as “FATAL: password authentication
    /// failed for user "venue"”; nil if libpq gives another message, which may quote the connection string.
    package var connectFailure: String? {
        guard self.kind == .connecting, let parts = self.message?.split(separator: " failed: ", maxSplits: 1),
            parts.count == 2
        else { return nil }
        return parts[1].split(separator: "\n").first.map(String.init)
    }

    /// Whether the server cannot be reached (any more).
    package var isConnectionLost: Bool { [.connectionLost, .connecting, .unresponsive].contains(self.kind) }
}

extension PostgresError {
    /// An error on decoding a column. The message is part of the description, so it names types, never values.
    package static func decoding(_ message: String) -> PostgresError { PostgresError(.decoding, message: message) }

    /// An error for a column whose type (an OID) cannot be decoded as the requested type.
    package static func mismatch(_ type: UInt32, _ requested: any Any.Type) -> PostgresError {
        .decoding("type \(type) cannot be read as \(requested)")
    }

    /// The server did not respond in time.
    package static let unresponsive = PostgresError(.unresponsive)

    static func misuse(_ message: String) -> PostgresError { PostgresError(.misuse, message: message) }
}

extension PostgresError: CustomStringConvertible {
    package var description: String {
        var text =
            switch self.kind {
            case .server: "PostgreSQL refused a statement"
            case .connecting: "no connection to PostgreSQL"
            case .connectionLost: "the connection to PostgreSQL was lost"
            case .unresponsive: "PostgreSQL does not respond"
            case .closed: "the connection to PostgreSQL is closed"
            case .busy: "the connection to PostgreSQL is in use by another task"
            case .rolledBack: "PostgreSQL rolled the transaction back, because a statement in it had failed"
            // Messages of this program, which contain only types and indices.
            case .decoding, .misuse: self.message ?? "a value of PostgreSQL cannot be read"
            }
        if let sqlState = self.sqlState { text += " (\(sqlState))" }
        if let constraint = self.constraint { text += " by constraint \(constraint)" }
        if let index = self.pipelineIndex { text += " at query \(index) of a pipeline" }
        if self.outcomeUnknown { text += "; whether the transaction was committed is unknown" }
        return text
    }
}
