import IMDF

extension VenueGenerator {
    /// Adds a unit on a corridor: a shop, or a unit without a tenant.
    mutating func addFront(_ unit: FloorLayout.Unit, to drawing: inout Drawing, chain: Bool) {
        // Every floor has a shop.
        if drawing.shops == 0 || self.random.chance(49) {
            self.addShop(unit, to: &drawing, chain: chain)
        } else {
            self.addOther(unit, to: drawing)
        }
    }

    private mutating func addShop(_ unit: FloorLayout.Unit, to drawing: inout Drawing, chain: Bool) {
        drawing.shops += 1
        var shop = self.random.shop()
        var correlation: FeatureID?
        if chain, let chain = self.chain {
            (shop, correlation) = (chain.shop, chain.correlation)
        }
        let digits = String(1_000 + drawing.shops).dropFirst()
        let number = drawing.shops < 1_000 ? "\(drawing.short)-\(digits)" : "\(drawing.short)-\(drawing.shops)"
        var unit = unit
        if shop.servesFood { unit.category = "foodservice" }
        let id = self.addUnit(
            unit, named: Label("Shop \(number)", "\(number)区画"),
            alias: Label("Lot \(drawing.shops)", "第\(drawing.shops)区画"), to: drawing)
        let opening = self.addDoor(of: unit, category: "pedestrian", to: drawing)
        var address: FeatureID?
        if drawing.shops % 12 == 1 {
            address = self.addAddress(line: drawing.building.addressLine, unit: number)
        }
        let anchor = self.addAnchor(at: self.spot(in: unit), in: id, address: address)
        self.addOccupant(shop, at: anchor, correlation: correlation)
        if drawing.shops % 16 == 0 {
            self.addOccupant(self.random.shop(), at: anchor)
        }
        if let opening, drawing.shops <= 2 {
            self.addRelationship(
                "traversal", from: (id, .unit), by: [(opening, .opening)], to: (drawing.walkway, .unit))
        }
    }

    /// Offices, stock rooms and other units without a tenant.
    private mutating func addOther(_ unit: FloorLayout.Unit, to drawing: Drawing) {
        var unit = unit
        unit.category = self.random.element(of: ["office", "nonpublic", "storage", "room", "conferenceroom", "lounge"])
        let open = unit.category == "room" || unit.category == "lounge"
        let name = unit.category == "lounge" ? Label("Rest Area", "休憩所") : nil
        self.addUnit(unit, named: name, restriction: open ? nil : "employeesonly", to: drawing)
        if open || self.random.chance(35) {
            self.addDoor(of: unit, category: open ? "pedestrian" : "service", to: drawing)
        }
    }

    /// A random point in the front part of a unit, which a storage room never covers.
    private mutating func spot(in unit: FloorLayout.Unit) -> PlanPoint {
        guard let wall = unit.door else { return unit.spot }
        let depth = self.random.number(in: 15...70)
        let towardsWall = wall.from.y > unit.spot.y ? 1 : -1
        return PlanPoint(
            x: self.random.number(in: wall.from.x + 10...wall.to.x - 10), y: wall.from.y - towardsWall * depth)
    }

    mutating func addAnchor(at spot: PlanPoint, in unit: FeatureID, address: FeatureID? = nil) -> FeatureID {
        self.add(
            .anchor, self.site.point(spot), ["address_id": address?.value ?? .null, "unit_id": unit.value])
    }

    mutating func addOccupant(_ shop: Shop, at anchor: FeatureID, correlation: FeatureID? = nil) {
        let year = self.random.number(in: 2016...2023)
        let month = self.random.element(of: ["01", "03", "04", "09", "10"])
        self.add(
            .occupant, .null,
            [
                "anchor_id": anchor.value, "category": .string(shop.category),
                "correlation_id": correlation?.value ?? .null, "hours": .string(shop.hours), "name": shop.name.value,
                "phone": .string(shop.phone),
                "validity": [
                    "end": .null, "modified": .string("2024-\(month)-15T18:30:00+09:00"),
                    "start": .string("\(year)-\(month)-01T00:00:00+09:00"),
                ],
                "website": .string(shop.website),
            ])
    }
}
