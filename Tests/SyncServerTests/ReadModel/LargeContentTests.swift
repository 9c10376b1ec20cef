import FloorTiles
import IMDF
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

@testable import SyncServer

/// What is too large for its cache is made once, as long as nothing else is as large.
@Suite(.server)
struct LargeContentTests {
    /// The first revision of a new venue, and a read model that knows it.
    private static func published(
        _ archive: [UInt8]
    ) async throws -> (readModel: ReadModel, venue: VenueRecord, revision: RevisionRecord) {
        let harness = Harness.current
        try await harness.push(archive)
        let readModel = ReadModel(store: harness.store)
        let venue = try await harness.store.venue(#require(VenueKey("mall")))
        return (readModel, venue, try await readModel.revisions(of: venue, at: 1).revision(1, of: venue))
    }

    @Test func `level that is too large for the cache is prepared once`() async throws {
        let (readModel, venue, revision) = try await Self.published(SampleVenue.tiny.archive())
        let drawing = TileDrawing(fonts: [], tileLimit: .seconds(20))
        let levels = LevelPreparation(readModel: readModel, drawing: drawing, bytes: 1_024)
        let id = try #require(revision.levels.first?.id)
        let first = try await levels.prepared([id], of: venue, at: revision, generation: 0)
        let second = try await levels.prepared([id], of: venue, at: revision, generation: 0)
        #expect(first.count == 1 && second.count == 1 && first[0].prepared === second[0].prepared)
    }

    @Test func `table of features that is too large for the cache is read once`() async throws {
        let archive = try Handmade.zip([Handmade.feature(1, .venue, geometry: Handmade.square())])
        let (readModel, venue, revision) = try await Self.published(archive)
        let tables = FeatureTableService(readModel: readModel, bytes: 1_024)
        _ = try await tables.tables(of: venue, at: revision, generation: 0)
        try await TestDatabase.current.withLock(on: "feature_version") {
            _ = try await tables.tables(of: venue, at: revision, generation: 0)
        }
    }
}
