import IMDF

extension VenueGenerator {
    /// The outdoor level: a road along the edge, a square before the entrances, a lawn beside it.
    mutating func addPlaza() {
        let plaza = self.plaza
        let level = self.add(
            .level, self.site.polygon(plaza),
            [
                "address_id": .null, "building_ids": .null, "category": "unspecified",
                "display_point": self.site.point(plaza.centre), "name": Label("Harbour Plaza", "ハーバープラザ").value,
                "ordinal": 0, "outdoor": true, "restriction": .null, "short_name": Label("Plaza", "広場").value,
            ])
        let kerb = plaza.bottom + 100
        let hedge = plaza.left + (plaza.right - plaza.left) * 2 / 3
        let road = PlanRectangle(left: plaza.left, bottom: plaza.bottom, right: plaza.right, top: kerb)
        let square = PlanRectangle(left: plaza.left, bottom: kerb, right: hedge, top: plaza.top)
        let lawn = PlanRectangle(left: hedge, bottom: kerb, right: plaza.right, top: plaza.top)
        self.addOutdoorUnit("road", road, Label("Shiokaze Street", "潮風通り"), level)
        let walk = self.addOutdoorUnit("unenclosedarea", square, Label("Square", "ふれあい広場"), level)
        self.addOutdoorUnit("vegetation", lawn, Label("Lawn", "芝生広場"), level)

        let middle = (square.left + square.right) / 2
        self.addOpening(
            (PlanPoint(x: middle - 20, y: kerb), PlanPoint(x: middle + 20, y: kerb)), category: "pedestrian.principal",
            level: level)
        self.add(
            .detail, self.site.line([PlanPoint(x: road.left, y: kerb - 5), PlanPoint(x: road.right, y: kerb - 5)]),
            ["level_id": level.value])
        self.addAmenity("bus", at: PlanPoint(x: middle, y: kerb + 20), in: [walk], name: Label("Bus Stop", "バス停"))
        self.addAmenity(
            "taxi", at: PlanPoint(x: middle - 40, y: kerb + 20), in: [walk], name: Label("Taxis", "タクシー乗り場"))
        self.addAmenity(
            "landmark", at: PlanPoint(x: middle, y: plaza.top - 60), in: [walk], name: Label("Gull Clock", "かもめ時計"))
        let basin = PlanRectangle(left: middle - 60, bottom: kerb + 60, right: middle - 10, top: kerb + 110)
        self.addFixture(basin, category: "water", level: level)
        let stand = PlanRectangle(left: middle + 20, bottom: kerb + 60, right: middle + 60, top: kerb + 90)
        let anchor = self.addAnchor(at: stand.centre, in: walk)
        self.addOccupant(self.random.shop(), at: anchor)
        self.addKiosk(stand, anchor: anchor, level: level)
        self.addSection("recreation", Label("Event Space", "イベントスペース"), [PlanShape(square)], level)
    }

    @discardableResult
    private mutating func addOutdoorUnit(
        _ category: String, _ shape: PlanRectangle, _ name: Label, _ level: FeatureID
    ) -> FeatureID {
        self.add(
            .unit, self.site.polygon(shape),
            [
                "accessibility": .null, "alt_name": .null, "category": .string(category),
                "display_point": self.site.point(shape.centre), "level_id": level.value, "name": name.value,
                "restriction": .null,
            ])
    }
}
