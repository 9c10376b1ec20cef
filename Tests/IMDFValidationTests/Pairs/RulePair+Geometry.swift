import IMDF
import SampleVenue

extension RulePair {
    static let geometry: [RulePair] = [
        RulePair(
            "GE-01", "a kiosk that is a point",
            breaks: { try $0.edit(.kiosk) { $0.geometry = .point($0.box.centre) } },
            keeps: {
                try $0.edit(.kiosk) {
                    let box = $0.box
                    $0.geometry = .polygons(box.ring, SpotBox(around: box.high.moved(4, 4), decimetres: 3).ring)
                }
            }),
        RulePair(
            "GE-01", "an opening without a geometry", along: ["RT-01", "RT-02"],
            breaks: { try $0.edit(.opening) { $0.geometry = .null } }, keeps: { _ in }),
        RulePair(
            "GE-01", "a fixture with the nesting of a line",
            breaks: {
                try $0.edit(.fixture) {
                    let line = JSONValue.line($0.spots)
                    $0.geometry = ["type": "Polygon", "coordinates": line["coordinates"] ?? .null]
                }
            }, keeps: { try $0.edit(.fixture) { $0.geometry = .box($0.box) } }),
        RulePair(
            "GE-02", "a building with an area",
            breaks: { archive in
                let box = try archive.first(.level).box
                try archive.edit(.building) { $0.geometry = .box(box) }
            }, keeps: { try $0.edit(.building) { $0.geometry = .null } }),
        RulePair(
            "GE-03", "a relationship with a point",
            breaks: { archive in
                let position = try archive.first(.amenity).box.low
                try archive.edit(.relationship) { $0.geometry = .point(position) }
            }, keeps: { try $0.edit(.relationship) { $0.geometry = .null } }),
        RulePair(
            "GE-04", "a kiosk whose ring is open",
            breaks: { try $0.edit(.kiosk) { $0.geometry = .polygon(Array($0.box.ring.dropLast())) } },
            keeps: {
                try $0.edit(.kiosk) {
                    let box = $0.box
                    let tip = Spot(box.centre.x, box.top)
                    $0.geometry = .polygon([box.low, Spot(box.right, box.bottom), tip, box.low])
                }
            }),
        RulePair(
            "GE-04", "a detail of one position",
            breaks: { try $0.edit(.detail) { $0.geometry = .line(Array($0.spots.prefix(1))) } },
            keeps: { try $0.edit(.detail) { $0.geometry = .line(Array($0.spots.prefix(2))) } }),
        RulePair(
            "GE-05", "a clockwise unit",
            breaks: { try $0.edit(.unit, where: \.isBox) { $0.geometry = .polygon($0.box.ring.reversed()) } },
            keeps: {
                try $0.edit(.unit, where: \.isBox) {
                    let ring = $0.box.ring.dropLast()
                    $0.geometry = .polygon(ring.suffix(2) + ring.prefix(2) + [ring[2]])
                }
            }),
        RulePair(
            "GE-06", "a latitude beyond the pole", along: ["GE-03", "GE-07", "TO-01"],
            breaks: { try $0.edit(.relationship) { $0.geometry = .point(Spot(1_390_000_000, 900_000_001)) } },
            keeps: { try $0.edit(.relationship) { $0.geometry = .point(Spot(1_390_000_000, 900_000_000)) } }),
        RulePair(
            "GE-06", "an amenity with an altitude", .warning,
            breaks: {
                try $0.edit(.amenity) {
                    $0.geometry = ["type": "Point", "coordinates": .array(($0.spots[0].position.array ?? []) + [3])]
                }
            }, keeps: { try $0.edit(.amenity) { $0.geometry = .point($0.spots[0]) } }),
        RulePair(
            "GE-07", "something twenty kilometres away", along: ["GE-03", "TO-01"],
            breaks: { archive in
                let position = try archive.first(.detail).spots[0]
                try archive.edit(.relationship) { $0.geometry = .point(position.moved(200_000, 0)) }
            },
            keeps: { archive in
                let position = try archive.first(.detail).spots[0]
                try archive.edit(.relationship) { $0.geometry = .point(position.moved(50_000, 0)) }
            }),
        RulePair(
            "GE-08", "an amenity with eight decimals",
            breaks: {
                try $0.edit(.amenity) {
                    let position = $0.spots[0]
                    let longitude = Double(position.x * 10 + 1) / 1e8
                    $0.geometry = [
                        "type": "Point", "coordinates": [.number(longitude), .number(Double(position.y) / 1e7)],
                    ]
                }
            }, keeps: { try $0.edit(.amenity) { $0.geometry = .point(Spot($0.spots[0].x + 1, $0.spots[0].y)) } }),
        RulePair(
            "GE-09", "a kiosk that crosses itself",
            breaks: {
                try $0.edit(.kiosk) {
                    let box = $0.box
                    $0.geometry = .polygon([
                        box.low, Spot(box.left, box.centre.y), Spot(box.right, box.bottom), box.high, box.low,
                    ])
                }
            }, keeps: { try $0.edit(.kiosk) { $0.geometry = .polygon($0.box.ring) } }),
        RulePair(
            "GE-09", "a section with overlapping parts",
            breaks: { try $0.edit(.section) { $0.geometry = .polygons($0.box.ring, $0.box.ring) } },
            keeps: {
                try $0.edit(.section) {
                    let (box, middle) = ($0.box, $0.box.centre.x)
                    $0.geometry = .polygons(
                        SpotBox(box.low, Spot(middle - 11, box.top)).ring,
                        SpotBox(Spot(middle + 11, box.bottom), box.high).ring)
                }
            }),
        RulePair(
            "GE-10", "a MultiPolygon of one part",
            breaks: { try $0.edit(.fixture) { $0.geometry = .polygons($0.box.ring) } },
            keeps: { try $0.edit(.fixture) { $0.geometry = .polygon($0.box.ring) } }),
        RulePair(
            "GE-11", "a fixture that is too small",
            breaks: { try $0.resizeFixture(SpotBox(Spot(0, 0), Spot(33, 27))) },
            keeps: { try $0.resizeFixture(SpotBox(Spot(0, 0), Spot(44, 36))) }),
        RulePair(
            "GE-11", "a detail shorter than a centimetre",
            breaks: {
                try $0.edit(.detail) { $0.geometry = .line([$0.spots[0], Spot($0.spots[0].x + 1, $0.spots[0].y)]) }
            },
            keeps: {
                try $0.edit(.detail) { $0.geometry = .line([$0.spots[0], Spot($0.spots[0].x + 2, $0.spots[0].y)]) }
            }
        ),
        RulePair(
            "GE-12", "a kiosk with a hole",
            breaks: {
                try $0.edit(.kiosk) {
                    let hole = SpotBox($0.box.low.moved(1, 1), $0.box.low.moved(3, 3))
                    $0.geometry = .polygon($0.box.ring, hole.ring.reversed())
                }
            },
            keeps: {
                try $0.edit(.kiosk) {
                    let (box, notch) = ($0.box, $0.box.low.moved(3, 3))
                    $0.geometry = .polygon(
                        [
                            Spot(notch.x, box.bottom), Spot(box.right, box.bottom), box.high, Spot(box.left, box.top),
                            Spot(box.left, notch.y), notch, Spot(notch.x, box.bottom),
                        ])
                }
            }),
        RulePair(
            "GE-12", "a section with a hole", .info,
            breaks: { archive in
                try archive.edit(.section) {
                    let hole = SpotBox(around: $0.box.centre, decimetres: 5)
                    $0.geometry = .polygon($0.box.ring, hole.ring.reversed())
                }
            }, keeps: { try $0.edit(.section) { $0.geometry = .polygon($0.box.ring) } }),
        RulePair(
            "GE-13", "a venue that crosses the antimeridian",
            breaks: { $0.venue.moveEast(to: 180) }, keeps: { $0.venue.moveEast(to: 179) }),
    ]
}

extension TestArchive {
    /// Makes the first fixture a rectangle of this size around where it is.
    fileprivate mutating func resizeFixture(_ size: SpotBox) throws {
        try self.edit(.fixture) {
            let low = Spot($0.box.centre.x - size.right / 2, $0.box.centre.y - size.top / 2)
            $0.geometry = .box(SpotBox(low, Spot(low.x + size.right, low.y + size.top)))
        }
    }
}
