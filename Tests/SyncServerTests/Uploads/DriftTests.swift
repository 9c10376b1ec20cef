import IMDF
import IMDFArchive
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Coordinates that change slightly with every upload.
@Suite(.server) struct DriftTests {
    /// A unit moved by `steps` times 2·10⁻⁸ degrees, with other ids in every export.
    private static func archive(_ steps: Int, export: Int) throws -> [UInt8] {
        let drift = Double(steps) * 2e-8
        let ring = [(0.0, 0.0), (1e-4, 0.0), (1e-4, 1e-4), (0.0, 1e-4), (0.0, 0.0)].map {
            JSONValue.array([.number(139.7 + $0.0 + drift), .number(35.6 + $0.1)])
        }
        let first = export * 10
        return try Handmade.zip([
            Handmade.feature(first, .venue, ["name": ["en": "Drift"]], geometry: Handmade.square()),
            Handmade.feature(first + 1, .level, ["ordinal": 0], geometry: Handmade.square()),
            Handmade.feature(
                first + 2, .unit, ["category": "room", "level_id": Handmade.reference(first + 1)],
                geometry: ["type": "Polygon", "coordinates": [.array(ring)]]),
        ])
    }

    private func longitude(_ harness: Harness, at revision: Int64) async throws -> Double {
        let units = try await harness.features(at: revision, "type=unit")
        #expect(units.count == 1)
        let body = try JSONReader.value(of: try #require(units.first))
        let corner = body["geometry"]?["coordinates"]?.array?.first?.array?.first?.array?.first
        return try #require(corner?.number)
    }

    /// An upload is compared with the stored body, not with the previous upload: otherwise a unit could drift without
    /// limit.
    @Test(arguments: [false, true])
    func `coordinate drift over a hundred uploads never exceeds the tolerance`(
        withNewIDs: Bool
    ) async throws {
        let harness = Harness.current
        var head: Int64 = 0
        var revisions = 0
        for step in 0..<100 {
            let upload = try await harness.push(Self.archive(step, export: withNewIDs ? step : 0))
            if upload.state == .published {
                head = try #require(upload.revision)
                revisions += 1
                #expect(upload.changes?.added == (step == 0 ? 3 : 0) && upload.changes?.removed == 0)
            } else {
                try #require(upload.state == .unchanged)
            }
            let deviation = abs(try await self.longitude(harness, at: head) - (139.7 + Double(step) * 2e-8))
            #expect(deviation <= 1.001e-7, "after upload \(step)")
        }
        // Five steps are 10⁻⁷, which is within the tolerance; the sixth step exceeds it.
        #expect(revisions == 17)
        let log = try await harness.get(Venue.self, "/venues/mall")
        #expect(log.head == 17)
    }
}
