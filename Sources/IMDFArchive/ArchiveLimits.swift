/// The limits of an archive. An entry that would exceed them by the sizes that it declares is not inflated, and one that has other sizes
/// than it declares is refused.
package struct ArchiveLimits: Hashable, Sendable {
    package var archiveBytes = 512 << 20
    package var entries = 4_096
    /// For one uncompressed entry. A JSON document can have 1 GiB at most.
    package var entryBytes = 256 << 20
    /// For all uncompressed entries.
    package var uncompressedBytes = 2 << 30
    /// The compression ratio of an entry. It is not enforced for the first ``bytesWithoutRatio`` bytes.
    package var compressionRatio = 200
    package var bytesWithoutRatio = 1 << 20
    /// Nested arrays and objects in a JSON document.
    package var nestingDepth = 128
    /// For a feature, and of a JSON document without its features.
    package var featureBytes = 32 << 20
    /// For one property of a feature in canonical form, and of any other member of it but the coordinates. Properties such as names are
    /// shown in lists and sent to every phone; the longest in known archives has 280 bytes.
    package var memberBytes = 256 << 10
    /// The growth of all references by assigned ids.
    package var referenceGrowthBytes = 64 << 20
    package var featureTypeBytes = 200
    /// For an id that is not a UUID.
    package var idBytes = 256
    /// For the manifest, which every revision keeps.
    package var manifestBytes = 1 << 20
    /// Blocking findings. Reading stops when this number is reached.
    package var blockingFindings = 1_000

    package init() {}
}
