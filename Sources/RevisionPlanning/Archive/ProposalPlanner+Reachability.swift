import Foundation
import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore
import Wayfinding

extension ProposalPlanner {
    /// The features on which routes depend.
    private static let routedTypes: Set<FeatureType> = [.level, .unit, .opening, .relationship, .anchor, .occupant]
    /// What routes depend on. Most uploads change names and hours only.
    private static let routedClasses: ChangeClasses = [
        .geometry, .position, .category, .reference, .level, .type, .other, .ordinal,
    ]
    /// Of a venue with more features of these types it is not determined what changes do to what can be reached.
    private static let routedFeatureLimit = 20_000
    /// How long a venue may take. Only one that was made to be slow takes as long.
    private static let timeLimit = Duration.seconds(3)

    /// What changes do to what can be reached from the exits, before and after, or that this is not known; none if no exit is stated
    /// either time.
    func reachabilityFacts(
        of difference: Difference, state: VenueState, base: ComparisonBase
    ) async throws -> [Fact] {
        let stored = base.features.filter { Self.routedTypes.contains($0.type) }
        let arrived = state.features.filter { Self.routedTypes.contains($0.feature.type) }
        guard difference.changes.contains(where: Self.concernsRoutes), !stored.isEmpty else { return [] }
        let reader = JSONReader()
        func isExit(_ body: [UInt8]) -> Bool {
            guard let category = (try? reader.value(of: body))?["properties"]?["category"]?.string else { return false }
            return WayfindingMap.exitCategories.contains(category)
        }
        var hasExit = arrived.contains { $0.feature.type == .opening && isExit($0.feature.body) }
        if !hasExit {
            try await self.readBodies(of: stored.filter { $0.type == .opening }.map(\.id), base) { _, body in
                hasExit = hasExit || isExit(body)
            }
        }
        guard hasExit else { return [] }
        guard stored.count <= Self.routedFeatureLimit, arrived.count <= Self.routedFeatureLimit else {
            return [UnknownReach.tooLarge.fact]
        }
        func feature(_ id: FeatureID, _ type: FeatureType, _ body: [UInt8]) -> WayfindingFeature? {
            (try? reader.value(of: body))?.object.map { WayfindingFeature(id: id, type: type, content: $0) }
        }
        let types = Dictionary(stored.map { ($0.id, $0.type) }, uniquingKeysWith: { first, _ in first })
        var before: [FeatureID: WayfindingFeature] = [:]
        try await self.readBodies(of: stored.map(\.id), base) { id, body in
            before[id] = types[id].flatMap { feature(id, $0, body) }
        }
        let changed = Set(difference.changes.map(\.id))
        var after: [WayfindingFeature] = []
        for arrival in arrived {
            let id = arrival.feature.id
            // Of features that count as equal, the stored body stays.
            let kept = changed.contains(id) ? nil : before[id]
            if let read = kept ?? feature(id, arrival.feature.type, arrival.feature.body) { after.append(read) }
        }
        let earlier = Self.reach(in: Array(before.values))
        try Task.checkCancellation()
        return Fact.facts(before: earlier, after: Self.reach(in: after), ordinals: state.ordinals(over: base))
    }

    /// Passes stored bodies to a closure.
    private func readBodies(
        of ids: [FeatureID], _ base: ComparisonBase, _ read: (FeatureID, [UInt8]) -> Void
    ) async throws {
        for start in stride(from: 0, to: ids.count, by: 2_000) {
            let batch = Array(ids[start..<min(start + 2_000, ids.count)])
            try await self.store.bodies(of: batch, in: base.venue, at: base.number, read)
        }
    }

    /// Facts are about features that exist before and after, so a new shop alone has none.
    private static func concernsRoutes(_ change: Change) -> Bool {
        guard self.routedTypes.contains(change.type) else { return false }
        if change.kind == .changed { return !change.classes.isDisjoint(with: self.routedClasses) }
        return change.type != .occupant
    }

    private static func reach(in features: [WayfindingFeature]) -> VenueReach {
        let end = ContinuousClock.now + self.timeLimit
        let isOver = { ContinuousClock.now > end }
        let report = WayfindingMap(features, shouldStop: isOver).reachabilityReport(shouldStop: isOver)
        if isOver() { return .unknown(.tooSlow) }
        if report.isTooComplex { return .unknown(.tooComplex) }
        guard report.isKnown else { return .unknown(.noExit) }
        return .known(
            report.reach.mapValues { reach in
                Reach(
                    type: reach.type, level: reach.level, isReached: reach.profiles.contains(.walk),
                    isReachedWithoutSteps: reach.profiles.contains(.stepFree))
            })
    }
}
