import IMDF

/// A feature as level assignment sees it.
struct Node: ReferringFeature {
    var id: FeatureID
    var type: FeatureType
    var references: [Reference] = []

    init(_ id: Int, _ type: FeatureType, _ references: [(Reference.Role, Int)] = []) {
        self.id = FeatureID(id)
        self.type = type
        self.references = references.map { Reference(role: $0.0, target: FeatureID($0.1)) }
    }
}

/// A slow and simple level assignment: start with what each feature determines by itself, then visit all features again and
/// again until nothing changes.
struct PlacementModel {
    private let nodes: [FeatureID: Node]
    /// The levels that a feature leads to.
    private var levels: [FeatureID: Set<FeatureID>] = [:]
    /// Features that have no level whatever they lead to.
    private var lost: Set<FeatureID> = []

    init(_ nodes: [Node]) {
        self.nodes = Dictionary(nodes.map { ($0.id, $0) }) { first, _ in first }
        self.spreadLevels()
        self.spreadLoss()
    }

    func placement(of id: FeatureID) -> Placement {
        let type = self.nodes[id]?.type
        let levels = self.levels[id] ?? []
        let depth = self.depth(of: id)
        if type == .level { return Placement(level: nil, depth: depth) }
        if levels.count == 1, !self.lost.contains(id) { return Placement(level: levels.first, depth: depth) }
        return Placement(level: nil, touches: levels.sorted(), depth: depth)
    }

    private static let withoutLevel: Set<FeatureType> = [.venue, .address, .building, .footprint]

    private func countingLevels(of node: Node) -> [FeatureID] {
        guard node.type != .level else { return [] }
        return node.references.filter { $0.role == .level && self.nodes[$0.target]?.type == .level }.map(\.target)
    }

    /// The references that have a say, dangling ones among them.
    private func voices(of node: Node) -> [Reference] {
        let others = node.references.filter { $0.role != .level && $0.target != node.id }
        switch node.type {
        case .level, .venue, .address, .building, .footprint: return []
        case .anchor: return others.filter { $0.role == .unit }
        case .amenity: return others.filter { $0.role == .units && self.nodes[$0.target] != nil }
        case .occupant: return others.filter { $0.role == .anchor }
        case .geofence: return others.filter { $0.role == .levels }
        case .relationship: return others.filter { [.origin, .intermediary, .destination].contains($0.role) }
        default:
            return others.filter { reference in
                guard let target = self.nodes[reference.target] else { return reference.role != .undeclared }
                return !Self.withoutLevel.contains(target.type)
            }
        }
    }

    /// The references that determine the level of a feature.
    private func ends(of node: Node) -> [FeatureID] {
        let levels = self.countingLevels(of: node)
        if !levels.isEmpty { return levels }
        return self.voices(of: node).map(\.target).filter { target in
            guard let type = self.nodes[target]?.type else { return false }
            return node.type != .geofence || type == .level
        }
    }

    private func reachable(from id: FeatureID) -> Set<FeatureID> {
        var reached: Set<FeatureID> = []
        var rest = self.nodes[id].map(self.ends) ?? []
        while let next = rest.popLast() {
            if reached.insert(next).inserted { rest += self.nodes[next].map(self.ends) ?? [] }
        }
        return reached
    }

    /// The features that wait for a feature's level while it waits for theirs.
    private func circle(of id: FeatureID) -> Set<FeatureID> {
        self.reachable(from: id).filter { self.reachable(from: $0).contains(id) }
    }

    private mutating func spreadLevels() {
        var isChanging = true
        while isChanging {
            isChanging = false
            for node in self.nodes.values {
                var levels: Set<FeatureID> = node.type == .level ? [node.id] : []
                if node.type != .level {
                    let circle = self.circle(of: node.id)
                    for end in self.ends(of: node) where !circle.contains(end) {
                        levels.formUnion(self.levels[end] ?? [])
                    }
                }
                if levels != self.levels[node.id] ?? [] {
                    self.levels[node.id] = levels
                    isChanging = true
                }
            }
        }
    }

    private mutating func spreadLoss() {
        var isChanging = true
        while isChanging {
            isChanging = false
            for node in self.nodes.values where !self.lost.contains(node.id) && self.countingLevels(of: node).isEmpty {
                let loses =
                    self.circle(of: node.id).contains(node.id)
                    || self.voices(of: node).contains { voice in
                        guard let target = self.nodes[voice.target] else { return true }
                        if target.type == .level { return false }
                        if node.type == .geofence { return true }
                        return self.lost.contains(target.id) || self.levels[target.id, default: []].isEmpty
                    }
                if loses {
                    self.lost.insert(node.id)
                    isChanging = true
                }
            }
        }
    }

    private func parents(of id: FeatureID) -> [FeatureID] {
        guard let node = self.nodes[id] else { return [] }
        return node.references
            .filter { $0.role == .parents && $0.target != id && self.nodes[$0.target]?.type == node.type }
            .map(\.target)
    }

    private func ancestors(of id: FeatureID) -> Set<FeatureID> {
        var ancestors: Set<FeatureID> = []
        var rest = self.parents(of: id)
        while let next = rest.popLast() {
            if ancestors.insert(next).inserted { rest += self.parents(of: next) }
        }
        return ancestors
    }

    private func depth(of id: FeatureID) -> Int {
        let circle = self.ancestors(of: id).filter { self.ancestors(of: $0).contains(id) }.union([id])
        return circle.flatMap { self.parents(of: $0) }.filter { !circle.contains($0) }
            .map { self.depth(of: $0) + 1 }.max() ?? 0
    }
}
