/// How much work goes into shortening.
package enum Effort: Hashable, Sendable {
    /// For what is compressed once and sent often: 12 to 19 ms for a megabyte of features, 0.15 ms for ten kilobytes.
    ///
    /// Not the utmost: brotli's level 10 takes 9 % off a small reply for 35 times the work, and whoever makes up cursors could
    /// make the server do it for every one of them.
    case once
    /// For what is sent while it is made, and once: about 5 ms for a megabyte.
    case streamed
    /// For pieces of some 100 kB of which bodies are joined, while the first reader waits. In pieces of 128 KiB of a real venue
    /// gzip's level 6 leaves 22.6 % in half the time that level 9 takes for 22.5 %; zstd's level 3 leaves 21.1 %, and levels 6
    /// and 9 leave more of texts of that size.
    case piece

    var gzipLevel: Int32 {
        switch self {
        case .once: 9
        case .streamed: 4
        case .piece: 6
        }
    }

    var brotliQuality: UInt32 {
        switch self {
        case .once: 5
        case .streamed: 4
        case .piece: 5
        }
    }

    var zstdLevel: Int32 {
        switch self {
        case .once: 9
        case .streamed: 6
        case .piece: 3
        }
    }
}
