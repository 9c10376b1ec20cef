import IMDF

extension VenueGenerator {
    /// The state of a floor while its features are generated.
    struct Drawing {
        var level: FeatureID
        var ordinal: Int
        var building: Building
        var plan: FloorLayout
        var walkway: FeatureID
        /// The number of shops so far; shops are numbered.
        var shops = 0
        var slots: [PlanRectangle]
        var amenityPoints: [PlanPoint]

        var short: String { Label.shortFloor(self.ordinal).english }
    }

    /// Generates one floor of a building with everything on it.
    mutating func floor(_ ordinal: Int, of building: Building, first: Bool) -> Floor {
        let plan = FloorLayout(building.plan, atrium: building.plan.hasAtrium && ordinal > 0, using: &self.random)
        let level = self.addLevel(ordinal, of: building)
        var slots = plan.slots
        var amenityPoints = plan.amenityPoints
        self.random.shuffle(&slots)
        self.random.shuffle(&amenityPoints)
        var drawing = Drawing(
            level: level, ordinal: ordinal, building: building, plan: plan,
            walkway: FeatureID.random(using: &self.random),
            slots: slots, amenityPoints: amenityPoints)
        var floor = Floor(id: level, ordinal: ordinal)
        let share = first && ordinal - building.ordinals.lowerBound < 2
        for unit in plan.units {
            switch unit.role {
            case .walkway: self.addWalkway(unit, to: drawing)
            case .atrium, .back: self.addUnit(unit, named: nil, to: drawing)
            case .core: floor.core[unit.category] = (self.addCoreUnit(unit, to: drawing), unit.spot)
            case .front: self.addFront(unit, to: &drawing, chain: share && drawing.shops == 0)
            }
        }
        if ordinal == 0 { self.addEntrance(to: drawing) }
        self.addPublicSpace(to: &drawing)
        self.addZones(to: drawing)
        return floor
    }

    private mutating func addLevel(_ ordinal: Int, of building: Building) -> FeatureID {
        self.add(
            .level, self.site.polygon(building.plan.outline),
            [
                "address_id": .null, "building_ids": [building.id.value], "category": "unspecified",
                "display_point": self.site.point(building.plan.outline.centre), "name": Label.floor(ordinal).value,
                "ordinal": .number(Double(ordinal)), "outdoor": false, "restriction": .null,
                "short_name": Label.shortFloor(ordinal).value,
            ])
    }

    /// - Parameter restriction: The IMDF restriction category; nil for none.
    @discardableResult
    mutating func addUnit(
        _ unit: FloorLayout.Unit, named name: Label?, alias: Label? = nil, restriction: String? = nil,
        accessible: Bool = false,
        id: FeatureID? = nil, to drawing: Drawing
    ) -> FeatureID {
        self.add(
            .unit, self.site.polygon(unit.shape),
            [
                "accessibility": accessible ? ["wheelchair"] : .null, "alt_name": alias?.value ?? .null,
                "category": .string(unit.category), "display_point": self.site.point(unit.spot),
                "level_id": drawing.level.value, "name": name?.value ?? .null,
                "restriction": restriction.map(JSONValue.string) ?? .null,
            ], id: id)
    }

    private mutating func addWalkway(_ unit: FloorLayout.Unit, to drawing: Drawing) {
        let name = Label("Promenade \(drawing.short)", "\(drawing.short)プロムナード")
        self.addUnit(unit, named: name, accessible: true, id: drawing.walkway, to: drawing)
    }

    private mutating func addCoreUnit(_ unit: FloorLayout.Unit, to drawing: Drawing) -> FeatureID {
        let id = self.addUnit(unit, named: nil, accessible: unit.category.hasSuffix("wheelchair"), to: drawing)
        if unit.category != "structure" { self.addDoor(of: unit, category: "pedestrian", to: drawing) }
        if unit.category.hasPrefix("restroom") {
            self.addAmenity(unit.category, at: unit.spot, in: [id], accessible: unit.category.hasSuffix("wheelchair"))
        }
        return id
    }

    /// An opening in the middle of a unit's wall towards the corridor.
    @discardableResult
    mutating func addDoor(of unit: FloorLayout.Unit, category: String, to drawing: Drawing) -> FeatureID? {
        guard let wall = unit.door else { return nil }
        let width = self.random.number(in: 12...min(30, wall.to.x - wall.from.x - 6))
        let left = (wall.from.x + wall.to.x - width) / 2
        let line = (PlanPoint(x: left, y: wall.from.y), PlanPoint(x: left + width, y: wall.from.y))
        return self.addOpening(line, category: category, level: drawing.level)
    }

    @discardableResult
    mutating func addOpening(
        _ line: (from: PlanPoint, to: PlanPoint), category: String, level: FeatureID
    ) -> FeatureID {
        let automatic = self.random.chance(40)
        let middle = PlanPoint(x: (line.from.x + line.to.x) / 2, y: (line.from.y + line.to.y) / 2)
        let kind = automatic ? "sliding" : self.random.element(of: ["door", "open", "swinging"])
        return self.add(
            .opening, self.site.line([line.from, line.to]),
            [
                "access_control": category == "service" ? ["badgereader", "keyaccess"] : .null,
                "accessibility": automatic ? ["wheelchair"] : .null, "alt_name": .null, "category": .string(category),
                "display_point": self.site.point(middle),
                "door": [
                    "automatic": .bool(automatic), "material": .string(kind == "door" ? "wood" : "glass"),
                    "type": .string(kind),
                ],
                "level_id": level.value, "name": .null,
            ])
    }

    /// Adds the entrance from the plaza: for the first building at the end of its spine, for the annex at the end of its first
    /// corridor.
    private mutating func addEntrance(to drawing: Drawing) {
        let outline = drawing.building.plan.outline
        let line: (PlanPoint, PlanPoint)
        if outline.left < self.plaza.left {
            let corridor = drawing.building.plan.corridor(0)
            line = (
                PlanPoint(x: corridor.right, y: corridor.bottom + 25),
                PlanPoint(x: corridor.right, y: corridor.top - 25)
            )
        } else {
            line = (
                PlanPoint(x: outline.left + 15, y: outline.bottom), PlanPoint(x: outline.left + 45, y: outline.bottom)
            )
        }
        self.addOpening(line, category: "pedestrian.principal", level: drawing.level)
    }
}
