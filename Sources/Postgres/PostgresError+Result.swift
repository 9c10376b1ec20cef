internal import CLibpq

extension PostgresError {
    /// The error report of a statement that the server rejected.
    init(_ result: PGResult) {
        self.init(.server, message: result.field(UInt8(ascii: "M")))
        self.sqlState = result.field(UInt8(ascii: "C"))
        self.detail = result.field(UInt8(ascii: "D"))
        self.constraint = result.field(UInt8(ascii: "n"))
    }

    /// The error for a lost connection, with the code and the message of the last error before it.
    init(lost connection: OpaquePointer?, after last: PostgresError?) {
        self.init(.connectionLost, message: last?.message ?? connection.map { String(cString: PQerrorMessage($0)) })
        self.sqlState = last?.sqlState
        self.detail = last?.detail
    }
}

extension PGResult {
    /// A field of an error report, by its code in the protocol.
    func field(_ letter: UInt8) -> String? {
        PQresultErrorField(self.pointer, Int32(letter)).map { String(cString: $0) }
    }
}
