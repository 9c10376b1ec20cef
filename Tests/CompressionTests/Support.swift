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
    /// The program that everybody has it from.
    var program: String {
        switch self {
        case .gzip: "gzip"
        case .br: "brotli"
        case .zstd: "zstd"
        }
    }

    /// What the program makes of these bytes; nil when it is not installed.
    func run(_ arguments: [String], on bytes: [UInt8]) async throws -> [UInt8]? {
        let programs = ["/usr/bin/", "/bin/", "/opt/homebrew/bin/"].map { $0 + self.program }
        guard let program = programs.first(where: FileManager.default.isExecutableFile) else { return nil }
        let result = try await Subprocess.run(
            .path(FilePath(program)), arguments: Arguments(arguments), input: .array(bytes),
            output: .bytes(limit: 64 << 20), error: .string(limit: 1 << 16))
        try #require(result.terminationStatus.isSuccess, "\(result.standardError)")
        return result.standardOutput
    }
}

/// Things to compress.
enum Text {
    /// The bodies of a small venue as they stand in replies, one on a line.
    static let features: [[UInt8]] = SampleVenue(.small).features.map { CanonicalJSON.data(.object($0.body)) }

    static func venue() -> [UInt8] { Array(self.features.joined(separator: Array(",\n".utf8))) }

    /// So many bytes: the venue over and over, with a number that is never the same after every feature.
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

    /// Bytes that cannot be shortened.
    static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}
