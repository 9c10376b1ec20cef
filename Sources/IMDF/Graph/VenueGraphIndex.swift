/// The content of a ``VenueGraph`` with its references in both directions, so that a change of a few features is applied without
/// building the graph again.
package struct VenueGraphIndex: Sendable {
    /// A feature as the graph uses it.
    package typealias Entry = (id: FeatureID, type: FeatureType, properties: JSONObject, placement: Placement)

    /// Levels by id; also of ids that features name as their level although it is missing, or not of type `level`.
    private var levels: [FeatureID: VenueGraph.Level] = [:]
    private var units: [FeatureID: VenueGraph.Unit] = [:]
    private var nodes: [FeatureID: VenueGraphNode] = [:]
    /// The features that refer to an id, which may be missing; ascending.
    private var sources: [FeatureID: [FeatureID]] = [:]
    /// The existing targets of amenities (units), occupants (the unit of the anchor) and levels (buildings).
    private var targets: [FeatureID: [FeatureID]] = [:]
    /// The number of dangling references of a feature, if there are any.
    private var dangling: [FeatureID: Int] = [:]

    package init() {}

    /// Removes features, then adds or replaces others.
    ///
    /// - Complexity: O(*m* log *n*) for *m* features and those that refer to them, besides moving the elements of the lists that change.
    package mutating func update(removing removed: some Sequence<FeatureID>, adding added: some Sequence<Entry>) {
        var unresolved: Set<FeatureID> = []
        var changedUnits: Set<FeatureID> = []
        for id in removed {
            self.remove(id, &changedUnits)
            self.collectSources(of: id, into: &unresolved)
        }
        for entry in added {
            self.remove(entry.id, &changedUnits)
            self.insert(entry)
            self.collectSources(of: entry.id, into: &unresolved)
            unresolved.insert(entry.id)
            if entry.type == .unit { changedUnits.insert(entry.id) }
        }
        for id in unresolved.sorted() {
            self.disconnect(id, &changedUnits)
            self.connect(id, &changedUnits)
        }
        for id in changedUnits { self.refresh(id) }
    }

    private mutating func insert(_ entry: Entry) {
        let node = VenueGraphNode(entry)
        self.nodes[entry.id] = node
        for target in node.references { if let target { self.sources[target, default: []].insertSorted(entry.id) } }
        switch entry.type {
        case .unit: self.units[entry.id] = VenueGraph.Unit(id: entry.id, name: Labels(entry.properties["name"]))
        case .level: self.levels[entry.id, default: VenueGraph.Level(id: entry.id)].describe(by: entry.properties)
        default: break
        }
        if let level = node.level {
            self.levels[level, default: VenueGraph.Level(id: level)].insert(entry.id, entry.type)
        }
        for level in node.touches {
            self.levels[level, default: VenueGraph.Level(id: level)].spanning.insertSorted(entry.id)
        }
    }

    private mutating func remove(_ id: FeatureID, _ changedUnits: inout Set<FeatureID>) {
        guard let node = self.nodes.removeValue(forKey: id) else { return }
        for target in node.references { if let target { self.sources[target]?.removeSorted(id) } }
        self.disconnect(id, &changedUnits)
        switch node.type {
        case .unit: self.units[id] = nil
        case .level: self.levels[id]?.describe(by: [:])
        default: break
        }
        if let level = node.level { self.levels[level]?.remove(id, node.type) }
        for level in node.touches { self.levels[level]?.spanning.removeSorted(id) }
    }

    /// Adds the features whose targets depend on this one: those that refer to it, and those that refer to an anchor that does.
    private func collectSources(of id: FeatureID, into found: inout Set<FeatureID>) {
        for source in self.sources[id] ?? [] {
            found.insert(source)
            if self.nodes[source]?.type == .anchor { found.formUnion(self.sources[source] ?? []) }
        }
    }
}

// MARK: - References

extension VenueGraphIndex {
    /// Determines the targets of a feature's references.
    private mutating func connect(_ id: FeatureID, _ changedUnits: inout Set<FeatureID>) {
        guard let node = self.nodes[id] else { return }
        var dangling = 0
        switch node.type {
        case .level:
            let buildings = self.existing(node.references, .building, &dangling).sorted()
            self.levels[id]?.buildings = buildings
        case .amenity:
            // An amenity may refer to a unit twice.
            let units = Set(self.existing(node.references, .unit, &dangling))
            for unit in units { self.units[unit]?.amenities.insertSorted(id) }
            self.targets[id] = Array(units)
            changedUnits.formUnion(units)
        case .occupant:
            let anchors = self.existing(node.references, .anchor, &dangling)
            let units = anchors.flatMap { self.existing(self.nodes[$0]?.references ?? [], .unit, &dangling) }
            for unit in units { self.units[unit]?.occupants.insertSorted(id) }
            self.targets[id] = units
            changedUnits.formUnion(units)
        default: break
        }
        if dangling > 0 { self.dangling[id] = dangling }
    }

    private mutating func disconnect(_ id: FeatureID, _ changedUnits: inout Set<FeatureID>) {
        self.dangling[id] = nil
        for unit in self.targets.removeValue(forKey: id) ?? [] {
            self.units[unit]?.amenities.removeSorted(id)
            self.units[unit]?.occupants.removeSorted(id)
            changedUnits.insert(unit)
        }
    }

    private func existing(
        _ references: [FeatureID?], _ type: FeatureType, _ dangling: inout Int
    ) -> [FeatureID] {
        references.compactMap { id in
            if let id, self.nodes[id]?.type == type { return id }
            dangling += 1
            return nil
        }
    }

    /// Copies a unit into the list of its level.
    private mutating func refresh(_ id: FeatureID) {
        guard let unit = self.units[id], let level = self.nodes[id]?.level else { return }
        self.levels[level]?.replace(unit)
    }
}

// MARK: - Results

extension VenueGraphIndex {
    /// - Complexity: O(*n* log *n*) in the number of levels.
    package var graph: VenueGraph {
        let floors = Dictionary(grouping: self.levels.values.filter { self.level($0.id) != nil }, by: \.ordinal)
            .map { VenueGraph.Floor(ordinal: $0, levels: $1.sorted(by: VenueGraph.Level.precedes)) }
            .sorted { left, right in
                guard let first = left.ordinal, let second = right.ordinal else { return left.ordinal != nil }
                return first > second
            }
        return VenueGraph(floors: floors, danglingReferences: self.dangling.values.reduce(0, +))
    }

    /// A level that exists.
    package func level(_ id: FeatureID) -> VenueGraph.Level? {
        self.nodes[id]?.type == .level ? self.levels[id] : nil
    }

    /// A unit that exists, on whatever level, with the amenities and occupants that belong to it.
    package func unit(_ id: FeatureID) -> VenueGraph.Unit? { self.units[id] }

    /// The units that an amenity refers to, or the unit of an occupant's anchor; existing ones only.
    package func units(of id: FeatureID) -> [FeatureID] {
        self.nodes[id]?.type == .level ? [] : self.targets[id] ?? []
    }

    /// The anchors that refer to a unit, ascending.
    package func anchors(of unit: FeatureID) -> [FeatureID] {
        (self.sources[unit] ?? []).filter { self.nodes[$0]?.type == .anchor }
    }
}
