import IMDF
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Compares the store with a dictionary: after any publications and rollbacks, the five steps lead from one state to another.
@Suite(.database)
struct SyncModelTests {
    @Test(arguments: 0..<8 as Range<UInt64>)
    func `sync model: the five steps take a client from any revision to any later one`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let workshop = Workshop(store: TestDatabase.current.store)
        let history = try await self.history(of: 12, in: workshop, using: &random)
        for _ in 0..<25 {
            let from = Int.random(in: 0...history.count, using: &random)
            let to = Int.random(in: max(1, from)...history.count, using: &random)
            var replica = Replica()
            if from > 0 {
                let held = Self.selection(of: history[from - 1], using: &random)
                try replica.apply(
                    await workshop.pages(since: nil, to: Int64(from), levels: held.selection, limit: 1_000))
                #expect(replica.features == history[from - 1].replica(of: held.levels))
            }
            let target = Self.selection(of: history[to - 1], using: &random)
            let limit = Int.random(in: 1...7, using: &random)
            let pages = try await workshop.pages(
                since: replica.cursor, to: Int64(to), levels: target.selection, limit: limit)
            try replica.apply(pages)
            #expect(replica.features == history[to - 1].replica(of: target.levels), "from \(from) to \(to)")
            #expect(pages.allSatisfy { $0.digest == history[to - 1].digest })
            self.checkShape(of: pages, limit: limit, from: from > 0 ? history[from - 1] : nil)
        }
    }

    /// Random publications and rollbacks. Returns the states of the model, by revision.
    private func history(of count: Int, in workshop: Workshop, using random: inout SplitMix64) async throws
        -> [VenueModel]
    {
        var history: [VenueModel] = []
        while history.count < count {
            let now = history.last ?? VenueModel()
            let target = history.indices.randomElement(using: &random)
            if let target, history[target] != now, Int.random(in: 0..<4, using: &random) == 0 {
                let number = try await workshop.rollBack(to: Int64(target + 1))
                history.append(history[target])
                #expect(number == Int64(history.count))
            } else {
                var next = now
                next.change(Int.random(in: 1...25, using: &random), using: &random)
                if next == now { continue }
                #expect(try await workshop.publish(next, over: now) == Int64(history.count + 1))
                history.append(next)
            }
        }
        return history
    }

    private static func selection(
        of model: VenueModel, using random: inout SplitMix64
    ) -> (selection: LevelSelection, levels: Set<FeatureID>?) {
        if Int.random(in: 0..<3, using: &random) == 0 { return (.everything, nil) }
        var levels = Set(model.levels.filter { _ in Bool.random(using: &random) })
        var names = Set(levels.map(LevelSelection.Name.level))
        if Bool.random(using: &random) {
            names.insert(.ordinal(0))
            levels.formUnion(model.levels.filter { model.entries[$0]?.ordinal == 0 })
        }
        names.insert(.venueWide)
        names.insert(.level(.random(using: &random)))  // a client may select a level that does not exist any more
        return (LevelSelection(names: names), levels)
    }

    /// Checks that changes are net: each feature once, no body that the client had, and no page above the limit.
    private func checkShape(of pages: [ChangeSet], limit: Int, from: VenueModel?) {
        for page in pages {
            #expect(page.blocks.reduce(0) { $0 + $1.features.count + $1.removed.count } <= limit)
        }
        let changes = pages.flatMap(\.blocks).filter { $0.kind == .changes }
        let bodies = changes.flatMap { block in block.features.map { (block.level, $0) } }
        #expect(Set(bodies.map(\.1)).count == bodies.count)
        guard let from else { return }
        let held = from.replica(of: nil).values
        for (level, body) in bodies { #expect(!held.contains(Replica.Held(level: level, body: body))) }
        #expect(changes.allSatisfy { !$0.features.isEmpty || !$0.removed.isEmpty })
    }

    @Test func `rollback restores bodies and digests of a client`()
        async throws
    {
        var random = SplitMix64(seed: 77)
        let workshop = Workshop(store: TestDatabase.current.store)
        let history = try await self.history(of: 6, in: workshop, using: &random)
        for target in [1, 3, 1, 6] as [Int64] where history[Int(target) - 1] != history.last || target != 6 {
            let venue = try await workshop.store.venue(workshop.key)
            let then = try await workshop.store.revision(target, of: venue)
            if then.digest == (try await workshop.store.revision(venue.head, of: venue)).digest { continue }
            let number = try await workshop.rollBack(to: target)
            let now = try await workshop.store.revision(number, of: workshop.store.venue(workshop.key))
            #expect(now.digest == then.digest)
            let states = try await workshop.store.levelStates(of: venue, at: now)
            #expect(try await states == workshop.store.levelStates(of: venue, at: then))
        }
    }
}
