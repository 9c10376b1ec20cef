import Foundation
import Yams

/// The commands that a workflow, a script or a test runs.
struct CommandFile {
    /// One for each line, without comments. Those of a workflow are the lines of its members `run`, those of a test its string literals.
    let commands: Set<String>

    init(path: String) throws {
        try self.init(
            path: path, text: String(contentsOf: DocumentationPage.root.appending(path: path), encoding: .utf8))
    }

    init(path: String, text: String) throws {
        switch path {
        case _ where path.hasSuffix(".yml"):
            let workflow = try Yams.load(yaml: text)
            self.commands = Set(Self.scripts(in: workflow).flatMap { Self.commands(in: $0) })
        case _ where path.hasSuffix(".swift"):
            self.commands = Set(text.matches(of: /"([^"\\\n]+)"/).map { String($0.output.1) })
        default:
            self.commands = Set(Self.commands(in: text))
        }
    }

    /// The values of all members `run`, at any depth.
    private static func scripts(in value: Any?) -> [String] {
        if let members = value as? [String: Any] {
            return members.flatMap { (key, value) -> [String] in
                if key == "run", let script = value as? String { return [script] }
                return Self.scripts(in: value)
            }
        }
        return (value as? [Any] ?? []).flatMap { Self.scripts(in: $0) }
    }

    /// The lines of a shell script, without comments and empty lines.
    static func commands(in script: String) -> [String] {
        script.split(separator: "\n").map { line in
            let comment = line.firstRange(of: /(^|\s)#/)?.lowerBound ?? line.endIndex
            return line[..<comment].trimmingCharacters(in: .whitespaces)
        }.filter { !$0.isEmpty }
    }

    /// Arguments that CI adds to a documented command: not to serve for ever, or to build twice.
    private static let additions = ["", " --once --port 0", " --skip-build", " --no-build"]

    /// Whether a documented command is among the commands.
    static func runs(_ command: String, _ commands: Set<String>) -> Bool {
        Self.additions.contains { commands.contains(command + $0) }
    }
}
