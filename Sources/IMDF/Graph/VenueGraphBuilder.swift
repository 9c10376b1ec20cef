/// Builds a venue graph of features, which must be added in the order of their ids.
struct VenueGraphBuilder {
    private var levels: [FeatureID: VenueGraph.Level] = [:]
    private var units: [FeatureID: VenueGraph.Unit] = [:]
    private var buildings: Set<FeatureID> = []
    private var anchors: [FeatureID: JSONValue] = [:]
    private var buildingsOfLevels: [(level: FeatureID, buildings: JSONValue?)] = []
    private var amenities: [(id: FeatureID, units: JSONValue?)] = []
    private var occupants: [(id: FeatureID, anchor: JSONValue?)] = []
    private var placed: [(id: FeatureID, type: FeatureType, level: FeatureID)] = []
    private var spanning: [(id: FeatureID, touches: [FeatureID])] = []
    private var danglingReferences = 0

    mutating func add(_ id: FeatureID, _ type: FeatureType, _ properties: JSONValue?, _ placement: Placement) {
        switch type {
        case .building: self.buildings.insert(id)
        case .level:
            self.levels[id] = VenueGraph.Level(
                id: id, ordinal: properties?["ordinal"]?.number.flatMap { Int(exactly: $0) },
                isOutdoor: properties?["outdoor"]?.bool ?? false, name: Labels(properties?["name"]),
                shortName: Labels(properties?["short_name"]))
            self.buildingsOfLevels.append((id, properties?["building_ids"]))
        case .unit: self.units[id] = VenueGraph.Unit(id: id, name: Labels(properties?["name"]))
        case .anchor: self.anchors[id] = properties?["unit_id"] ?? .null
        case .amenity: self.amenities.append((id, properties?["unit_ids"]))
        case .occupant: self.occupants.append((id, properties?["anchor_id"]))
        default: break
        }
        if let level = placement.level { self.placed.append((id, type, level)) }
        if !placement.touches.isEmpty { self.spanning.append((id, placement.touches)) }
    }

    mutating func finish() -> (floors: [VenueGraph.Floor], danglingReferences: Int) {
        self.connectUnits()
        self.connectLevels()
        let floors = Dictionary(grouping: self.levels.values, by: \.ordinal)
            .map { VenueGraph.Floor(ordinal: $0, levels: $1.sorted(by: Self.precedes)) }
            .sorted { left, right in
                guard let first = left.ordinal, let second = right.ordinal else { return left.ordinal != nil }
                return first > second
            }
        return (floors, self.danglingReferences)
    }

    private mutating func connectUnits() {
        // An amenity may refer to a unit twice.
        for (amenity, units) in self.amenities {
            for unit in Set(self.targets(units, .unit)) {
                self.units[unit]?.amenities.append(amenity)
            }
        }
        for (occupant, anchor) in self.occupants {
            guard let anchor = self.target(anchor, .anchor),
                let unit = self.target(self.anchors[anchor], .unit)
            else { continue }
            self.units[unit]?.occupants.append(occupant)
        }
    }

    private mutating func connectLevels() {
        for (level, buildings) in self.buildingsOfLevels {
            let buildings = self.targets(buildings, .building).sorted()
            self.levels[level]?.buildings = buildings
        }
        for (id, type, level) in self.placed {
            switch type {
            case .unit: if let unit = self.units[id] { self.levels[level]?.units.append(unit) }
            case .opening: self.levels[level]?.openings.append(id)
            case .kiosk: self.levels[level]?.kiosks.append(id)
            case .fixture: self.levels[level]?.fixtures.append(id)
            case .section: self.levels[level]?.sections.append(id)
            case .detail: self.levels[level]?.details.append(id)
            default: break
            }
        }
        for (id, touches) in self.spanning {
            for level in touches { self.levels[level]?.spanning.append(id) }
        }
    }

    /// Groups levels by building, those without a building last.
    private static func precedes(_ left: VenueGraph.Level, _ right: VenueGraph.Level) -> Bool {
        guard left.buildings.first != right.buildings.first else { return left.id < right.id }
        guard let first = left.buildings.first, let second = right.buildings.first
        else { return !left.buildings.isEmpty }
        return first < second
    }

    /// The target of a reference, if it exists and has the type. Null and a missing value are not references.
    private mutating func target(_ value: JSONValue?, _ type: FeatureType) -> FeatureID? {
        guard let value, !value.isNull else { return nil }
        if let id = value.string.flatMap({ FeatureID($0) }), self.holds(id, type) { return id }
        self.danglingReferences += 1
        return nil
    }

    private mutating func targets(_ value: JSONValue?, _ type: FeatureType) -> [FeatureID] {
        // A single reference instead of a list is treated as a list of one.
        let values = value?.array ?? [value].compactMap(\.self)
        return values.compactMap { self.target($0, type) }
    }

    private func holds(_ id: FeatureID, _ type: FeatureType) -> Bool {
        switch type {
        case .building: self.buildings.contains(id)
        case .anchor: self.anchors[id] != nil
        default: self.units[id] != nil
        }
    }
}
