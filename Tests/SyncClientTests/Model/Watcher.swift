import IMDF
import SyncClient
import Testing

/// Somebody who knows a replica by its news alone.
struct Watcher {
    let scope: ReplicaScope
    private var news: ReplicaChanges.AsyncIterator
    private(set) var held: [FeatureID: ReplicaFeature] = [:]

    init(_ scope: ReplicaScope, on replica: VenueReplica) async throws {
        self.scope = scope
        self.news = try await replica.changes(on: scope).makeAsyncIterator()
        _ = try await self.hear()
    }

    /// What is to be known of a replica's features.
    func share(of features: [ReplicaFeature]) -> [FeatureID: ReplicaFeature] {
        var share: [FeatureID: ReplicaFeature] = [:]
        for feature in features where self.watches(feature.level) { share[feature.id] = feature }
        return share
    }

    private func watches(_ level: FeatureID?) -> Bool {
        switch self.scope {
        case .everything: true
        case .level(let watched): watched == level
        }
    }

    /// Replays the next news on what was known. Every change has to fit it.
    mutating func hear() async throws -> ReplicaUpdate? {
        guard let news = try await self.news.next() else { return nil }
        if news.isFromNothing { self.held = [:] }
        for change in news.changes {
            let (old, new): (ReplicaFeature?, ReplicaFeature?) =
                switch change {
                case .added(let new): (nil, new)
                case .changed(let old, let new), .moved(let old, let new): (old, new)
                case .removed(let old): (old, nil)
                }
            let known = self.held.removeValue(forKey: change.id)
            #expect(known == old.flatMap { self.watches($0.level) ? $0 : nil }, "\(change.id) was another one")
            if let new, self.watches(new.level) { self.held[new.id] = new }
            switch change {
            case .changed: #expect(old?.level == new?.level && old != new)
            case .moved: #expect(old?.level != new?.level)
            case .added, .removed: break
            }
        }
        return news
    }
}
