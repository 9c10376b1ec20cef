import IMDF
import SyncClient
import Testing

/// An observer that knows a replica from its updates alone.
struct RecordingObserver {
    let scope: ReplicaScope
    private var updates: ReplicaChanges.AsyncIterator
    private(set) var held: [FeatureID: ReplicaFeature] = [:]

    init(_ scope: ReplicaScope, on replica: VenueReplica) async throws {
        self.scope = scope
        self.updates = try await replica.changes(on: scope).makeAsyncIterator()
        _ = try await self.receive()
    }

    /// The features of a replica that are in the observed scope.
    func observed(of features: [ReplicaFeature]) -> [FeatureID: ReplicaFeature] {
        var observed: [FeatureID: ReplicaFeature] = [:]
        for feature in features where self.observes(feature.level) { observed[feature.id] = feature }
        return observed
    }

    private func observes(_ level: FeatureID?) -> Bool {
        switch self.scope {
        case .everything: true
        case .level(let observed): observed == level
        }
    }

    /// Applies the next update. Every change has to fit what is known.
    mutating func receive() async throws -> ReplicaUpdate? {
        guard let update = try await self.updates.next() else { return nil }
        if update.isSnapshot { self.held = [:] }
        for change in update.changes {
            let (old, new): (ReplicaFeature?, ReplicaFeature?) =
                switch change {
                case .added(let new): (nil, new)
                case .changed(let old, let new), .moved(let old, let new): (old, new)
                case .removed(let old): (old, nil)
                }
            let known = self.held.removeValue(forKey: change.id)
            #expect(known == old.flatMap { self.observes($0.level) ? $0 : nil }, "\(change.id) differs")
            if let new, self.observes(new.level) { self.held[new.id] = new }
            switch change {
            case .changed: #expect(old?.level == new?.level && old != new)
            case .moved: #expect(old?.level != new?.level)
            case .added, .removed: break
            }
        }
        return update
    }
}
