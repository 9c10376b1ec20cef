import Foundation
import VenueSync

// Examples that the documentation quotes, here so that they are compiled; SnippetTests compares the two.

func showMall(in file: URL, apply: (ReplicaChange) -> Void) async throws {
    guard let server = URL(string: "https://maps.example.com"), let mall = VenueKey("mall") else { return }
    let replica = try await VenueReplica.open(file, server: server, venue: mall, key: "vsk_…")
    let following = Task { try await replica.follow(adding: [.ordinal(0)]) }  // downloads a floor, then every revision
    defer { following.cancel() }
    for try await update in try await replica.changes(on: [.ordinal(0)]) {  // first what the file has, also offline
        for change in update.changes { apply(change) }  // added, changed, moved, removed: old and new body
    }
}

func printShops(of replica: VenueReplica, on level: FeatureID) async throws {
    for floor in try await replica.store.floors() { print(floor.pickerLabel(for: ["ja"]) ?? "?") }
    for shop in try await replica.store.features(on: level, type: .occupant).compactMap({ OccupantFeature($0) }) {
        print(shop.name(in: ["ja", "en"]) ?? "?", shop.category ?? "", shop.hours ?? "")
    }
}

func showSignedMall(in file: URL) async throws -> ReplicaStatus.Connection {
    guard let server = URL(string: "https://maps.example.com"), let mall = VenueKey("mall"),
        let key = PublicKey("ed25519:PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw")
    else { return .offline(nil) }
    let replica = try await VenueReplica.open(file, server: server, venue: mall, key: "vsk_…", trusting: [key])
    do {
        try await replica.sync()
    } catch SyncError.untrusted(let reason) {
        print("The map stays as it was: \(reason)")
    }
    return replica.status.connection
}

func printVenues(of server: ServerAddress) async throws {
    for venue in try await VenueDirectory(server: server).venues() {
        print(venue.venue, venue.name?.text(for: Locale.preferredLanguages) ?? "", "revision \(venue.revision)")
        for floor in venue.floors { print("  floor", floor.ordinal.map(String.init) ?? "?", floor.levels.count) }
    }
}

func keepAllVenues(in file: URL, of server: URL, key: String, rebuild: @Sendable (VenueMap) -> Void) async throws {
    let catalogue = try await VenueCatalogueReplica.open(file, server: server, key: key)
    let report = try await catalogue.sync()  // or follow { report in … }
    for venue in report.updated { rebuild(try await catalogue.store.map(of: venue)) }
}
