import IMDF
import Postgres
import SampleVenue

/// The control: a table with the same features as JSON, of which a transaction changes one property in place. It keeps no versions,
/// checks nothing and computes no digests.
struct ControlTable {
    private let pool: ConnectionPool
    private let occupants: [String]

    init(of sample: SampleVenue, in databaseURL: String) async throws {
        self.pool = ConnectionPool(ConnectionConfiguration(url: databaseURL))
        self.occupants = sample.features.filter { $0.type == .occupant }.map(\.id.description)
        _ = try await self.pool.query("CREATE TABLE control_feature (id uuid PRIMARY KEY, body jsonb NOT NULL)")
        for start in stride(from: 0, to: sample.features.count, by: 5_000) {
            let features = sample.features[start..<min(start + 5_000, sample.features.count)]
            let bodies = features.map { String(decoding: CanonicalJSON.data(.object($0.body)), as: UTF8.self) }
            _ = try await self.pool.query(
                """
                INSERT INTO control_feature
                SELECT id::uuid, body::jsonb FROM unnest(\(features.map(\.id.description)), \(bodies)) AS feature (id, body)
                """)
        }
    }

    func update(_ number: Int) async throws {
        let id = self.occupants[number * 7919 % self.occupants.count]
        _ = try await self.pool.transaction { connection in
            try await connection.query(
                """
                UPDATE control_feature SET body = jsonb_set(body, '{properties,phone}', to_jsonb(\("\(number)")::text))
                WHERE id = \(id)::uuid
                """)
        }
    }

    func close() async { await self.pool.close() }
}
