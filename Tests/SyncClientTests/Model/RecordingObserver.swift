import IMDF
import SyncClient
import Testing
import VenueMap

/// An observer that knows a replica from its updates alone.
struct RecordingObserver {
    /// What is observed.
    enum Part {
        case everything, venueWide
        case level(FeatureID)
        case ordinal(Int)
    }

    let part: Part
    private var updates: ReplicaChanges.AsyncIterator
    private(set) var held: [FeatureID: ReplicaFeature] = [:]

    init(_ part: Part, on replica: VenueReplica) async throws {
        self.part = part
        let levels: LevelSelection =
            switch part {
            case .everything: .everything
            case .venueWide: [.venueWide]
            case .level(let level): [.level(level)]
            case .ordinal(let ordinal): [.ordinal(ordinal)]
            }
        self.updates = try await replica.changes(on: levels).makeAsyncIterator()
        _ = try await self.receive(from: replica)
    }

    /// The features of a replica that are observed.
    func observed(of content: ReplicaContent) -> [FeatureID: ReplicaFeature] {
        let levels = self.levels(of: content)
        let touching = content.touching(levels)
        var observed: [FeatureID: ReplicaFeature] = [:]
        for feature in content.features where self.observes(feature, levels, touching) {
            observed[feature.id] = feature
        }
        return observed
    }

    private func levels(of content: ReplicaContent) -> Set<FeatureID> {
        switch self.part {
        case .everything, .venueWide: []
        case .level(let level): content.levels.keys.contains(level) ? [level] : []
        case .ordinal(let ordinal): Set(content.levels.filter { $0.value == ordinal }.keys)
        }
    }

    private func observes(_ feature: ReplicaFeature, _ levels: Set<FeatureID>, _ touching: Set<FeatureID>) -> Bool {
        switch self.part {
        case .everything: true
        case .venueWide: feature.level == nil
        case .level, .ordinal: feature.level.map(levels.contains) ?? touching.contains(feature.id)
        }
    }

    /// Applies the next update, which has to lead to what the replica holds. Every change has to fit what is known.
    mutating func receive(from replica: VenueReplica) async throws -> ReplicaUpdate? {
        guard let update = try await self.updates.next() else { return nil }
        let content = try await ReplicaContent(replica.store)
        let levels = self.levels(of: content)
        let touching = content.touching(levels)
        if update.isSnapshot { self.held = [:] }
        for change in update.changes {
            let (old, new): (ReplicaFeature?, ReplicaFeature?) =
                switch change {
                case .added(let new): (nil, new)
                case .changed(let old, let new), .moved(let old, let new): (old, new)
                case .removed(let old): (old, nil)
                }
            let known = self.held.removeValue(forKey: change.id)
            if case .moved(let old, let new) = change {
                // One of the two levels may be outside.
                #expect(known == nil || known == old)
                #expect(known != nil || self.observes(new, levels, touching), "\(change.id) was and is outside")
            } else {
                #expect(known == old, "\(change.id) differs")
            }
            if let new, self.observes(new, levels, touching) { self.held[new.id] = new }
            switch change {
            case .changed: #expect(old?.level == new?.level && old != new)
            case .moved: #expect(old?.level != new?.level)
            case .added, .removed: break
            }
        }
        return update
    }
}

/// What a replica holds.
struct ReplicaContent {
    let features: [ReplicaFeature]
    /// The ordinals of the held levels.
    let levels: [FeatureID: Int?]
    private let map: VenueMap

    init(_ store: ReplicaStore) async throws {
        let (features, levels) = try await store.read { (try $0.features(), try $0.levels()) }
        self.features = features
        self.levels = Dictionary(
            uniqueKeysWithValues: levels.compactMap { level in level.level.map { ($0, level.ordinal) } })
        self.map = VenueMap(features.map { .init(id: $0.id, type: $0.type, level: $0.level, body: $0.body) })
    }

    /// The venue-wide features that touch a level, by a map of everything that is held, and the level features.
    func touching(_ levels: Set<FeatureID>) -> Set<FeatureID> {
        levels.union(
            self.map.features.values.filter { feature in
                feature.placement.level == nil && feature.placement.touches.contains { levels.contains($0) }
            }.map(\.id))
    }
}
