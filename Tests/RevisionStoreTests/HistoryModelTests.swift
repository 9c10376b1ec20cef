import IMDF
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Clients of a venue with all kinds of changes: levels are added, removed, restored, renamed and reordered, revisions are rolled back
/// and pruned, and sometimes the epoch is renewed.
@Suite(.database)
struct HistoryModelTests {
    @Test(arguments: 0..<8 as Range<UInt64>)
    func `sync model: clients converge on their selection through any changes of levels and history`(seed: UInt64)
        async throws
    {
        var random = SplitMix64(seed: seed)
        let workshop = Workshop(store: TestDatabase.current.store)
        var history: [VenueModel] = []
        var clients = [Follower(), Follower(), Follower()]
        for _ in 0..<40 {
            try await Self.change(&history, in: workshop, using: &random)
            for index in clients.indices where Int.random(in: 0..<3, using: &random) == 0 {
                try await clients[index].pull(from: workshop, history: history, using: &random)
            }
        }
        for index in clients.indices {
            try await clients[index].pull(from: workshop, history: history, using: &random)
        }
        #expect(clients.reduce(0) { $0 + $1.restarts } > 0)
    }

    private static func change(
        _ history: inout [VenueModel], in workshop: Workshop, using random: inout SplitMix64
    ) async throws {
        let kind = history.isEmpty ? 9 : Int.random(in: 0..<12, using: &random)
        switch kind {
        case 0:
            let venue = try await workshop.store.venue(workshop.key)
            _ = try await workshop.store.prune(venue, keeping: .random(in: 1...5, using: &random), by: .ops)
        case 1:
            try await workshop.store.renewEpoch(of: workshop.store.venue(workshop.key), by: .ops)
        case 2, 3:
            let venue = try await workshop.store.venue(workshop.key)
            let target = Int64.random(in: venue.first...venue.head, using: &random)
            guard history[Int(target) - 1] != history.last else { return }
            #expect(try await workshop.rollBack(to: target) == Int64(history.count + 1))
            history.append(history[Int(target) - 1])
        default:
            let now = history.last ?? VenueModel()
            var next = now
            next.change(Int.random(in: 1...8, using: &random), using: &random)
            let former = Set(history.flatMap(\.levels)).sorted()
            for _ in 0..<Int.random(in: 0...2, using: &random) { next.changeOddly(former: former, using: &random) }
            guard next != now else { return }
            #expect(try await workshop.publish(next, over: now) == Int64(history.count + 1))
            history.append(next)
        }
    }
}

/// A client that changes its selection, and follows the steps of a 410.
private struct Follower {
    var replica = Replica()
    var restarts = 0

    mutating func pull(
        from workshop: Workshop, history: [VenueModel], using random: inout SplitMix64
    ) async throws {
        guard let now = history.last else { return }
        let wish = Self.wish(of: now, using: &random)
        let limit = [1, 2, 5, 5_000].randomElement(using: &random) ?? 1
        do {
            let pages = try await workshop.pages(
                since: self.replica.cursor, to: nil, levels: wish.selection, limit: limit)
            try self.replica.apply(pages)
        } catch let error as StoreError where error.isLostHistory {
            self.restarts += 1
            try await self.startOver(in: workshop, levels: wish.selection)
        }
        #expect(self.replica.features == now.replica(of: wish.levels))
        // A client that is up to date fetches nothing.
        let again = try await workshop.pages(since: self.replica.cursor, to: nil, levels: wish.selection)
        #expect(again.count == 1 && again[0].blocks.isEmpty && again[0].cursor == self.replica.cursor)
    }

    /// The steps after a 410: fetch levels that differ, remove levels that are not listed, store the cursor.
    private mutating func startOver(in workshop: Workshop, levels: LevelSelection) async throws {
        let venue = try await workshop.store.venue(workshop.key)
        let (to, cursor, states) = try await workshop.reader.stateToStartOver(of: venue, levels: levels)
        let listed = Set(states.map(\.level))
        self.replica.features = self.replica.features.filter { listed.contains($0.value.level) }
        for state in states where self.replica.digest(of: state.level) != state.digest {
            let filter = FeatureFilter(levels: state.level.map { [$0] } ?? [], venueWide: state.level == nil)
            let features = try await workshop.store.features(of: venue, at: to, where: filter)
            self.replica.features = self.replica.features.filter { $0.value.level != state.level }
            for feature in features {
                self.replica.features[feature.id] = .init(level: state.level, body: feature.body)
            }
        }
        // A feature that moved may have been fetched with one level and removed with the other.
        for state in states { #expect(self.replica.digest(of: state.level) == state.digest) }
        self.replica.cursor = cursor
    }

    private static func wish(
        of model: VenueModel, using random: inout SplitMix64
    ) -> (selection: LevelSelection, levels: Set<FeatureID>?) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return (.everything, nil)
        case 1: return (LevelSelection(names: [.venueWide]), [])
        case 2:
            let levels = model.levels.filter { model.entries[$0]?.ordinal == 1 }
            return (LevelSelection(names: [.ordinal(1)]), Set(levels))
        default:
            let levels = model.levels.filter { _ in Bool.random(using: &random) }
            return (LevelSelection(names: Set(levels.map(LevelSelection.Name.level) + [.venueWide])), Set(levels))
        }
    }
}

extension StoreError {
    fileprivate var isLostHistory: Bool {
        switch self {
        case .historyLost, .revisionPruned: true
        default: false
        }
    }
}
