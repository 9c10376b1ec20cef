import Foundation
import VenueSync

// An example that the documentation quotes, here so that it is compiled; SnippetTests compares the two.

func closeForRepairs(
    _ shop: FeatureID, until date: Date, in replica: VenueReplica, draw: (PendingFeature) -> Void,
    report: (String) -> Void
) async throws {
    let editor = VenueEditor(replica: replica, key: "vsk_…")  // a key with the role `publish`
    let sending = Task { try await editor.follow() }  // in order, now or when there is a network
    defer { sending.cancel() }
    try await editor.edit(shop, ["properties": ["hours": "off"]], message: "Closed for repairs", until: date)
    for await edits in editor.updates() {  // after every change
        for feature in try await editor.pending() { draw(feature) }  // as it will be, beside what is verified
        for edit in edits where edit.state.isFinal {
            report(edit.state.message(in: "ja"))  // published, refused with the reason, or overtaken
        }
        if edits.isEmpty { return }  // the replica has all that was published
    }
}
