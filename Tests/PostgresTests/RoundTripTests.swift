import Foundation
import Postgres
import SampleVenue
import Testing

@Suite(.timeLimit(.minutes(30))) struct RoundTripTests {
    /// A type of another module: sixteen bytes, as `uuid`.
    private struct Identifier: Hashable, PostgresEncodable, PostgresDecodable {
        var high: UInt64
        var low: UInt64

        static var postgresType: PostgresType { PostgresType(oid: 2950, arrayOID: 2951) }

        func encode(into bytes: inout [UInt8]) {
            for word in [self.high, self.low] { withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) } }
        }

        static func decode(_ bytes: UnsafeRawBufferPointer, type: UInt32) throws(PostgresError) -> Identifier {
            Identifier(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
    }

    private func check<Value: PostgresEncodable & PostgresDecodable & Equatable>(
        _ values: [Value], _ connection: Connection
    ) async throws {
        for value in values {
            #expect(try await connection.value("SELECT \(value)", as: Value.self) == value)
            #expect(try await connection.value("SELECT \(Value?.some(value))", as: Value?.self) == value)
        }
        #expect(try await connection.value("SELECT \(Value?.none)", as: Value?.self) == nil)
        let holed = values.map(Optional.some) + [nil]
        #expect(try await connection.value("SELECT \(values)", as: [Value].self) == values)
        #expect(try await connection.value("SELECT \(holed)", as: [Value?].self) == holed)
        #expect(try await connection.value("SELECT \([Value]())", as: [Value].self) == [])
        #expect(try await connection.value("SELECT \([Value]?.none)", as: [Value]?.self) == nil)
        let unnested = try await connection.query("SELECT * FROM unnest(\(holed))").decode(Value?.self)
        #expect(unnested == holed)
    }

    @Test func `round trip of every type, with extremes, NULL and arrays`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        try await self.check([true, false], connection)
        try await self.check([Int16.min, -1, 0, 1, .max], connection)
        try await self.check([Int32.min, -1, 0, 1, .max], connection)
        try await self.check([Int64.min, -1, 0, 1, .max], connection)
        try await self.check([Int.min, -1, 0, 1, .max], connection)
        try await self.check(
            [0, -0.0, 0.1, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude], connection)
        let long = String(repeating: "x", count: 100_000)
        try await self.check(["", "a", "$1", "'; --", "\\", "é日本🗺️", long], connection)
        try await self.check([TextBytes([]), TextBytes(Array("日本".utf8))], connection)
        try await self.check([Bytes([]), Bytes([0]), Bytes(Array(0...255))], connection)
        try await self.check([Identifier(high: 0, low: .max), Identifier(high: 1, low: 2)], connection)
        let dates = [0, 1.5, -63_114_076_800, 31_622_400.000_001, .infinity, -.infinity].map {
            Date(timeIntervalSinceReferenceDate: $0)
        }
        try await self.check(dates, connection)
        let nan = try await connection.value("SELECT \(Double.nan)", as: Double.self)
        #expect(nan.isNaN)
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `round trip of random values`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let connection = try await Connection.open(try await testDatabase())
        for _ in 0..<25 {
            let scalars = (0..<Int.random(in: 0..<300, using: &random)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 1..<0x11_0000, using: &random))
            }
            let text = String(String.UnicodeScalarView(scalars))
            let length = Int.random(in: 0..<5_000, using: &random)
            let bytes = Bytes((0..<length).map { _ in .random(in: 0...255, using: &random) })
            let numbers = (0..<Int.random(in: 0..<50, using: &random)).map { _ in
                Bool.random(using: &random) ? Int64(bitPattern: random.next() >> random.next() % 64) : nil
            }
            let double = Double(bitPattern: random.next())
            let date = Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9...1e9, using: &random))
            let rows = try await connection.query("SELECT \(text), \(bytes), \(numbers), \(double), \(date)")
            let back = try #require(try rows.decode((String, Bytes, [Int64?], Double, Date).self).first)
            #expect(back.0.unicodeScalars.elementsEqual(text.unicodeScalars))
            #expect(back.1 == bytes)
            #expect(back.2 == numbers)
            #expect(back.3 == double || (back.3.isNaN && double.isNaN))
            #expect(abs(back.4.timeIntervalSince(date)) <= 0.000_001)
        }
    }

    @Test func `text types are decoded as String`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        let rows = try await connection.query(
            "SELECT 'a'::text, 'a'::varchar(3), 'a'::char(2), 'a'::name, '[1]'::json, '[1]'::jsonb, 'a'")
        let texts = try rows[0].decode((String, String, String, String, String, String).self)
        #expect(texts == ("a", "a", "a ", "a", "[1]", "[1]"))
        #expect(try rows[0].decode(5, as: TextBytes.self) == TextBytes(Array("[1]".utf8)))
        #expect(try rows[0].decode(6, as: String.self) == "a")
        #expect(try await connection.value("SELECT \("{\"a\": 1}")::jsonb ->> 'a'", as: String.self) == "1")
    }

    @Test func `integer column is decoded as a wider integer, not as a narrower one`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        #expect(try await connection.value("SELECT 7::int2", as: Int64.self) == 7)
        #expect(try await connection.value("SELECT -7::int4", as: Int.self) == -7)
        #expect(try await connection.value("SELECT 1.5::float4", as: Double.self) == 1.5)
        let rows = try await connection.query("SELECT 7::int8, NULL::int8, 'x'")
        #expect(throws: PostgresError.self) { try rows[0].decode(0, as: Int32.self) }
        #expect(throws: PostgresError.self) { try rows[0].decode(1, as: Int64.self) }
        #expect(throws: PostgresError.self) { try rows[0].decode(2, as: Int64.self) }
        #expect(throws: PostgresError.self) { try rows[0].decode(2, as: [String].self) }
        #expect(throws: PostgresError.self) { try rows[0].decode(3, as: String.self) }
        #expect(throws: PostgresError.self) { try rows[0].decode(-1, as: String.self) }
    }

    @Test func `date out of range is refused`() async throws {
        let connection = try await Connection.open(try await testDatabase())
        for seconds in [1e15, -1e15, .nan] {
            let error = try await postgresError {
                _ = try await connection.query("SELECT \(Date(timeIntervalSinceReferenceDate: seconds))")
            }
            #expect(error.sqlState == "22008")
        }
    }
}
