import IMDF
import RevisionStore

/// What a rollback of some levels writes.
struct LevelRollbackPlan {
    /// By id.
    var versions: [LevelRestoration.Version] = []
    /// By id.
    var removed: [FeatureID] = []
    /// The features that are different for a reader. Some versions are only written because other levels are touched.
    var changed: Set<FeatureID> = []
    /// The number of features of the new state.
    var features = 0
    var venueFeature: FeatureID?
    /// The types of the features that come from the earlier revision.
    var restoredTypes: Set<FeatureType> = []
}

extension LevelRollback {
    enum Outcome {
        case plan(LevelRollbackPlan)
        case entangled(LevelEntanglement)
    }

    /// Works out the new state, or why there cannot be one. The level of every feature is determined anew.
    func outcome() -> Outcome {
        var entanglement = LevelEntanglement(levels: self.levels)
        self.findCrossed(&entanglement)
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

    /// Finds features that belong to the levels in only one of the two revisions.
    private func findCrossed(_ entanglement: inout LevelEntanglement) {
        var venues = 0
        for feature in self.features {
            if self.version(of: feature)?.type == .venue { venues += 1 }
            guard let current = feature.current, let earlier = feature.earlier,
                self.contains(current, feature.id) != self.contains(earlier, feature.id)
            else { continue }
            entanglement.addCrossed(feature)
        }
        guard venues != 1, entanglement.isEmpty else { return }
        // The two revisions have different venue features, and only one of them belongs to a level.
        for feature in self.features where feature.current?.type == .venue || feature.earlier?.type == .venue {
            entanglement.addCrossed(feature)
        }
    }

    /// Finds references to features that the new state lacks, although the revision of the referring feature has them.
    private func findDangling(_ entanglement: inout LevelEntanglement) {
        for feature in self.features {
            guard let origin = self.origin(of: feature), let version = self.version(of: feature) else { continue }
            var missing: Set<FeatureID> = []
            for reference in feature.references {
                guard let target = self.feature(reference.target), self.origin(of: target) == nil else { continue }
                // A feature that stays and refers to one that is removed would have to be rolled back too. A feature that is
                // restored needs the features that it refers to.
                switch origin {
                case .current where target.current != nil:
                    guard missing.insert(target.id).inserted else { continue }
                    entanglement.addDangling(
                        feature.id, version.type, missing: target.id, tiedTo: version.levels(of: feature.id))
                case .earlier where target.earlier != nil:
                    guard missing.insert(target.id).inserted else { continue }
                    entanglement.addDangling(
                        feature.id, version.type, missing: target.id,
                        tiedTo: target.earlier?.levels(of: target.id) ?? [])
                default: continue
                }
            }
        }
    }

    /// Finds features whose references would place them on other levels than their revision does.
    private func findDisplaced(
        _ nodes: [Node], _ placements: [Placement], _ entanglement: inout LevelEntanglement
    ) {
        for (node, placement) in zip(nodes, placements) {
            guard let feature = self.feature(node.id), let version = self.version(of: feature) else { continue }
            switch self.origin(of: feature) {
            case .earlier where !placement.selectsSameLevels(as: version.placement):
                entanglement.addDisplaced(feature.id, version, to: placement, tiedTo: placement.levels)
            case .current where placement.level != version.placement.level || self.isInside(placement, node):
                entanglement.addDisplaced(
                    feature.id, version, to: placement, tiedTo: placement.levels + version.levels(of: feature.id))
            default: continue
            }
        }
    }

    /// Whether a placement belongs to the levels.
    private func isInside(_ placement: Placement, _ node: Node) -> Bool {
        node.type != .level && !placement.levels.isEmpty && placement.levels.allSatisfy(self.levels.contains)
    }

    private func plan(_ nodes: [Node], _ placements: [Placement]) -> LevelRollbackPlan {
        var plan = LevelRollbackPlan()
        plan.features = nodes.count
        plan.venueFeature = nodes.first { $0.type == .venue }?.id
        for (node, placement) in zip(nodes, placements) {
            guard let feature = self.feature(node.id), let version = self.version(of: feature) else { continue }
            if self.origin(of: feature) == .earlier { plan.restoredTypes.insert(version.type) }
            if let current = feature.current, current.digest == version.digest {
                if current.placement == placement { continue }
                if current.placement.level != placement.level { plan.changed.insert(node.id) }
            } else {
                plan.changed.insert(node.id)
            }
            plan.versions.append(
                .init(feature: node.id, source: version.fromRevision, placement: placement))
        }
        plan.removed = self.features.filter { $0.current != nil && self.origin(of: $0) == nil }.map(\.id)
        plan.changed.formUnion(plan.removed)
        return plan
    }
}
