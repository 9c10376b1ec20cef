/// The trade-off between time and size.
package enum Effort: Hashable, Sendable {
    /// For bodies that are compressed once and sent often: 12 to 19 ms for a megabyte of features, 0.15 ms for ten kilobytes.
    ///
    /// Not the maximum: brotli's level 10 makes a small response 9 % smaller for 35 times the work, and a client can cause that work with
    /// every new cursor.
    case once
    /// For bodies that are sent once, while they are generated: about 5 ms for a megabyte.
    case streamed
    /// For chunks of about 100 kB that bodies are joined from, while the first client waits. In chunks of 128 KiB of a real venue
    /// gzip's level 6 leaves 22.6 % in half the time that level 9 takes for 22.5 %; zstd's level 3 leaves 21.1 %, and levels 6
    /// and 9 leave more of texts of that size.
    case chunk

    var gzipLevel: Int32 {
        switch self {
        case .once: 9
        case .streamed: 4
        case .chunk: 6
        }
    }

    var brotliQuality: UInt32 {
        switch self {
        case .once: 5
        case .streamed: 4
        case .chunk: 5
        }
    }

    var zstdLevel: Int32 {
        switch self {
        case .once: 9
        case .streamed: 6
        case .chunk: 3
        }
    }
}
