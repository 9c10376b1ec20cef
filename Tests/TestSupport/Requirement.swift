import Foundation
package import Testing

/// Something outside of the package that a test needs, such as a program or the rights of root.
///
/// A test whose requirement is missing is skipped, but where `CI` is set it fails: otherwise it could be missing for ever.
package struct Requirement: SuiteTrait, TestTrait {
    package let isRecursive = true
    private let isMet: @Sendable () -> Bool
    private let description: Comment

    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    /// Whether continuous integration runs the tests.
    package static let isCI = ProcessInfo.processInfo.environment["CI"] != nil

    fileprivate init(isMet: @escaping @Sendable () -> Bool, description: Comment) {
        self.isMet = isMet
        self.description = description
    }

    package func prepare(for test: Test) async throws {
        if self.isMet() { return }
        if Self.isCI { throw Missing(description: "CI is set, and \(self.description.rawValue)") }
        try await ConditionTrait.enabled(if: false, self.description).prepare(for: test)
    }

    /// The path of a program; nil when it is not installed.
    package static func path(of program: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return (folders + ["/usr/local/sbin", "/usr/sbin", "/opt/homebrew/bin"]).map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

extension Trait where Self == Requirement {
    package static func requires(
        _ isMet: @autoclosure @escaping @Sendable () -> Bool, _ description: Comment
    ) -> Requirement {
        Requirement(isMet: isMet, description: description)
    }

    /// A program that has to be installed.
    package static func requires(program: String) -> Requirement {
        Requirement(isMet: { Requirement.path(of: program) != nil }, description: "\(program) is not installed")
    }
}
