/// The rule for migrations: programs that do not know a migration run on a database that has it, because nodes are replaced one by
/// one after `venue migrate`. See “Adding a migration” in docs/CONTRIBUTING.md.
enum MigrationRules {
    /// The statements of a migration that an older program may stumble over, without their comments, and why.
    static func violations(in sql: String) -> [String] {
        var created: Set<String> = []
        var violations: [String] = []
        for statement in Self.statements(of: sql) where !statement.text.isEmpty {
            if let match = statement.text.prefixMatch(of: #/CREATE TABLE (IF NOT EXISTS )?([a-z_]+)/#) {
                created.insert(String(match.output.2))
            }
            guard !statement.isMarkedUnused, let reason = Self.reason(against: statement.text, created) else {
                continue
            }
            violations.append("\(statement.text.prefix(60)): \(reason)")
        }
        return violations
    }

    private struct Statement {
        var text = ""
        /// Whether a comment says since which release no program uses what the statement removes: `-- unused since 1.4`.
        var isMarkedUnused = false
    }

    private static func reason(against text: String, _ created: Set<String>) -> String? {
        let creations = #/CREATE (TABLE|INDEX|FUNCTION|VIEW|TYPE|SEQUENCE|TRIGGER) .*/#
        let others = #/(INSERT|COMMENT|ANALYZE|DO|UPDATE) .*/#
        if text.wholeMatch(of: creations) != nil || text.wholeMatch(of: others) != nil { return nil }
        if let match = text.prefixMatch(of: #/CREATE UNIQUE INDEX .*? ?ON ([a-z_]+)/#) {
            return created.contains(String(match.output.1)) ? nil : "older programs may write equal rows"
        }
        if let match = text.wholeMatch(of: #/ALTER TABLE ([a-z_]+) (.*)/#) {
            guard !created.contains(String(match.output.1)) else { return nil }
            return Self.actions(of: match.output.2).lazy.compactMap { Self.reason(againstAction: $0) }.first
        }
        return "only additions are known to be safe"
    }

    private static func reason(againstAction action: String) -> String? {
        if action.wholeMatch(of: #/ALTER (COLUMN )?[a-z_]+ SET (DEFAULT|STORAGE|STATISTICS) .*/#) != nil { return nil }
        let notColumns = #/ADD (CONSTRAINT|CHECK|UNIQUE|PRIMARY|FOREIGN|EXCLUDE)\b.*/#
        guard action.hasPrefix("ADD "), action.wholeMatch(of: notColumns) == nil else {
            return "older programs expect the table as it is"
        }
        if action.contains("UNIQUE") || action.contains("PRIMARY KEY") { return "older programs may write equal rows" }
        guard action.contains("NOT NULL"), !action.contains("DEFAULT"), !action.contains("GENERATED") else {
            return nil
        }
        return "older programs do not write the column, and it has no default"
    }

    /// The actions of ALTER TABLE, which commas separate outside of parentheses.
    private static func actions(of text: Substring) -> [String] {
        var actions = [""]
        var depth = 0
        for character in text {
            if character == "(" { depth += 1 } else if character == ")" { depth -= 1 }
            if character == ",", depth == 0 { actions.append("") } else { actions[actions.count - 1].append(character) }
        }
        return actions.map { String($0.trimmingPrefix(while: \.isWhitespace)) }
    }

    /// The statements of a script with single spaces, and without comments and the content of literals.
    private static func statements(of sql: String) -> [Statement] {
        var statements = [Statement()]
        var rest = sql[...]
        while !rest.isEmpty {
            let last = statements.count - 1
            if let comment = rest.prefixMatch(of: #/--[^\n]*|(?s)/\*.*?\*//#) {
                if comment.output.contains(#/unused since [0-9]+\.[0-9]+/#) { statements[last].isMarkedUnused = true }
                rest = rest[comment.range.upperBound...]
            } else if let literal = rest.prefixMatch(of: #/'(?:[^']|'')*'|(?s)\$([a-z]*)\$.*?\$\1\$/#) {
                statements[last].text += "''"
                rest = rest[literal.range.upperBound...]
            } else if let space = rest.prefixMatch(of: #/\s+/#) {
                if !statements[last].text.isEmpty, statements[last].text.last != " " { statements[last].text += " " }
                rest = rest[space.range.upperBound...]
            } else {
                let character = rest.removeFirst()
                if character == ";" { statements.append(Statement()) } else { statements[last].text.append(character) }
            }
        }
        return statements
    }
}
