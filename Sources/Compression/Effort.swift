/// How much work goes into shortening.
package enum Effort: Hashable, Sendable {
    /// For what is compressed once and sent often: 12 to 19 ms for a megabyte of features, 0.15 ms for ten kilobytes.
    ///
    /// Not the utmost: brotli's level 10 takes 9 % off a small reply for 35 times the work, and whoever makes up cursors could
    /// make the server do it for every one of them.
    case once
    /// For what is sent while it is made, and once: about 5 ms for a megabyte.
    case streamed

    var gzipLevel: Int32 {
        switch self {
        case .once: 9
        case .streamed: 4
        }
    }

    var brotliQuality: UInt32 {
        switch self {
        case .once: 5
        case .streamed: 4
        }
    }

    var zstdLevel: Int32 {
        switch self {
        case .once: 9
        case .streamed: 6
        }
    }
}
