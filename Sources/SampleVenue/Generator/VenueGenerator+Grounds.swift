import IMDF

extension VenueGenerator {
    private static let gap = 300
    private static let plazaDepth = 400

    /// Arranges the site: the main buildings side by side, the plaza in front of the first, the annex to the left of the plaza.
    mutating func layOut() -> [Building] {
        let levels = max(self.options.levels, 1)
        let count = (levels + Self.highestBuilding - 1) / Self.highestBuilding
        var buildings: [Building] = []
        var left = 0
        for index in 0..<count {
            var plan = BuildingPlan(units: self.options.unitsPerLevel)
            plan.move(toLeft: left, bottom: 0)
            left = plan.outline.right + Self.gap
            let floors = levels / count + (index < levels % count ? 1 : 0)
            let basements = floors < 3 ? 0 : min(max(floors / 5, 1), 12)
            let name = count == 1 ? Label("Main Building", "本館") : Label("Building \(index + 1)", "\(index + 1)号館")
            buildings.append(self.building(name, plan, -basements...(floors - basements - 1)))
        }
        let front = buildings[0].plan.outline
        self.plaza = PlanRectangle(
            left: front.left, bottom: front.bottom - Self.plazaDepth, right: front.right, top: front.bottom)
        var annex = BuildingPlan(units: self.options.unitsPerLevel / 3)
        annex.move(toLeft: self.plaza.left - (annex.outline.right - annex.outline.left), bottom: self.plaza.bottom)
        buildings.append(self.building(Label("Annex", "別館"), annex, 0...(levels > 1 ? 1 : 0)))
        return buildings
    }

    private mutating func building(_ name: Label, _ plan: BuildingPlan, _ ordinals: ClosedRange<Int>) -> Building {
        Building(
            id: FeatureID.random(using: &self.random), addressLine: self.nextAddressLine(), name: name, plan: plan,
            ordinals: ordinals)
    }

    /// The venue, its buildings and their footprints.
    mutating func addGrounds(_ buildings: inout [Building]) {
        let outline = buildings.reduce(self.plaza) { $0.joined(with: $1.plan.outline) }.grown(by: 50)
        let line = self.nextAddressLine()
        let website = "https://www.\(self.name.slug).example.jp/"
        self.add(
            .venue, self.site.polygon(outline),
            [
                "address_id": self.addAddress(line: line).value, "alt_name": .null, "category": "shoppingcenter",
                "display_point": self.site.point(self.plaza.centre), "hours": "Mo-Su 07:00-24:00",
                "name": self.name.label.value, "phone": "+81455550100", "restriction": .null,
                "website": .string(website),
            ])
        for building in buildings {
            let shape = building.plan.outline
            self.add(
                .building, .null,
                [
                    "address_id": self.addAddress(line: building.addressLine).value, "alt_name": .null,
                    "category": "unspecified", "display_point": self.site.point(shape.centre),
                    "name": building.name.value, "restriction": .null,
                ], id: building.id)
            let categories = ["ground", "aerial"] + (building.ordinals.lowerBound < 0 ? ["subterranean"] : [])
            for category in categories {
                self.add(
                    .footprint, self.site.polygon(shape),
                    ["building_ids": [building.id.value], "category": .string(category), "name": building.name.value])
            }
        }
    }
}
