import ArgumentParser
import IMDF
import IMDFValidation

/// `venue rules [ID ...]`: lists the rules that `venue validate` checks.
struct Rules: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "List the rules of the open rule book with severity and requirement; --json adds the source."
    )

    @Argument(help: "Rules or families of rules, such as PV-03 or TO; by default all.")
    var names: [String] = []

    @Flag(help: "Print JSON.")
    var json = false

    private struct Entry: Encodable {
        let id: String
        let severity: String
        let title: String
        let source: String
    }

    private struct Document: Encodable {
        let edition: String
        let rules: [Entry]

        enum CodingKeys: String, CodingKey {
            case edition = "rule_set"
            case rules
        }
    }

    func validate() throws {
        for name in self.names where RuleBook.rules(named: name).isEmpty {
            throw ValidationError("“\(name)” is neither a rule nor a family of rules.")
        }
    }

    func run() async throws {
        try await self.reportingErrors {
            let rules = self.names.isEmpty ? RuleBook.all : self.names.flatMap(RuleBook.rules(named:))
            if self.json {
                let entries = rules.map {
                    Entry(id: $0.id, severity: $0.severity.rawValue, title: $0.title, source: $0.source)
                }
                return try Terminal.print(json: Document(edition: RuleBook.edition, rules: entries))
            }
            Terminal.print("Rule book \(RuleBook.edition)")
            Terminal.print(table: rules.map { [$0.id, $0.severity.rawValue, $0.title] })
        }
    }
}

extension RuleBook {
    /// The rule with this id, or all rules of this family, ignoring case.
    static func rules(named name: String) -> [Rule] {
        let name = name.uppercased()
        return Self.all.filter { $0.id == name || $0.family == name }
    }
}
