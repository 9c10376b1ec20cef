import IMDF
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// What pages of one change set, with other limits and levels, have in common.
@Suite(.server)
struct PageCostTests {
    /// The address in memory of the first changed feature of a page.
    private static func firstChange(of page: ChangeSetPagePlan) -> UInt? {
        page.versions.first { !$0.isEmpty }.flatMap { versions in
            versions.withUnsafeBufferPointer { $0.baseAddress.map { UInt(bitPattern: $0) } }
        }
    }

    @Test func `changes between two revisions are put in order once for all limits and levels`() async throws {
        let harness = Harness.current
        try await harness.push(SampleVenue.tiny.archive())
        let cursor = try await harness.sync().cursor
        try await harness.push(SampleVenue.tiny.edited(Edit(.rename, 5)).archive())
        let venue = try await harness.store.venue(#require(VenueKey("mall")))
        let reader = RevisionReader(store: harness.store)
        // Kept, so that an address is not used again.
        var pages: [ChangeSetPagePlan] = []
        for limit in [1, 2, 5_000] {
            pages.append(
                try await reader.page(
                    for: SyncRequest(venue: venue, since: cursor, to: nil, levels: .everything, limit: limit)))
        }
        let first = try #require(pages[0].header.blocks.first)
        let level = try #require(LevelSelection(values: [first.level?.description ?? "venue"]))
        pages.append(
            try await reader.page(
                for: SyncRequest(venue: venue, since: cursor, to: nil, levels: level, limit: 5_000)))
        let addresses = pages.map { Self.firstChange(of: $0) }
        #expect(addresses[0] != nil && Set(addresses).count == 1)
        #expect(pages.map { $0.versions.reduce(0) { $0 + $1.count } }.prefix(2) == [1, 2])
    }
}
