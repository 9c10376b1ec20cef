/// What the index of a venue graph keeps of a feature.
struct VenueGraphNode: Sendable {
    let type: FeatureType
    let level: FeatureID?
    let touches: [FeatureID]
    /// The references that the graph uses; nil for a value that is not an id.
    let references: [FeatureID?]

    init(_ entry: VenueGraphIndex.Entry) {
        self.type = entry.type
        self.level = entry.placement.level
        self.touches = entry.placement.touches
        self.references =
            switch entry.type {
            case .level: Self.list(entry.properties["building_ids"])
            case .amenity: Self.list(entry.properties["unit_ids"])
            case .anchor: Self.single(entry.properties["unit_id"])
            case .occupant: Self.single(entry.properties["anchor_id"])
            default: []
            }
    }

    /// Null and a missing value are not references.
    private static func single(_ value: JSONValue?) -> [FeatureID?] {
        guard let value, !value.isNull else { return [] }
        return [value.string.flatMap { FeatureID($0) }]
    }

    /// A single reference instead of a list is treated as a list of one.
    private static func list(_ value: JSONValue?) -> [FeatureID?] {
        (value?.array ?? [value].compactMap(\.self)).flatMap { self.single($0) }
    }
}

extension VenueGraph.Level {
    /// Sets what the level's own properties describe.
    mutating func describe(by properties: JSONObject) {
        self.ordinal = properties["ordinal"]?.number.flatMap { Int(exactly: $0) }
        self.isOutdoor = properties["outdoor"]?.bool ?? false
        self.name = Labels(properties["name"])
        self.shortName = Labels(properties["short_name"])
        self.buildings = []
    }

    mutating func insert(_ id: FeatureID, _ type: FeatureType) {
        if let list = Self.list(of: type) { return self[keyPath: list].insertSorted(id) }
        guard type == .unit else { return }
        self.units.insert(VenueGraph.Unit(id: id, name: nil), at: self.index(ofUnit: id))
    }

    mutating func remove(_ id: FeatureID, _ type: FeatureType) {
        if let list = Self.list(of: type) { return self[keyPath: list].removeSorted(id) }
        let index = self.index(ofUnit: id)
        if type == .unit, index < self.units.count, self.units[index].id == id { self.units.remove(at: index) }
    }

    mutating func replace(_ unit: VenueGraph.Unit) {
        let index = self.index(ofUnit: unit.id)
        if index < self.units.count, self.units[index].id == unit.id { self.units[index] = unit }
    }

    private func index(ofUnit id: FeatureID) -> Int {
        guard let last = self.units.last, id <= last.id else { return self.units.count }
        var (low, high) = (0, self.units.count)
        while low < high {
            let middle = (low + high) / 2
            if self.units[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func list(of type: FeatureType) -> WritableKeyPath<Self, [FeatureID]>? {
        switch type {
        case .opening: \.openings
        case .kiosk: \.kiosks
        case .fixture: \.fixtures
        case .section: \.sections
        case .detail: \.details
        default: nil
        }
    }

    /// Groups levels by building, those without a building last.
    static func precedes(_ left: VenueGraph.Level, _ right: VenueGraph.Level) -> Bool {
        guard left.buildings.first != right.buildings.first else { return left.id < right.id }
        guard let first = left.buildings.first, let second = right.buildings.first
        else { return !left.buildings.isEmpty }
        return first < second
    }
}
