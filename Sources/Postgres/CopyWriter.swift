/// Collects the rows of a binary COPY and sends them in chunks.
package struct CopyWriter: ~Copyable {
    /// The number of bytes that are collected before they are sent.
    static let chunkSize = 64 << 10

    private let connection: Connection
    private let operation: Connection.Operation
    private var bytes: [UInt8] = []
    /// How many bytes were sent that the socket may not have taken yet.
    private var unsent = 0
    /// The error that ended the COPY; it is thrown for all further rows.
    private var failure: (any Error)?

    init(_ connection: Connection, _ operation: Connection.Operation) {
        self.connection = connection
        self.operation = operation
        self.bytes.reserveCapacity(Self.chunkSize * 5 / 4)
        // The signature, no flags, no header extension.
        self.bytes += "PGCOPY\n".utf8 + [0xFF, 0x0D, 0x0A, 0x00]
        self.bytes.append(bigEndian: Int64(0))
    }

    /// Writes one row: a value for each column of the COPY, of exactly the type of the column, because the binary format does not
    /// convert values (an `Int` is a `bigint`). nil is written as NULL.
    package mutating func row<each Value: PostgresEncodable>(_ values: repeat each Value) async throws {
        let start = self.bytes.count
        self.bytes.append(bigEndian: Int16(0))
        var columns: Int16 = 0
        for value in repeat each values {
            self.bytes.append(field: value)
            columns += 1
        }
        self.bytes.set(start, bigEndian: columns)
        if self.bytes.count >= Self.chunkSize { try await self.flush() }
    }

    private mutating func flush() async throws {
        if let failure = self.failure { throw failure }
        do {
            self.unsent = try await self.connection.sendCopy(self.operation, self.bytes, after: self.unsent)
        } catch {
            self.failure = error
            throw error
        }
        self.bytes.removeAll(keepingCapacity: true)
    }

    /// Writes the trailer.
    mutating func finish() async throws {
        self.bytes.append(bigEndian: Int16(-1))
        try await self.flush()
    }
}
