import IMDF
import SampleVenue

/// Ways about the sample: the plaza, which is simple, and the walls of the buildings.
extension TestArchive {
    func plaza() throws -> SampleFeature { try self.first(.level) { $0["outdoor"] == true } }

    /// An index of a feature on the plaza.
    func indexOnPlaza(
        _ type: FeatureType, where condition: (SampleFeature) -> Bool = { _ in true }
    ) throws -> Int {
        let level = JSONValue.string(try self.plaza().id.description)
        guard
            let index = self.venue.features.firstIndex(where: {
                $0.type == type && $0["level_id"] == level && condition($0)
            })
        else { throw Missing(type: type) }
        return index
    }

    func onPlaza(_ type: FeatureType, where condition: (SampleFeature) -> Bool = { _ in true }) throws -> SampleFeature
    {
        self.venue.features[try self.indexOnPlaza(type, where: condition)]
    }

    mutating func editOnPlaza(
        _ type: FeatureType, where condition: (SampleFeature) -> Bool = { _ in true },
        _ body: (inout SampleFeature) -> Void
    ) throws {
        body(&self.venue.features[try self.indexOnPlaza(type, where: condition)])
    }

    /// Adds a feature like another one.
    mutating func add(like feature: SampleFeature, _ body: (inout SampleFeature) -> Void) {
        let number = UInt64(self.venue.features.count)
        let id = FeatureID(high: 0x0000_0000_0000_4000, low: 0x8000_0000_0000_0000 + number)
        var copy = SampleFeature(id: id, type: feature.type, body: feature.body)
        body(&copy)
        self.venue.features.append(copy)
    }

    /// The first building, which is the main one.
    func mainBuilding() throws -> SampleFeature { try self.first(.building) }

    /// The levels and footprints of a building.
    func features(_ type: FeatureType, of building: SampleFeature) -> [SampleFeature] {
        self.venue.features.filter {
            $0.type == type && $0["building_ids"]?.array?.contains(.string(building.id.description)) == true
        }
    }

    mutating func editFootprint(
        _ category: String, of building: SampleFeature, _ body: (inout SampleFeature) -> Void
    ) throws {
        try self.edit(
            .footprint,
            where: { $0["category"]?.string == category && $0["building_ids"] == [.string(building.id.description)] },
            body)
    }

    /// An upright unit with another one behind its right wall.
    func unitWithNeighbour() throws -> SampleFeature {
        try self.first(.unit) { unit in
            unit.isBox
                && self.venue.features.contains {
                    $0.type == .unit && $0.isBox && $0["level_id"] == unit["level_id"] && $0.box.left == unit.box.right
                        && $0.box.bottom == unit.box.bottom && $0.box.top == unit.box.top
                }
        }
    }

    /// Changes the feature with an id.
    mutating func edit(_ feature: SampleFeature, _ body: (inout SampleFeature) -> Void) {
        for index in self.venue.features.indices where self.venue.features[index].id == feature.id {
            body(&self.venue.features[index])
        }
    }
}

extension SampleFeature {
    /// Moves the right or left side of an upright rectangle by so many ten-millionths of a degree.
    mutating func widen(right: Int = 0, left: Int = 0, top: Int = 0, bottom: Int = 0) {
        var box = self.box
        box.right += right
        box.left -= left
        box.top += top
        box.bottom -= bottom
        self.geometry = .box(box)
    }
}
