import Foundation
import Subprocess

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// A program that is run to completion, and its output.
struct Command: Sendable {
    var program: String
    var arguments: [String] = []
    /// The user that runs it; nil for the current user.
    var account: Account?
    var input = ""

    func run() async throws -> (succeeded: Bool, output: String) {
        let configuration = try Configuration(program: self.program, arguments: self.arguments, as: self.account)
        let result = try await Subprocess.run(
            configuration, input: .string(self.input), output: .string(limit: 1 << 20), error: .combinedWithOutput)
        return (result.terminationStatus.isSuccess, result.standardOutput)
    }

    /// Runs the program and throws an error with its last lines of output if it fails.
    func check() async throws {
        let result = try await self.run()
        guard result.succeeded else {
            let name = self.program.split(separator: "/").last.map(String.init) ?? self.program
            throw EmbeddedPostgresError.failed(program: name, output: result.output.lastLines(12))
        }
    }
}

extension String {
    func lastLines(_ count: Int) -> String {
        self.split(separator: "\n").suffix(count).joined(separator: "\n")
    }
}
