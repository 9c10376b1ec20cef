/// Collects the rows of a binary COPY and hands them to the connection in chunks.
package struct CopyWriter: ~Copyable {
    /// As much as is collected before it is sent.
    static let chunkSize = 64 << 10

    private let connection: Connection
    private let operation: Connection.Operation
    private var bytes: [UInt8] = []
    /// What stopped the COPY: rows written after that are not quietly dropped.
    private var failure: (any Error)?

    init(_ connection: Connection, _ operation: Connection.Operation) {
        self.connection = connection
        self.operation = operation
        self.bytes.reserveCapacity(Self.chunkSize * 5 / 4)
        // The signature, no flags, no extension.
        self.bytes += "PGCOPY\n".utf8 + [0xFF, 0x0D, 0x0A, 0x00]
        self.bytes.append(bigEndian: Int64(0))
    }

    /// Writes one row: as many values as the COPY has columns, each of exactly its column's type, since the binary format
    /// converts nothing (an `Int` goes into `bigint` only). An optional that is nil writes NULL.
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
            try await self.connection.sendCopy(self.operation, self.bytes)
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
