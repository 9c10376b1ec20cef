import IMDF
import SyncModel

/// What a change set says about the digest of a level.
enum ExpectedDigest: Hashable, Sendable {
    case whole(Digest)
    /// The first eight bytes, in the delta form; see `Digest.prefix`. They detect accidents. With trusted keys, the computed digest
    /// is compared with the signed one.
    case beginning(UInt64)

    /// The digest, if the whole digest is known.
    var digest: Digest? { if case .whole(let digest) = self { digest } else { nil } }

    func matches(_ digest: Digest) -> Bool {
        switch self {
        case .whole(let expected): digest == expected
        case .beginning(let expected): digest.prefix == expected
        }
    }
}
