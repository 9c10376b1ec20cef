import IMDF
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// A client that follows a venue by the five steps, with changing selections and page sizes, and checks that revisions
/// never go back.
struct Follower: Sendable {
    let venue: String
    private(set) var replica = Replica()
    /// The newest revision it has held.
    private(set) var revision: Int64 = 0
    /// The digests it has received, by revision.
    private(set) var shown: [Int64: Digest] = [:]
    private var knownLevels: Set<FeatureID> = []

    init(venue: String = "mall") {
        self.venue = venue
    }

    typealias Get = (_ path: String) async throws -> [UInt8]

    /// Reads all changes of the selected levels and verifies every digest.
    mutating func pull(levels: [String] = [], limit: Int? = nil, get: Get) async throws {
        let pages = try await ChangeSetPages.all(
            of: self.venue, since: self.replica.cursor, levels: levels, limit: limit, get: get)
        let last = try #require(pages.last)
        let from = self.replica.cursor == nil ? nil : self.revision
        #expect(pages.allSatisfy { $0.from == from && $0.to == last.to && $0.digest == last.digest })
        #expect(last.to >= self.revision, "revision \(last.to) after \(self.revision)")
        try self.replica.apply(pages)
        self.revision = last.to
        #expect(self.shown[last.to] ?? last.digest == last.digest, "revision \(last.to) had another digest")
        self.shown[last.to] = last.digest
        self.knownLevels.formUnion(self.replica.features.values.compactMap(\.level))
    }

    /// Reads all changes with a random selection and page size.
    mutating func pull(using random: inout SplitMix64, get: Get) async throws {
        let limit = Bool.random(using: &random) ? nil : Int.random(in: 5...60, using: &random)
        let levels: [String] =
            switch Int.random(in: 0..<5, using: &random) {
            case 0, 1: []
            case 2: ["venue"]
            case 3: ["ordinal:\(Int.random(in: -1...2, using: &random))", "\(FeatureID.random(using: &random))"]
            default: self.knownLevels.sorted().filter { _ in Bool.random(using: &random) }.map(\.description)
            }
        try await self.pull(levels: levels, limit: limit, get: get)
    }

    /// Forgets what it holds. It still checks that revisions never go back.
    mutating func startOver() {
        self.replica = Replica()
    }

    /// Reads everything when nothing changes any more, and checks that the result equals a fresh client.
    mutating func verifyFinalState(get: Get) async throws {
        try await self.pull(get: get)
        var fresh = Follower(venue: self.venue)
        try await fresh.pull(get: get)
        #expect(self.revision == fresh.revision && self.shown[self.revision] == fresh.shown[self.revision])
        #expect(self.replica == fresh.replica)
    }
}
