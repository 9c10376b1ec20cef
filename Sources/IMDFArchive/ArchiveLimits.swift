/// The limits of an archive. An entry that would exceed them by the sizes that it declares is not inflated, and one that has other sizes
/// than it declares is refused.
package struct ArchiveLimits: Hashable, Sendable {
    /// Bytes of the archive.
    package var archive = 512 << 20
    package var entries = 4_096
    /// Bytes of one uncompressed entry. A JSON document can have 1 GiB at most.
    package var entry = 256 << 20
    /// Bytes of all uncompressed entries.
    package var total = 2 << 30
    /// The compression ratio of an entry. It is not enforced for the first ``freeOfRatio`` bytes.
    package var ratio = 200
    package var freeOfRatio = 1 << 20
    /// Nested arrays and objects in a JSON document.
    package var depth = 128
    /// Bytes of a feature, and of a JSON document without its features.
    package var feature = 32 << 20
    /// Bytes of one property of a feature in canonical form, and of any other member of it but the coordinates. Properties such as names are
    /// shown in lists and sent to every phone; the longest in known archives has 280 bytes.
    package var member = 256 << 10
    /// The bytes that assigned ids may add to all references.
    package var growth = 64 << 20
    package var featureType = 200
    /// Bytes of an id that is not a UUID.
    package var id = 256
    /// Bytes of the manifest, which every revision keeps.
    package var manifest = 1 << 20
    /// Blocking findings. Reading stops when this number is reached.
    package var blockingFindings = 1_000

    package init() {}
}
