import IMDF
import Testing

@testable import Wayfinding

/// The sentences of a route.
extension WayfindingMapTests {
    @Test func `instructions name the lift, the level and what is passed`() {
        var venue = self.building
        venue.add(
            70, .amenity,
            [
                "category": "information", "name": ["en": "Floor Guide", "ja": "案内所"],
                "unit_ids": [.string(GridVenue.id(1).description)],
            ], ["type": "Point", "coordinates": GridVenue.position(12_000, 3_500)])
        let english = self.route(venue, 2, 103, .stepFree)
        #expect(
            english.legs.map(\.instruction) == [
                "Walk about 20 m past Floor Guide to the lift.", "Take the lift beside Floor Guide up to 2F.",
                "Walk about 10 m to Unit 103.",
            ])
        let japanese = self.route(venue, 2, 103, .stepFree, languages: ["ja"])
        #expect(
            japanese.legs.map(\.instruction) == [
                "案内所を過ぎて、エレベーターまで約20 m進みます。", "案内所の横のエレベーターで2Fへ上がります。", "103号室まで約10 m進みます。",
            ])
        #expect(
            [30, 990, 1_480, 9_900, 12_340].map { Phrases.distance($0) } == [
                "5 m", "100 m", "150 m", "1.0 km", "1.2 km",
            ])
    }
}
