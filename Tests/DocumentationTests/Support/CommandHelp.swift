import Foundation
import TestSupport

/// The description of the program's command line that ArgumentParser writes for tools.
struct CommandHelp: Decodable {
    struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let discussion: String?
        let arguments: [Argument]?
        let subcommands: [Command]?
    }

    struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String
        }

        let kind: String
        let names: [Name]?
        let valueName: String
        let abstract: String?
        let defaultValue: String?
        let isOptional: Bool
        let shouldDisplay: Bool
    }

    let command: Command

    static func load() async throws -> CommandHelp {
        let output = try await VenueProgram.run(["--experimental-dump-help"]).output
        return try JSONDecoder().decode(CommandHelp.self, from: Data(output.utf8))
    }

    /// Each exit code and its meaning, from the program's help.
    var exitCodes: [[String]] {
        let discussion = self.command.discussion ?? ""
        guard let start = discussion.range(of: "Exit codes:\n") else { return [] }
        return discussion[start.upperBound...].split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^ +(\d+) +(.+)$/).map { [String($0.output.1), String($0.output.2)] }
        }
    }

    /// The settings that the help names.
    var settings: Set<String> {
        Set((self.command.discussion ?? "").matches(of: /VENUE_[A-Z_]*[A-Z]/).map { String($0.output) })
    }

    /// A section for every command, in Markdown.
    var reference: [String] {
        var lines: [String] = []
        for command in self.command.subcommands ?? [] where command.commandName != "help" {
            Self.append(command, under: "venue", to: &lines)
        }
        return lines.dropLast()
    }

    private static func append(_ command: Command, under parent: String, to lines: inout [String]) {
        let name = "\(parent) \(command.commandName)"
        let arguments = (command.arguments ?? []).filter {
            $0.shouldDisplay && !["help", "version"].contains($0.valueName)
        }
        lines += ["### \(name)", "", command.abstract ?? "", ""]
        if let discussion = command.discussion, !discussion.isEmpty {
            let isTable = discussion.contains(/\S {2,}\S/) || discussion.contains("\n  ")
            lines += isTable ? discussion.split(separator: "\n").map { "    \($0)" } : [discussion]
            lines.append("")
        }
        if !arguments.isEmpty {
            lines += GeneratedTable.table(["argument", "meaning"], arguments.map(\.row))
            lines.append("")
        }
        for subcommand in command.subcommands ?? [] { Self.append(subcommand, under: name, to: &lines) }
    }
}

extension CommandHelp.Argument {
    /// A row of the table: how the argument is written, and its meaning.
    fileprivate var row: [String] {
        let names = (self.names ?? []).sorted { $0.name.count < $1.name.count }
        let dashed = names.map { ($0.kind == "short" ? "-" : "--") + $0.name }.joined(separator: ", ")
        let written =
            switch self.kind {
            case "flag": "`\(dashed)`"
            case "option": "`\(dashed) <\(self.valueName)>`"
            default: "`<\(self.valueName)>`"
            }
        var meaning = self.abstract ?? ""
        if let value = self.defaultValue { meaning += " Default: `\(value)`." }
        if !self.isOptional { meaning += " Required." }
        return [written, meaning]
    }
}
