/// All rules, in the order in which they are reported.
package enum RuleBook {
    /// Changes whenever a rule is added, removed or reports something else.
    package static let edition = "2026.4"

    package static let all: [Rule] =
        structure + manifest + values + content + geometry + topology + semantics + routing + advice + revisions

    package static func rule(_ id: String) -> Rule? {
        Self.ranks[id].map { Self.all[$0] }
    }

    /// The index of a rule in ``all``; unknown ids come last.
    static func rank(of id: String) -> Int { Self.ranks[id] ?? Self.all.count }

    private static let ranks = Dictionary(uniqueKeysWithValues: zip(Self.all.map(\.id), 0...))
}

/// The rules that are checked.
package struct RuleSelection: Hashable, Sendable {
    /// Only these rules; nil for all.
    package var only: Set<String>?
    package var ignored: Set<String>

    package init(only: Set<String>? = nil, ignored: Set<String> = []) {
        self.only = only
        self.ignored = ignored
    }

    package static let all = RuleSelection()

    package func contains(_ rule: String) -> Bool {
        self.only?.contains(rule) != false && !self.ignored.contains(rule)
    }
}
