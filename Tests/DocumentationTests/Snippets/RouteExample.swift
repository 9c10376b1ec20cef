import VenueSync

// An example that the documentation quotes, here so that it is compiled; SnippetTests compares the two.

func showWay(
    from gate: FeatureID, to shop: FeatureID, or toilets: [FeatureID], in replica: VenueReplica,
    draw: (RouteAnswer.Leg) -> Void, say: (String) -> Void
) async throws {
    let route = try await replica.route(from: .feature(gate), to: .feature(shop), profile: .stepFree)  // from the file
    for leg in route.legs {
        draw(leg)  // one for each floor, and one for each change of floors
        say(leg.instruction)
    }
    if route.status != .route { say(route.reasons.map(\.code).joined(separator: ", ")) }  // why there is none
    let near = try await replica.nearest(from: .feature(gate), among: toilets, profile: .stepFree)
    if let first = near.first { say("\(first.seconds / 60) minutes") }
}
