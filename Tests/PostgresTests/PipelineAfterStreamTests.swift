import Postgres
import Testing

@Suite struct PipelineAfterStreamTests {
    @Test func `pipeline after a stream returns one result for each query`() async throws {
        let connection = try await Connection.open(testDatabase())
        let numbers: Query = "SELECT number FROM generate_series(1, 3) AS number"
        _ = try await connection.pipeline([numbers])
        for _ in 0..<2 {
            var streamed = 0
            try await connection.stream(numbers) { _ in streamed += 1 }
            #expect(streamed == 3)
            #expect(try await connection.pipeline([numbers, numbers]).map(\.count) == [3, 3])
        }
        await connection.close()
    }
}
