import Dispatch
import HTTPTypes
import SampleVenue
import SyncModel
import Synchronization
import TestSupport
import Testing

@testable import SyncServer

/// A server that is stopped while it does work of minutes. The test decides when the work has its turns, so nothing depends on time.
@Suite(.database, .timeLimit(.minutes(30)))
struct InterruptedWorkTests {
    /// Work of another venue, which gives its permit away for one turn when the test says so.
    private final class OtherWork: Sendable {
        private let key: TileDrawing.Key
        private let permits: FairSemaphore<TileDrawing.Key>
        private let isOver = Atomic(false)
        private let decision = DispatchSemaphore(value: 0)
        private let hasPermit = AsyncStream.makeStream(of: Void.self)

        /// Returns when it has a permit.
        init(of venue: String, in permits: FairSemaphore<TileDrawing.Key>) async throws {
            self.key = .tiles(try #require(VenueKey(venue)))
            self.permits = permits
            _ = Task { try await permits.inTurns(for: self.key, limit: .seconds(1_700)) { _ in self.run() } }
            await self.untilPermitted()
        }

        private func run() {
            self.hasPermit.continuation.yield()
            while true {
                self.decision.wait()
                if self.isOver.load(ordering: .acquiring) { return }
                self.permits.giveTurn(of: self.key)
                self.hasPermit.continuation.yield()
            }
        }

        private func untilPermitted() async { for await _ in self.hasPermit.stream { break } }

        /// Lets the first work that waits have a turn, and returns when that is over.
        func giveTurn() async {
            self.decision.signal()
            await self.untilPermitted()
        }

        func end() {
            self.isOver.store(true, ordering: .releasing)
            self.decision.signal()
        }
    }

    enum Work: String, CaseIterable {
        /// Chinese characters.
        case glyphs = "glyphs/Sans%20JP/19968-20223.pbf"
        case archive = "revisions/1/tiles/0.pmtiles?format=mvt"

        func key(of venue: VenueKey) -> TileDrawing.Key {
            switch self {
            case .glyphs: .symbols(venue)
            case .archive: .archive(venue)
            }
        }
    }

    @Test(arguments: Work.allCases)
    func `stopped server: long work goes on at first, and ends with its turn when the time for it is over`(
        work: Work
    ) async throws {
        let mall = try #require(VenueKey("mall"))
        try await Harness.cancellable { harness, port, stop, cancel in
            try await harness.push(SampleVenue(.init(levels: 1, unitsPerLevel: 400)).archive())
            // Prepares the level.
            #expect(try await harness.send(.get, "/venues/mall/tiles/0/16/1/1.mvt").status == .ok)
            let permits = harness.server.tiles.drawing.permits
            var others: [OtherWork] = []
            defer { for other in others { other.end() } }
            for number in 0..<TileDrawing.permitCount {
                others.append(try await OtherWork(of: "other-\(number)", in: permits))
            }
            let other = others[0]
            let client = try RawClient(port: port)
            let fields = "Host: a\r\nAuthorization: Bearer \(Harness.adminKey)\r\n\r\n"
            try client.send("GET /venues/mall/\(work.rawValue) HTTP/1.1\r\n\(fields)")
            try await harness.until { permits.waiting == 1 }
            await other.giveTurn()
            try #require(permits.waiting == 1, "the work has not ended with its first turn")
            await stop()
            try await eventually("the port refuses connections") { (try? RawClient(port: port)) == nil }
            await other.giveTurn()
            try #require(permits.waiting == 1, "the work goes on while there is time")
            cancel()
            await other.giveTurn()
            #expect(permits.waiting == 0, "the work has ended with this turn")
            // It has given everything back.
            other.end()
            try await permits.withPermit(for: work.key(of: mall)) {}
            #expect(harness.server.tiles.symbols.glyphPermits.waiting == 0)
        }
    }
}
