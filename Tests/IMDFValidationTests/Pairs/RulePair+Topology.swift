import IMDF
import SampleVenue

extension RulePair {
    static let topology: [RulePair] = containment + disjointness + openings + footprints

    private static let containment: [RulePair] = [
        RulePair(
            "TO-01", "a venue too small by a decimetre",
            breaks: { try $0.cutVenue(short: 11) }, keeps: { try $0.cutVenue(short: 0) }),
        RulePair(
            "TO-02", "a detail that leaves its level",
            breaks: { try $0.drawDetail(from: 0, -3) }, keeps: { try $0.drawDetail(from: 0, 3) }),
        RulePair(
            "TO-02", "a detail that leaves its level by less than a centimetre", .info,
            breaks: { archive in
                let corner = try archive.plaza().box.low
                try archive.editOnPlaza(.detail) {
                    $0.geometry = .line([Spot(corner.x - 1, corner.y + 100), Spot(corner.x + 500, corner.y + 100)])
                }
            },
            keeps: { archive in
                let corner = try archive.plaza().box.low
                try archive.editOnPlaza(.detail) {
                    $0.geometry = .line([Spot(corner.x, corner.y + 100), Spot(corner.x + 500, corner.y + 100)])
                }
            }),
        RulePair(
            "TO-03", "an anchor behind the wall", breaks: { try $0.moveAnchor(beyond: 11) },
            keeps: { try $0.moveAnchor(beyond: 0) }),
        RulePair(
            "TO-04", "an amenity behind the wall", breaks: { try $0.moveAmenity(beyond: 11) },
            keeps: { try $0.moveAmenity(beyond: 0) }),
        RulePair(
            "TO-05", "a basin that extends into the road", breaks: { try $0.enlargeBasin(downTo: -45) },
            keeps: { try $0.enlargeBasin(downTo: 0) }),
        RulePair(
            "TO-06", "a geofence wider than its level",
            breaks: { try $0.stretchGeofence(by: 110) }, keeps: { try $0.stretchGeofence(by: 0) }),
        RulePair(
            "TO-06", "a geofence wider than the footprint", .info, along: ["SE-25"],
            breaks: { try $0.stretchGeofence(by: 110, freeOfLevels: true) },
            keeps: { try $0.stretchGeofence(by: 0, freeOfLevels: true) }),
        RulePair(
            "TO-07", "a display point outside its unit", breaks: { try $0.placeLabel(of: .unit, beyond: 11) },
            keeps: { try $0.placeLabel(of: .unit, beyond: 0) }),
        RulePair(
            "TO-07", "a display point outside the venue", .error, breaks: { try $0.placeLabel(of: .venue, beyond: 11) },
            keeps: { try $0.placeLabel(of: .venue, beyond: 0) }),
        RulePair(
            "TO-07", "a display point far from its opening", breaks: { try $0.placeLabel(of: .opening, beyond: 132) },
            keeps: { try $0.placeLabel(of: .opening, beyond: 99) }),
        RulePair(
            "TO-07", "a display point outside its building", breaks: { try $0.placeLabelOfBuilding(beyond: 11) },
            keeps: { try $0.placeLabelOfBuilding(beyond: 0) }),
        RulePair(
            "TO-09", "a unit that leaves a strip of its level uncovered",
            breaks: { archive in
                let unit = try archive.unitWithNeighbour()
                archive.edit(unit) { $0.widen(right: -55) }
            },
            keeps: { archive in
                let unit = try archive.unitWithNeighbour()
                archive.edit(unit) { $0.widen(right: -1) }
            }),
        RulePair(
            "TO-25", "a kiosk beside its anchor", breaks: { try $0.moveKioskAnchor(beyond: 11) },
            keeps: { try $0.moveKioskAnchor(beyond: 0) }),
    ]

    private static let disjointness: [RulePair] = [
        RulePair(
            "TO-08", "a unit that overlaps its neighbour",
            breaks: { archive in
                let unit = try archive.unitWithNeighbour()
                archive.edit(unit) { $0.widen(right: 55) }
            },
            keeps: { archive in
                let unit = try archive.unitWithNeighbour()
                archive.edit(unit) { $0.widen(right: 1) }
            }),
        RulePair(
            "TO-10", "a plaza that overlaps the annex", along: ["TO-09", "TO-24"],
            breaks: { archive in
                let plaza = try archive.plaza()
                archive.edit(plaza) { $0.widen(left: 55) }
            },
            keeps: { archive in
                let plaza = try archive.plaza()
                archive.edit(plaza) { $0.widen(left: 1) }
            }),
        RulePair(
            "TO-11", "two equal basins", breaks: { try $0.addBasin(0) }, keeps: { try $0.addBasin(-1) }),
        RulePair(
            "TO-11", "a fixture equal to its unit",
            breaks: { archive in
                let lawn = try archive.onPlaza(.unit) { $0["category"] == "vegetation" }
                try archive.add(like: archive.onPlaza(.fixture)) {
                    $0.geometry = .box(lawn.box)
                    $0["display_point"] = .null
                }
            },
            keeps: { archive in
                let lawn = try archive.onPlaza(.unit) { $0["category"] == "vegetation" }
                try archive.add(like: archive.onPlaza(.fixture)) {
                    $0.geometry = .box(SpotBox(lawn.box.low, lawn.box.centre))
                    $0["display_point"] = .null
                }
            }),
        RulePair(
            "TO-12", "a basin under a kiosk", breaks: { try $0.enlargeBasin(intoKiosk: 55) },
            keeps: { try $0.enlargeBasin(intoKiosk: 0) }),
        RulePair(
            "TO-13", "two overlapping sections", breaks: { try $0.addSection(over: "unenclosedarea") },
            keeps: { try $0.addSection(over: "road") }),
        RulePair(
            "TO-18", "two amenities at one position", breaks: { try $0.moveTaxis(beside: 0) },
            keeps: { try $0.moveTaxis(beside: 1) }),
    ]

    private static let openings: [RulePair] = [
        RulePair(
            "TO-14", "an opening beside the wall", along: ["RT-01", "RT-02"], breaks: { try $0.moveOpening(0, 5) },
            keeps: { try $0.moveOpening(5, 0) }),
        RulePair(
            "TO-15", "two overlapping openings", breaks: { try $0.addOpening(after: 20) },
            keeps: { try $0.addOpening(after: 40) }),
        RulePair(
            "TO-16", "an opening that is too narrow", breaks: { try $0.resizeOpening(to: 8) },
            keeps: { try $0.resizeOpening(to: 10) }),
        RulePair(
            "TO-16", "an opening that is too wide", along: ["RT-04"], breaks: { try $0.resizeOpening(to: 460) },
            keeps: { try $0.resizeOpening(to: 440) }),
        RulePair(
            "TO-17", "a kerb across an opening", breaks: { try $0.crossOpening(at: 20) },
            keeps: { try $0.crossOpening(at: 40) }),
    ]

    private static let footprints: [RulePair] = [
        RulePair(
            "TO-19", "two equal ground footprints",
            breaks: { archive in
                let building = try archive.mainBuilding()
                let ground = try archive.first(.footprint) { $0["category"] == "ground" }
                archive.add(like: ground) { $0["building_ids"] = [.string(building.id.description)] }
            }, keeps: { try $0.splitFootprint(overlap: 0) }),
        RulePair(
            "TO-20", "two halves that overlap", breaks: { try $0.splitFootprint(overlap: 55) },
            keeps: { try $0.splitFootprint(overlap: 1) }),
        RulePair(
            "TO-21", "a ground footprint beyond the aerial one", along: ["TO-22"],
            breaks: { archive in
                try archive.editFootprint("ground", of: archive.mainBuilding()) { $0.widen(right: 22) }
            },
            keeps: { archive in
                try archive.editFootprint("aerial", of: archive.mainBuilding()) { $0.widen(right: 22) }
            }),
        RulePair(
            "TO-22", "footprints beyond the levels", breaks: { try $0.widenFootprints(by: 22) },
            keeps: { try $0.widenFootprints(by: 1) }),
        RulePair(
            "TO-23", "a level that refers to the annex",
            along: ["TO-22", "SE-05", "SE-11"],
            breaks: { try $0.nameAnnexOnUpperLevel(only: true) },
            keeps: { try $0.nameAnnexOnUpperLevel(only: false) }),
        RulePair(
            "TO-24", "a footprint that overlaps the plaza", along: ["TO-21", "TO-22"],
            breaks: { try $0.widenAnnexFootprint(by: 55) }, keeps: { try $0.widenAnnexFootprint(by: 1) }),
    ]
}

// MARK: - Edits

extension TestArchive {
    /// Draws the venue so that it ends so far before what lies farthest to the right.
    fileprivate mutating func cutVenue(short: Int) throws {
        let right = self.venue.features.filter { $0.type == .footprint }.map(\.box.right).max() ?? 0
        try self.edit(.venue) { $0.widen(right: right - short - $0.box.right) }
    }

    /// Draws the detail of the plaza from so many decimetres from the level's left side.
    fileprivate mutating func drawDetail(from left: Int, _ inside: Int) throws {
        let corner = try self.plaza().box.low
        try self.editOnPlaza(.detail) { $0.geometry = .line([corner.moved(inside, 20), corner.moved(30, 20)]) }
    }

    /// Adds an anchor at the right side of its unit, or beyond.
    fileprivate mutating func moveAnchor(beyond: Int) throws {
        let unit = try self.onPlaza(.unit) { $0["category"] == "unenclosedarea" }
        self.add(like: try self.first(.anchor) { $0["unit_id"]?.string == unit.id.description }) {
            $0.geometry = .point(Spot(unit.box.right + beyond, unit.box.centre.y))
        }
    }

    fileprivate mutating func moveAmenity(beyond: Int) throws {
        let unit = try self.first(.unit) { $0.isBox && $0["category"] == "restroom.wheelchair" }
        try self.edit(.amenity, where: { $0["unit_ids"] == [.string(unit.id.description)] }) {
            $0.geometry = .point(Spot(unit.box.right + beyond, unit.box.centre.y))
        }
    }

    /// Draws the basin down to the kerb and beyond.
    fileprivate mutating func enlargeBasin(downTo offset: Int) throws {
        let kerb = try self.onPlaza(.unit) { $0["category"] == "unenclosedarea" }.box.bottom
        try self.editOnPlaza(.fixture) { $0.widen(bottom: $0.box.bottom - kerb - offset) }
    }

    fileprivate mutating func enlargeBasin(intoKiosk depth: Int) throws {
        let kiosk = try self.onPlaza(.kiosk).box.left
        try self.editOnPlaza(.fixture) { $0.widen(right: kiosk + depth - $0.box.right) }
    }

    fileprivate mutating func stretchGeofence(by right: Int, freeOfLevels: Bool = false) throws {
        try self.edit(.geofence, where: { $0["parents"]?.array?.isEmpty != false }) {
            $0.widen(right: right)
            if freeOfLevels { $0["level_ids"] = .null }
        }
    }

    fileprivate mutating func placeLabel(of type: FeatureType, beyond: Int) throws {
        try self.edit(type, where: { type == .venue || $0["display_point"]?.object != nil }) {
            $0["display_point"] = .point(Spot($0.box.right + beyond, $0.box.centre.y))
        }
    }

    fileprivate mutating func placeLabelOfBuilding(beyond: Int) throws {
        let building = try self.mainBuilding()
        guard let box = self.features(.footprint, of: building).first?.box else { throw Missing(type: .footprint) }
        self.edit(building) { $0["display_point"] = .point(Spot(box.right + beyond, box.centre.y)) }
    }

    fileprivate mutating func moveKioskAnchor(beyond: Int) throws {
        let kiosk = try self.onPlaza(.kiosk)
        try self.edit(.anchor, where: { kiosk["anchor_id"] == .string($0.id.description) }) {
            $0.geometry = .point(Spot(kiosk.box.right + beyond, kiosk.box.centre.y))
        }
    }

    /// Adds a basin so many of its widths beside the other.
    fileprivate mutating func addBasin(_ widths: Int) throws {
        self.add(like: try self.onPlaza(.fixture)) {
            let width = $0.box.right - $0.box.left
            $0.widen(right: width * widths, left: -width * widths)
            $0["display_point"] = .null
        }
    }

    fileprivate mutating func addSection(over category: String) throws {
        let box = try self.onPlaza(.unit) { $0["category"]?.string == category }.box
        self.add(like: try self.onPlaza(.section)) { $0.geometry = .box(box) }
    }

    fileprivate mutating func moveTaxis(beside: Int) throws {
        let position = try self.first(.amenity) { $0["category"] == "bus" }.spots[0]
        try self.edit(.amenity, where: { $0["category"] == "taxi" }) {
            $0.geometry = .point(Spot(position.x + beside, position.y))
        }
    }

    fileprivate mutating func moveOpening(_ east: Int, _ north: Int) throws {
        try self.editOnPlaza(.opening) { $0.geometry = .line($0.spots.map { $0.moved(east, north) }) }
    }

    /// Adds an opening so many decimetres to the right of the other one's left end.
    fileprivate mutating func addOpening(after: Int) throws {
        self.add(like: try self.onPlaza(.opening)) {
            $0.geometry = .line($0.spots.map { $0.moved(after, 0) })
            $0["display_point"] = .null
        }
    }

    fileprivate mutating func resizeOpening(to width: Int) throws {
        let road = try self.onPlaza(.unit) { $0["category"] == "road" }.box
        try self.editOnPlaza(.opening) {
            let left = Spot(road.left, road.top)
            $0.geometry = .line([left, left.moved(width, 0)])
            $0["display_point"] = .point(left)
        }
    }

    /// Draws the detail of the plaza across its opening, so many decimetres from the left.
    fileprivate mutating func crossOpening(at: Int) throws {
        let left = try self.onPlaza(.opening).spots[0]
        try self.editOnPlaza(.detail) { $0.geometry = .line([left.moved(at, -5), left.moved(at, 5)]) }
    }

    /// Makes two halves of the main building's ground footprint.
    fileprivate mutating func splitFootprint(overlap: Int) throws {
        let building = try self.mainBuilding()
        var box: SpotBox?
        try self.editFootprint("ground", of: building) {
            box = $0.box
            $0.widen(right: $0.box.centre.x - $0.box.right + overlap)
        }
        guard let box else { throw Missing(type: .footprint) }
        let ground = try self.first(.footprint) { $0["category"] == "ground" }
        self.add(like: ground) {
            $0["building_ids"] = [.string(building.id.description)]
            $0.geometry = .box(SpotBox(Spot(box.centre.x, box.bottom), box.high))
        }
    }

    fileprivate mutating func widenFootprints(by right: Int) throws {
        let building = try self.mainBuilding()
        for category in ["ground", "aerial"] {
            try self.editFootprint(category, of: building) { $0.widen(right: right) }
        }
    }

    fileprivate mutating func widenAnnexFootprint(by right: Int) throws {
        let main = try self.mainBuilding()
        let annex = try self.first(.building) { $0.id != main.id }
        try self.editFootprint("ground", of: annex) { $0.widen(right: right) }
    }

    fileprivate mutating func nameAnnexOnUpperLevel(only: Bool) throws {
        let main = try self.mainBuilding()
        let annex = try self.first(.building) { $0.id != main.id }
        let ids: [JSONValue] = [.string(annex.id.description)] + (only ? [] : [.string(main.id.description)])
        try self.edit(
            .level,
            where: { $0["ordinal"] == 1 && $0["building_ids"] == [.string(main.id.description)] }
        ) { $0["building_ids"] = .array(ids) }
    }
}
