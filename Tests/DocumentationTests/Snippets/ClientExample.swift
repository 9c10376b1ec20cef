import Foundation
import IMDF
import SyncClient
import SyncModel

// Examples that the documentation quotes, here so that they are compiled; SnippetTests compares the two.

func showMall(in file: URL, draw: (ReplicaFeature) -> Void, apply: (ReplicaChange) -> Void) async throws {
    guard let server = URL(string: "https://maps.example.com"), let mall = VenueKey("mall") else { return }
    let replica = try await VenueReplica.open(file, server: server, venue: mall, key: "vsk_…")
    try await replica.sync(levels: .levels([.venueWide]))  // what a level picker needs: one request
    try await replica.add(.ordinal(0))  // the first floor: one more
    guard let floor = try await replica.store.levels().last?.level else { return }
    for unit in try await replica.store.features(on: floor, type: .unit) { draw(unit) }

    let following = Task { try await replica.follow() }  // a revision arrives moments after its publication
    defer { following.cancel() }
    for try await update in try await replica.changes(on: .level(floor), from: .now) {
        for change in update.changes { apply(change) }  // added, changed, moved, removed: old and new body
    }
}
