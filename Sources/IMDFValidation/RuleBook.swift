/// All rules, in the order in which they are told.
package enum RuleBook {
    /// Which edition of the rules a report was made with: a new one whenever a rule comes, goes, or judges otherwise.
    package static let version = "2026.2"

    package static let all: [Rule] =
        structure + manifest + values + content + geometry + topology + semantics + advice + revisions

    package static func rule(_ id: String) -> Rule? {
        Self.places[id].map { Self.all[$0] }
    }

    /// A rule's place in the book; ids that are not in it come last.
    static func place(of id: String) -> Int { Self.places[id] ?? Self.all.count }

    private static let places = Dictionary(uniqueKeysWithValues: zip(Self.all.map(\.id), 0...))
}

/// Which rules somebody wants to hear of.
package struct RuleSelection: Hashable, Sendable {
    /// Only these; nil for all.
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
