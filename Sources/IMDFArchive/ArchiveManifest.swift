package import IMDF

package enum ArchiveManifest {
    static let fileName = "manifest.json"

    /// The members of a manifest that describe the venue: all except those that change with every export. Nil if there are none.
    package static func content(of manifest: JSONObject) -> JSONObject? {
        let members = manifest.members.filter { $0.key != "created" && $0.key != "generated_by" }
        return members.isEmpty ? nil : JSONObject(members)
    }
}
