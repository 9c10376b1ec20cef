internal import CLibpq

extension PostgresError {
    /// What the server said when it refused a statement.
    init(_ result: PGResult) {
        self.init(.server, message: result.field(UInt8(ascii: "M")))
        self.sqlState = result.field(UInt8(ascii: "C"))
        self.detail = result.field(UInt8(ascii: "D"))
        self.constraint = result.field(UInt8(ascii: "n"))
    }

    /// The same words for a connection that broke: the server's code stays.
    init(lost connection: OpaquePointer?, after last: PostgresError?) {
        self.init(.connectionLost, message: last?.message ?? connection.map { String(cString: PQerrorMessage($0)) })
        self.sqlState = last?.sqlState
        self.detail = last?.detail
    }
}

extension PGResult {
    /// One field of an error report, by the letter that the protocol gives it.
    func field(_ letter: UInt8) -> String? {
        PQresultErrorField(self.pointer, Int32(letter)).map { String(cString: $0) }
    }
}
