/// What went wrong between us and the server.
///
/// Server messages quote values of rows, so ``description`` shows the code alone; ``message`` and ``detail`` are for
/// debugging and belong into no log and no reply.
package struct PostgresError: Error, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The server refused a statement; the connection goes on.
        case server
        /// No connection could be made.
        case connecting
        /// The connection broke; what it had not committed is gone.
        case connectionLost
        /// The server does not answer, though nothing broke.
        case silent
        /// The connection or the pool was closed by us.
        case closed
        /// Another task is using the connection.
        case busy
        /// COMMIT of a transaction that had failed before: the server rolled it back.
        case rolledBack
        /// A column does not hold what was asked for.
        case decoding
        /// The caller's mistake: it was not sent, or is not what the method is for.
        case misuse
    }

    package let kind: Kind
    /// The server's five characters, when the server spoke.
    package internal(set) var sqlState: String?
    /// The broken constraint's name: a word of the schema, never a value.
    package internal(set) var constraint: String?
    /// Which query of a pipeline failed, counted from zero.
    package internal(set) var pipelineIndex: Int?
    /// True when the connection broke during COMMIT: the transaction may have happened or not.
    package internal(set) var outcomeUnknown = false
    /// The server's or libpq's own words. They may quote values of rows.
    package internal(set) var message: String?
    /// The server's further words. They may quote values of rows.
    package internal(set) var detail: String?

    init(_ kind: Kind, message: String? = nil) {
        self.kind = kind
        self.message = message
    }

    /// The same thing may well succeed if it is done again from the start; what `outcomeUnknown` says comes first.
    package var isRetryable: Bool {
        self.isConnectionLost || self.sqlState == "40001" || self.sqlState == "40P01"
    }

    /// A row or a table was held by another transaction for longer than `lock_timeout`.
    package var isLockTimeout: Bool { self.sqlState == "55P03" }

    /// The server has no room, memory or connection left (class 53), is starting or stopping (57P), or cannot read or write its
    /// files (58030): nothing is wrong with the statement, and it may succeed later.
    package var isOutOfResources: Bool {
        guard let sqlState = self.sqlState else { return false }
        return sqlState.hasPrefix("53") || sqlState.hasPrefix("57P") || sqlState == "58030"
    }

    /// A disk of the server is full.
    package var isDiskFull: Bool { self.sqlState == "53100" }

    package var isUniqueViolation: Bool { self.sqlState == "23505" }

    /// The server cannot be reached, or not any more.
    package var isConnectionLost: Bool { [.connectionLost, .connecting, .silent].contains(self.kind) }
}

extension PostgresError {
    /// A column does not hold what was asked for. The words are shown: they name types, never values.
    package static func decoding(_ message: String) -> PostgresError { PostgresError(.decoding, message: message) }

    /// A column of this type (its number in `pg_type`) cannot be read as the type asked for.
    package static func mismatch(_ type: UInt32, _ asked: any Any.Type) -> PostgresError {
        .decoding("type \(type) cannot be read as \(asked)")
    }

    /// Nobody waited any longer for an answer.
    package static let silent = PostgresError(.silent)

    static func misuse(_ message: String) -> PostgresError { PostgresError(.misuse, message: message) }
}

extension PostgresError: CustomStringConvertible {
    package var description: String {
        var text =
            switch self.kind {
            case .server: "PostgreSQL refused a statement"
            case .connecting: "no connection to PostgreSQL"
            case .connectionLost: "the connection to PostgreSQL was lost"
            case .silent: "PostgreSQL does not answer"
            case .closed: "the connection to PostgreSQL is closed"
            case .busy: "the connection to PostgreSQL is in use by another task"
            case .rolledBack: "PostgreSQL rolled the transaction back, because a statement in it had failed"
            // Ours, and made of types and positions only.
            case .decoding, .misuse: self.message ?? "a value of PostgreSQL cannot be read"
            }
        if let sqlState = self.sqlState { text += " (\(sqlState))" }
        if let constraint = self.constraint { text += " by constraint \(constraint)" }
        if let index = self.pipelineIndex { text += " at query \(index) of a pipeline" }
        if self.outcomeUnknown { text += "; whether the transaction was committed is unknown" }
        return text
    }
}
