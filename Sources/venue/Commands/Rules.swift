import ArgumentParser
import IMDF
import IMDFValidation

/// `venue rules [ID ...]`: the book that `venue validate` goes by.
struct Rules: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "List the rules of the open rule book, with how grave they are and what they ask (--json: and who says so)."
    )

    @Argument(help: "Rules or families of rules, such as PV-03 or TO; all when none is given.")
    var names: [String] = []

    @Flag(help: "Print JSON.")
    var json = false

    private struct Entry: Encodable {
        let id: String
        let severity: String
        let title: String
        let source: String
    }

    private struct Book: Encodable {
        let ruleSet: String
        let rules: [Entry]

        enum CodingKeys: String, CodingKey {
            case ruleSet = "rule_set"
            case rules
        }
    }

    func validate() throws {
        for name in self.names where RuleBook.rules(named: name).isEmpty {
            throw ValidationError("“\(name)” is neither a rule nor a family of rules.")
        }
    }

    func run() async throws {
        try await self.reporting {
            let rules = self.names.isEmpty ? RuleBook.all : self.names.flatMap(RuleBook.rules(named:))
            if self.json {
                let entries = rules.map {
                    Entry(id: $0.id, severity: $0.severity.rawValue, title: $0.title, source: $0.source)
                }
                return try Terminal.say(json: Book(ruleSet: RuleBook.version, rules: entries))
            }
            Terminal.say("Rules \(RuleBook.version)")
            Terminal.say(table: rules.map { [$0.id, $0.severity.rawValue, $0.title] })
        }
    }
}

extension RuleBook {
    /// The rule of that id, or all of a family, whatever the case.
    static func rules(named name: String) -> [Rule] {
        let name = name.uppercased()
        return Self.all.filter { $0.id == name || $0.family == name }
    }
}
