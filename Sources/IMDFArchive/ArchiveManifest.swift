package import IMDF

package enum ArchiveManifest {
    static let fileName = "manifest.json"

    /// `generated_by` of an archive that was exported with the edits in it.
    package static let generator = "VenueSync"
    /// `generated_by` of an archive that was exported as its producer made it, without edits.
    package static let sourceGenerator = "VenueSync, without edits"

    /// The members of a manifest that describe the venue: all except those that change with every export. Nil if there are none.
    package static func content(of manifest: JSONObject) -> JSONObject? {
        let members = manifest.members.filter { $0.key != "created" && $0.key != "generated_by" }
        return members.isEmpty ? nil : JSONObject(members)
    }
}
