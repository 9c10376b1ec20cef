import Foundation
import IMDF
import SampleVenue
import Testing

@testable import Wayfinding

/// Shapes that are made to cost as much work as possible. The limits of work bound it; the time limit only ends a run without them.
@Suite(.timeLimit(.minutes(10))) struct HostileShapeTests {
    @Test(arguments: HostileShape.allCases, [40, 110])
    func `routes in hostile shapes have a path or a reason`(shape: HostileShape, count: Int) throws {
        var venue = GridVenue()
        venue.addLevel(0)
        let level = JSONValue.string(GridVenue.id(1_000).description)
        for (index, shape) in [shape, shape, .lyingComb].enumerated() {
            let geometry = try JSONDecoder().decode(JSONValue.self, from: Data(shape.geometry(count).utf8))
            venue.add(index + 1, .unit, ["category": "room", "level_id": level], geometry)
        }
        // The corner of the shapes.
        let (longitude, latitude) = (139.7, 35.6)
        let line: JSONValue = [
            [.number(longitude), .number(latitude)], [.number(longitude), .number(latitude + 3e-5)],
        ]
        venue.add(
            9, .opening, ["category": "pedestrian", "level_id": level], ["type": "LineString", "coordinates": line])
        let map = venue.map
        let inside = Place.position(longitude: longitude + 5e-4, latitude: latitude + 5e-4, ordinal: 0)
        let places = [inside] + (1...3).map { Place.feature(GridVenue.id($0)) }
        for profile in Profile.allCases {
            for from in places {
                for to in places {
                    let answer = map.route(RouteQuery(from: from, to: to, profile: profile))
                    #expect(answer.status == .route ? !answer.legs.isEmpty : !answer.reasons.isEmpty)
                }
            }
        }
        let report = map.reachabilityReport()
        #expect(report.shares.units[.walk]?.total ?? 0 <= 3)
    }
}
