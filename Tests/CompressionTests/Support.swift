import Compression
import Foundation
import IMDF
import SampleVenue
import Subprocess
import TestSupport
import Testing

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

extension ContentCoding {
    /// The reference program of the coding.
    var program: String {
        switch self {
        case .gzip: "gzip"
        case .br: "brotli"
        case .zstd: "zstd"
        }
    }

    /// The codings whose reference programs are installed. In CI all of them have to be.
    static let testable = Self.allCases.filter { Requirement.isCI || Requirement.path(of: $0.program) != nil }

    /// The output of the reference program for these bytes.
    func run(_ arguments: [String], on bytes: [UInt8]) async throws -> [UInt8] {
        let program = try #require(Requirement.path(of: self.program), "\(self.program) is not installed")
        let result = try await Subprocess.run(
            .path(FilePath(program)), arguments: Arguments(arguments), input: .array(bytes),
            output: .bytes(limit: 64 << 20), error: .string(limit: 1 << 16))
        try #require(result.terminationStatus.isSuccess, "\(result.standardError)")
        return result.standardOutput
    }
}

/// Texts to compress.
enum Text {
    /// The bodies of a small venue, one per line as in responses.
    static let features: [[UInt8]] = SampleVenue(.small).features.map { CanonicalJSON.data(.object($0.body)) }

    static func venue() -> [UInt8] { Array(self.features.joined(separator: Array(",\n".utf8))) }

    /// `count` bytes of random features of the venue, each followed by a random number.
    static func long(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed), text: [UInt8] = []
        text.reserveCapacity(count + 4_096)
        while text.count < count {
            text += self.features[Int.random(in: self.features.indices, using: &random)]
            text += Array("\(random.next())\n".utf8)
        }
        text.removeLast(text.count - count)
        return text
    }

    /// Incompressible bytes.
    static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}
