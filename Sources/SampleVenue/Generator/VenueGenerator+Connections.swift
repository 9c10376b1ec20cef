import IMDF

extension VenueGenerator {
    typealias End = (id: FeatureID, type: FeatureType)

    /// Lifts, escalators and stairs: their amenities and the relationships between floors.
    mutating func addConnections(of building: Building) {
        let floors = building.floors
        let lifts = floors.compactMap { floor in floor.core["elevator"] }
        let correlation = lifts.count > 1 ? FeatureID.random(using: &self.random) : nil
        for lift in lifts {
            self.addAmenity(
                "elevator", at: lift.spot, in: [lift.unit], name: Label("Lift", "エレベーター"), accessible: true,
                correlation: correlation)
        }
        self.connect(lifts.map(\.unit), by: "elevator")
        // One amenity for the stairs on all floors, but one for each stop of the lift: producers do both.
        let stairs = floors.compactMap { floor in floor.core["stairs"] }
        if let lowest = stairs.first {
            self.addAmenity("stairs", at: lowest.spot, in: stairs.map(\.unit), name: Label("Stairs", "階段"))
        }
        self.connect(stairs.map(\.unit), by: "stairs")
        let escalators = floors.compactMap { floor in floor.core["escalator"] }
        for escalator in escalators {
            self.addAmenity("escalator", at: escalator.spot, in: [escalator.unit])
        }
        for (lower, upper) in zip(escalators, escalators.dropFirst()) {
            self.addRelationship("escalator", from: (lower.unit, .unit), to: (upper.unit, .unit), directed: true)
        }
    }

    /// One relationship from the lowest floor to the highest, by way of the others.
    private mutating func connect(_ units: [FeatureID], by category: String) {
        guard let lowest = units.first, let highest = units.last, units.count > 1 else { return }
        self.addRelationship(
            category, from: (lowest, .unit), by: units.dropFirst().dropLast().map { ($0, .unit) }, to: (highest, .unit))
    }

    mutating func addRelationship(
        _ category: String, from origin: End, by intermediary: [End] = [], to destination: End, directed: Bool = false
    ) {
        func reference(_ end: End) -> JSONValue {
            ["feature_type": .string(end.type.rawValue), "id": end.id.value]
        }
        self.add(
            .relationship, .null,
            [
                "category": .string(category), "destination": reference(destination),
                "direction": .string(directed ? "directed" : "undirected"),
                "hours": category == "traversal" ? .null : "Mo-Su 07:00-24:00",
                "intermediary": intermediary.isEmpty ? .null : .array(intermediary.map(reference)),
                "origin": reference(origin),
            ])
    }

    /// One geofence over the two lowest floors above ground, and one on a single floor inside it.
    mutating func addGeofences(of building: Building) {
        let floors = building.floors.filter { $0.ordinal >= 0 }.prefix(2)
        guard let ground = floors.first else { return }
        let outline = building.plan.outline
        let zone = self.addGeofence(
            "geofence", Label("\(building.name.english) Wi-Fi", "\(building.name.japanese)Wi-Fi"), outline,
            building: building.id, levels: floors.map(\.id))
        self.addGeofence(
            "underconstruction", Label("Renewal Area", "改装エリア"), building.plan.corridor(0), building: building.id,
            levels: [ground.id], parents: [zone])
    }

    @discardableResult
    private mutating func addGeofence(
        _ category: String, _ name: Label, _ shape: PlanRectangle, building: FeatureID, levels: [FeatureID],
        parents: [FeatureID] = []
    ) -> FeatureID {
        self.add(
            .geofence, self.site.polygon(shape),
            [
                "alt_name": .null, "building_ids": [building.value], "category": .string(category),
                "correlation_id": .null, "display_point": self.site.point(shape.centre),
                "level_ids": .array(levels.map(\.value)), "name": name.value,
                "parents": parents.isEmpty ? .null : .array(parents.map(\.value)), "restriction": .null,
            ])
    }
}
