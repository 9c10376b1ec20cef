/// How much an archive may ask of its reader. Everything is measured while it is read; what the archive says of itself is
/// not relied on.
package struct ArchiveLimits: Hashable, Sendable {
    /// Bytes of the archive.
    package var archive = 512 << 20
    package var entries = 4_096
    /// Bytes of one entry, unpacked. A JSON document can have 1 GiB at most.
    package var entry = 256 << 20
    /// Bytes of all entries, unpacked.
    package var total = 2 << 30
    /// How many times longer an entry may get by unpacking, past ``freeOfRatio`` bytes.
    package var ratio = 200
    package var freeOfRatio = 1 << 20
    /// Arrays and objects that may stand in each other in a JSON document.
    package var depth = 128
    /// Bytes of a feature, and of all of a JSON document but its features.
    package var feature = 32 << 20
    /// Bytes of one member of a feature's properties, in canonical form. Names and the like are shown in lists and sent to every
    /// phone; the longest in archives that were seen has 280.
    package var member = 256 << 10
    package var featureType = 200
    /// Bytes of the manifest, which every revision keeps.
    package var manifest = 1 << 20
    /// What blocks is collected up to this number.
    package var blockingFindings = 1_000

    package init() {}
}
