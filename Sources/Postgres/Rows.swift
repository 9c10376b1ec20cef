internal import CLibpq

/// A result of libpq, freed with the last reference. It is immutable, so any thread may read it.
final class PGResult: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit { PQclear(self.pointer) }

    var status: ExecStatusType { PQresultStatus(self.pointer) }

    var columns: Int { Int(PQnfields(self.pointer)) }

    /// The number of rows that a statement inserted, updated, deleted, returned or copied.
    var affected: Int { PQcmdTuples(self.pointer).flatMap { Int(String(cString: $0)) } ?? 0 }
}

/// The result of a statement. The rows are in the memory of libpq.
package struct Rows: Sendable, RandomAccessCollection {
    let result: PGResult
    package let endIndex: Int

    init(_ result: PGResult) {
        self.result = result
        self.endIndex = Int(PQntuples(result.pointer))
    }

    package var startIndex: Int { 0 }

    package subscript(position: Int) -> Row {
        precondition(self.indices.contains(position), "row out of range")
        return Row(result: self.result, number: Int32(position))
    }

    /// The number of rows that the statement inserted, updated, deleted or returned.
    package var affected: Int { self.result.affected }

    /// The first column of every row.
    package func decode<Value: PostgresDecodable>(_ type: Value.Type) throws(PostgresError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(self.count)
        for row in self { values.append(try row.decode(0)) }
        return values
    }

    /// The first columns of every row.
    package func decode<each Value: PostgresDecodable>(
        _ types: (repeat each Value).Type
    ) throws(PostgresError) -> [(repeat each Value)] {
        var values: [(repeat each Value)] = []
        values.reserveCapacity(self.count)
        for row in self { values.append(try row.decode((repeat each Value).self)) }
        return values
    }
}

/// A row of a result.
package struct Row: Sendable {
    let result: PGResult
    let number: Int32

    /// The number of columns.
    package var count: Int { self.result.columns }

    /// The value of a column, by its index.
    package func decode<Value: PostgresDecodable>(
        _ column: Int, as: Value.Type = Value.self
    ) throws(PostgresError) -> Value {
        guard column >= 0, column < self.count else {
            throw .decoding("there is no column \(column), only \(self.count)")
        }
        let field = Int32(column)
        do {
            if PQgetisnull(self.result.pointer, self.number, field) == 1 { return try Value.decodeNull() }
            return try Value.decode(self.bytes(field), type: PQftype(self.result.pointer, field))
        } catch {
            throw .decoding("column \(column): \(error.description)")
        }
    }

    /// The first columns.
    package func decode<each Value: PostgresDecodable>(
        _ types: (repeat each Value).Type
    ) throws(PostgresError) -> (repeat each Value) {
        var column = 0
        return (repeat try self.next(&column, as: (each Value).self))
    }

    private func next<Value: PostgresDecodable>(
        _ column: inout Int, as type: Value.Type
    ) throws(PostgresError) -> Value {
        defer { column += 1 }
        return try self.decode(column)
    }

    private func bytes(_ field: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(self.result.pointer, self.number, field),
            count: Int(PQgetlength(self.result.pointer, self.number, field)))
    }
}
