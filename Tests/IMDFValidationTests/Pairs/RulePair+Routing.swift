import Foundation
import IMDF
import IMDFValidation
import SampleVenue

extension RulePair {
    static let routing: [RulePair] = [
        RulePair("RT-01", "a room without its door", breaks: { try $0.removeDoor(raising: "RT-01") }, keeps: { _ in }),
        RulePair(
            "RT-02", "an opening too far from the wall", along: ["TO", "RT-01", "RT-07"],
            breaks: { try $0.moveLastOpening(decimetres: 40) }, keeps: { try $0.moveLastOpening(decimetres: 2) }),
        RulePair(
            "RT-03", "a ramp on one level only", along: ["VT", "SE", "RT-01"],
            breaks: { try $0.turnRoom(into: "ramp") }, keeps: { try $0.turnRoom(into: "steps") }),
        RulePair(
            "RT-04", "a door into two rooms", along: ["TO", "RT-02", "RT-06"],
            breaks: { try $0.widenDoor(raising: "RT-04") },
            keeps: { _ in }),
        RulePair(
            "RT-05", "an entrance of another category", after: { try $0.addEntrance() },
            breaks: { try $0.addEntrance(category: "pedestrian") }, keeps: { try $0.addEntrance() }),
        RulePair(
            "RT-06", "a door of 70 centimetres", along: ["TO-16"], breaks: { try $0.narrowDoor(to: 7) },
            keeps: { try $0.narrowDoor(to: 9) }),
        RulePair(
            "RT-07", "a building without a door to the plaza", along: ["RT-01"], after: { try $0.addEntrance() },
            breaks: { archive in
                try archive.addEntrance()
                try archive.removeDoor(raising: "RT-07")
            }, keeps: { try $0.addEntrance() }),
    ]
}

extension TestArchive {
    private func count(_ rule: String) throws -> Int {
        try self.report(RuleSelection(only: [rule])).ruleCounts[rule] ?? 0
    }

    /// Removes the first opening without which a rule has another finding, and the relationships that name it.
    fileprivate mutating func removeDoor(raising rule: String) throws {
        let before = try self.count(rule)
        for opening in self.venue.features.filter({ $0.type == .opening }) {
            var archive = self
            archive.remove(.opening) { $0.id == opening.id }
            archive.remove(.relationship) { Self.ids(namedBy: $0).contains(opening.id.description) }
            guard try archive.count(rule) > before else { continue }
            self = archive
            return
        }
        throw Missing(type: .opening)
    }

    private static func ids(namedBy relationship: SampleFeature) -> [String] {
        ([relationship["origin"], relationship["destination"]].compactMap(\.self)
            + (relationship["intermediary"]?.array ?? [])).compactMap { $0["id"]?.string }
    }

    /// Moves the last opening to the north.
    fileprivate mutating func moveLastOpening(decimetres: Int) throws {
        guard let index = self.venue.features.lastIndex(where: { $0.type == .opening }) else {
            throw Missing(type: .opening)
        }
        self.venue.features[index].geometry = .line(self.venue.features[index].spots.map { $0.moved(0, decimetres) })
    }

    fileprivate mutating func turnRoom(into category: String) throws {
        let occupied = Set(self.venue.features.compactMap { $0["unit_id"]?.string })
        try self.edit(.unit, where: { $0["category"] == "room" && !occupied.contains($0.id.description) }) {
            $0["category"] = .string(category)
        }
    }

    /// Makes an opening longer until it joins several pairs of units.
    fileprivate mutating func widenDoor(raising rule: String) throws {
        let before = try self.count(rule)
        for index in self.venue.features.indices where self.venue.features[index].type == .opening {
            let spots = self.venue.features[index].spots
            guard let first = spots.first, let last = spots.last else { continue }
            for factor in [3, 6, 10] {
                var archive = self
                let (x, y) = ((last.x - first.x) * factor, (last.y - first.y) * factor)
                archive.venue.features[index].geometry = .line([
                    Spot(first.x - x, first.y - y), Spot(last.x + x, last.y + y),
                ])
                guard try archive.count(rule) > before else { continue }
                self = archive
                return
            }
        }
        throw Missing(type: .opening)
    }

    /// Makes a door between two units that wide, in decimetres.
    fileprivate mutating func narrowDoor(to decimetres: Int) throws {
        for index in self.venue.features.indices where self.venue.features[index].type == .opening {
            let spots = self.venue.features[index].spots
            guard spots.count == 2, spots[0].y == spots[1].y, spots[1].x > spots[0].x else { continue }
            var archive = self
            archive.venue.features[index].geometry = .line([spots[0], spots[0].moved(7, 0)])
            guard try archive.count("RT-06") > self.count("RT-06") else { continue }
            self.venue.features[index].geometry = .line([spots[0], spots[0].moved(decimetres, 0)])
            return
        }
        throw Missing(type: .opening)
    }

    /// Adds an opening with one side only at the southern edge of the plaza.
    fileprivate mutating func addEntrance(category: String = "pedestrian.principal") throws {
        let plaza = try self.plaza()
        for unit in self.venue.features where unit.type == .unit && unit["level_id"] == .string(plaza.id.description) {
            let box = unit.box
            for (from, to) in [
                (Spot(box.left, box.bottom).moved(10, 0), Spot(box.left, box.bottom).moved(25, 0)),
                (Spot(box.left, box.top).moved(10, 0), Spot(box.left, box.top).moved(25, 0)),
            ] {
                var archive = self
                archive.add(like: try self.first(.opening)) { opening in
                    opening["category"] = .string(category)
                    opening["level_id"] = .string(plaza.id.description)
                    opening["display_point"] = .null
                    opening.geometry = .line([from, to])
                }
                var entrance = archive
                entrance.venue.features[entrance.venue.features.count - 1]["category"] = "pedestrian.principal"
                guard try entrance.count("RT-05") == 0 else { continue }
                self = archive
                return
            }
        }
        throw Missing(type: .opening)
    }
}
