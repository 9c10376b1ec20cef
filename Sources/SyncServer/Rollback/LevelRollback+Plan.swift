import IMDF
import RevisionStore

/// What a rollback of some levels writes.
struct LevelPlan {
    /// By id.
    var versions: [LevelRestoration.Version] = []
    /// By id.
    var removed: [FeatureID] = []
    /// The features that a reader finds changed: some versions only touch other levels than before.
    var changed: Set<FeatureID> = []
    /// How many the new state has.
    var features = 0
    var venueFeature: FeatureID?
    /// Of what comes from the earlier revision.
    var restoredTypes: Set<FeatureType> = []
}

extension LevelRollback {
    enum Outcome {
        case plan(LevelPlan)
        case entangled(LevelEntanglement)
    }

    /// Works out the new state, or why there cannot be one. Every feature's place in it is found anew.
    func outcome() -> Outcome {
        var entanglement = LevelEntanglement(levels: self.levels)
        self.findCrossings(&entanglement)
        self.findDangling(&entanglement)
        guard entanglement.isEmpty else { return .entangled(entanglement) }
        let nodes = self.features.compactMap { feature in
            self.version(of: feature).map { Node(id: feature.id, type: $0.type, references: feature.references) }
        }
        let placements = LevelAssignment.placements(of: nodes)
        self.findDisplaced(nodes, placements, &entanglement)
        return entanglement.isEmpty ? .plan(self.plan(nodes, placements)) : .entangled(entanglement)
    }

    private struct Node: ReferringFeature {
        let id: FeatureID
        let type: FeatureType
        let references: [Reference]
    }

    /// Features that belong to the levels in one of the two revisions and to something else in the other.
    private func findCrossings(_ entanglement: inout LevelEntanglement) {
        var venues = 0
        for feature in self.features {
            if self.version(of: feature)?.type == .venue { venues += 1 }
            guard let now = feature.now, let then = feature.then,
                self.contains(now, feature.id) != self.contains(then, feature.id)
            else { continue }
            entanglement.cross(feature)
        }
        guard venues != 1, entanglement.isEmpty else { return }
        // One venue feature belongs to a level and the other, of the other revision, does not.
        for feature in self.features where feature.now?.type == .venue || feature.then?.type == .venue {
            entanglement.cross(feature)
        }
    }

    /// References to what the new state lacks, although the revision that they come from had it.
    private func findDangling(_ entanglement: inout LevelEntanglement) {
        for feature in self.features {
            guard let origin = self.origin(of: feature), let version = self.version(of: feature) else { continue }
            var missing: Set<FeatureID> = []
            for reference in feature.references {
                guard let target = self.feature(reference.target), self.origin(of: target) == nil else { continue }
                // What stays refers to what goes: it would have to be taken back too. What comes back refers to what
                // does not: that would have to come too.
                switch origin {
                case .now where target.now != nil:
                    guard missing.insert(target.id).inserted else { continue }
                    entanglement.dangle(feature.id, version.type, target.id, cure: version.levels(of: feature.id))
                case .then where target.then != nil:
                    guard missing.insert(target.id).inserted else { continue }
                    entanglement.dangle(
                        feature.id, version.type, target.id, cure: target.then?.levels(of: target.id) ?? [])
                default: continue
                }
            }
        }
    }

    /// Features that would come to stand elsewhere, because of what they refer to.
    private func findDisplaced(
        _ nodes: [Node], _ placements: [Placement], _ entanglement: inout LevelEntanglement
    ) {
        for (node, placement) in zip(nodes, placements) {
            guard let feature = self.feature(node.id), let version = self.version(of: feature) else { continue }
            switch self.origin(of: feature) {
            case .then where !placement.isWhere(version.placement):
                entanglement.displace(feature.id, version, to: placement, cure: placement.levels)
            case .now where placement.level != version.placement.level || self.isTaken(placement, node):
                entanglement.displace(
                    feature.id, version, to: placement, cure: placement.levels + version.levels(of: feature.id))
            default: continue
            }
        }
    }

    /// Whether a place belongs to the levels.
    private func isTaken(_ placement: Placement, _ node: Node) -> Bool {
        node.type != .level && !placement.levels.isEmpty && placement.levels.allSatisfy(self.levels.contains)
    }

    private func plan(_ nodes: [Node], _ placements: [Placement]) -> LevelPlan {
        var plan = LevelPlan()
        plan.features = nodes.count
        plan.venueFeature = nodes.first { $0.type == .venue }?.id
        for (node, placement) in zip(nodes, placements) {
            guard let feature = self.feature(node.id), let version = self.version(of: feature) else { continue }
            if self.origin(of: feature) == .then { plan.restoredTypes.insert(version.type) }
            if let now = feature.now, now.digest == version.digest {
                if now.placement == placement { continue }
                if now.placement.level != placement.level { plan.changed.insert(node.id) }
            } else {
                plan.changed.insert(node.id)
            }
            plan.versions.append(
                .init(feature: node.id, source: version.fromRevision, placement: placement))
        }
        plan.removed = self.features.filter { $0.now != nil && self.origin(of: $0) == nil }.map(\.id)
        plan.changed.formUnion(plan.removed)
        return plan
    }
}
