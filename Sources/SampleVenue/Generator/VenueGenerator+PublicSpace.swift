import IMDF

extension VenueGenerator {
    /// Kiosks, furniture and services along the corridors.
    mutating func addPublicSpace(to drawing: inout Drawing) {
        let units = drawing.building.plan.units
        for _ in 0..<(units < 100 ? 1 : 2) {
            guard let slot = drawing.slots.popLast() else { break }
            let anchor = self.addAnchor(at: slot.centre, in: drawing.walkway)
            self.addOccupant(self.random.shop(), at: anchor)
            self.addKiosk(slot, anchor: anchor, level: drawing.level)
        }
        for _ in 0..<(1 + units / 40) {
            guard let slot = drawing.slots.popLast() else { break }
            let category = self.random.element(of: ["furniture", "vegetation", "desk", "equipment", "furniture"])
            self.addFixture(slot, category: category, level: drawing.level)
        }
        for _ in 0..<(1 + units / 20) {
            guard let point = drawing.amenityPoints.popLast() else { break }
            let kind = self.random.element(of: Self.services)
            self.addAmenity(kind.category, at: point, in: [drawing.walkway], name: kind.name)
        }
    }

    private static let services: [(category: String, name: Label?)] = [
        ("atm", Label("Shiosai Bank ATM", "潮騒銀行ATM")), ("vendingmachine", nil),
        ("coinlocker", Label("Lockers", "ロッカー")),
        ("drinkingfountain", nil), ("seat", nil), ("defibrillator", Label("Defibrillator", "除細動器")),
        ("fireextinguisher", nil), ("information", Label("Floor Guide", "フロアガイド")), ("wifi", nil),
        ("powerchargingstation", Label("Charging Spot", "充電スポット")), ("phone.emergency", nil), ("photobooth", nil),
    ]

    mutating func addKiosk(_ slot: PlanRectangle, anchor: FeatureID, level: FeatureID) {
        let number = self.random.number(in: 1...99)
        self.add(
            .kiosk, self.site.polygon(slot),
            [
                "alt_name": .null, "anchor_id": anchor.value, "display_point": self.site.point(slot.centre),
                "level_id": level.value, "name": Label("Stand \(number)", "スタンド\(number)").value,
            ])
    }

    mutating func addFixture(_ slot: PlanRectangle, category: String, level: FeatureID) {
        self.add(
            .fixture, self.site.polygon(slot),
            [
                "alt_name": .null, "anchor_id": .null, "category": .string(category),
                "display_point": self.site.point(slot.centre), "level_id": level.value, "name": .null,
            ])
    }

    mutating func addAmenity(
        _ category: String, at point: PlanPoint, in units: [FeatureID], name: Label? = nil, accessible: Bool = false,
        correlation: FeatureID? = nil
    ) {
        let staffed = category == "information" || category == "atm"
        self.add(
            .amenity, self.site.point(point),
            [
                "accessibility": accessible ? ["wheelchair"] : .null, "address_id": .null, "alt_name": .null,
                "category": .string(category), "correlation_id": correlation?.value ?? .null,
                "hours": staffed ? "Mo-Su 09:00-21:00" : .null, "name": name?.value ?? .null,
                "phone": staffed ? "+81455550123" : .null, "unit_ids": .array(units.map(\.value)), "website": .null,
            ])
    }

    /// Sections over the rows of units, and lines on the floor.
    mutating func addZones(to drawing: Drawing) {
        let plan = drawing.building.plan
        let outline = plan.outline
        let whole = self.addSection(
            "retail", Label("Shopping \(drawing.short)", "ショッピング\(drawing.short)"), [PlanShape(outline)], drawing.level)
        let corridor = plan.corridor(plan.corridors - 1)
        let row = PlanRectangle(left: corridor.left, bottom: corridor.top, right: outline.right, top: outline.top)
        let zone = self.random.element(of: Self.departments)
        self.addSection(zone.category, zone.name, [PlanShape(row)], drawing.level, parents: [whole])
        if plan.hasAtrium {
            let ends = [(corridor.left, corridor.left + 100), (corridor.right - 100, corridor.right)]
            let seats = ends.map { (left, right) in
                PlanShape(PlanRectangle(left: left, bottom: corridor.bottom, right: right, top: corridor.top))
            }
            self.addSection("seating", Label("Seating", "休憩スペース"), seats, drawing.level, parents: [whole])
        }
        let spine = [5, 55].map { x in
            [
                PlanPoint(x: outline.left + x, y: outline.bottom + 10),
                PlanPoint(x: outline.left + x, y: outline.top - 10),
            ]
        }
        self.add(.detail, self.site.lines(spine), ["level_id": drawing.level.value])
        for index in 0..<plan.corridors {
            let corridor = plan.corridor(index)
            let middle = (corridor.left + corridor.right) / 2
            let line = [
                PlanPoint(x: corridor.left + 5, y: corridor.top - 5), PlanPoint(x: middle, y: corridor.top - 8),
                PlanPoint(x: corridor.right - 5, y: corridor.top - 5),
            ]
            self.add(.detail, self.site.line(line), ["level_id": drawing.level.value])
        }
    }

    private static let departments: [(category: String, name: Label)] = [
        ("eatingdrinking", Label("Food Street", "フードストリート")),
        ("retaildepartment", Label("Fashion Avenue", "ファッションアベニュー")),
        ("retaildepartment", Label("Living & Home", "リビング＆ホーム")), ("arcade", Label("Play Park", "プレイパーク")),
        ("retaildepartment", Label("Beauty Lane", "ビューティーレーン")),
    ]

    @discardableResult
    mutating func addSection(
        _ category: String, _ name: Label, _ shapes: [PlanShape], _ level: FeatureID, parents: [FeatureID] = []
    ) -> FeatureID {
        self.add(
            .section, shapes.count == 1 ? self.site.polygon(shapes[0]) : self.site.polygons(shapes),
            [
                "accessibility": .null, "address_id": .null, "alt_name": .null, "category": .string(category),
                "correlation_id": .null, "display_point": .null, "level_id": level.value, "name": name.value,
                "parents": parents.isEmpty ? .null : .array(parents.map(\.value)), "restriction": .null,
            ])
    }
}
