package import IMDF

package enum ArchiveManifest {
    static let fileName = "manifest.json"

    /// What a manifest says of the venue: all members but those that only tell of the export, and change with every one.
    /// Nil when there is nothing else.
    package static func content(of manifest: JSONObject) -> JSONObject? {
        let members = manifest.members.filter { $0.key != "created" && $0.key != "generated_by" }
        return members.isEmpty ? nil : JSONObject(members)
    }
}
