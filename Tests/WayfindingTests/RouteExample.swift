import IMDF
import Testing
import Wayfinding

// The example of the documentation, and a test that runs it.

func stepFreeRoute(from gate: FeatureID, to shop: FeatureID, in features: [WayfindingFeature]) -> RouteAnswer {
    let map = WayfindingMap(features, language: "ja-JP")
    return map.route(RouteQuery(from: .feature(gate), to: .feature(shop), profile: .stepFree, languages: ["en"]))
}

@Test func `the example of the documentation finds a route`() {
    var venue = GridVenue()
    venue.addLevel(0)
    venue.addRoom(1, 0, 0, 5_000, 5_000)
    venue.addRoom(2, 5_100, 0, 10_000, 5_000)
    venue.addDoor(3, (5_050, 1_000), (5_050, 2_000))
    let answer = stepFreeRoute(from: GridVenue.id(1), to: GridVenue.id(2), in: venue.features)
    #expect(answer.status == .route)
    #expect(answer.legs.map(\.instruction) == ["Walk about 5 m to Unit 2."])
}
