package import Hummingbird
import HummingbirdCore
import IMDF
import RevisionStore
package import SyncModel

/// A request's query, read strictly: a value that makes no sense is refused, not passed over.
package struct QueryValues {
    private let values: FlatDictionary<Substring, Substring>

    package init(_ request: Request) {
        self.values = request.uri.queryParameters
    }

    /// An empty value counts as an absent one. Of two values neither is more meant than the other.
    package func text(_ name: String) throws -> String? {
        let values = self.values[values: name[...]]
        guard values.count <= 1 else {
            throw Problem.parameter(name, "It is there \(values.count) times, and can be there once.")
        }
        return values.first.flatMap { $0.isEmpty ? nil : String($0) }
    }

    package func all(_ name: String) -> [String] {
        self.values[values: name[...]].filter { !$0.isEmpty }.map(String.init)
    }

    package func flag(_ name: String, default value: Bool = false) throws -> Bool {
        switch try self.text(name) {
        case nil: value
        case "true": true
        case "false": false
        default: throw Problem.parameter(name, "It takes true or false.")
        }
    }

    package func number(_ name: String, in range: ClosedRange<Int64>) throws -> Int64? {
        guard let text = try self.text(name) else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw Problem.parameter(name, "It takes a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// How many items are asked for. More than there may be is clamped, because some clients always ask for more.
    package func limit(default value: Int, most: Int) throws -> Int {
        try self.number("limit", in: 1...Int64.max).map { Int(min($0, Int64(most))) } ?? value
    }

    package func epoch() throws -> EpochToken? {
        try self.text("epoch").map { text in
            guard let token = EpochToken(text) else { throw Problem.parameter("epoch", "It was cut short or made up.") }
            return token
        }
    }

    package func levels() throws -> LevelSelection {
        guard let selection = LevelSelection(values: self.all("level")) else {
            throw Problem.parameter("level", "It takes a level's id, ordinal:<number>, or venue.")
        }
        return selection
    }

    /// Free text that is kept: bounded, and without the NUL that PostgreSQL cannot store.
    package func message() throws -> String? {
        guard let text = try self.text("message") else { return nil }
        return try Self.checked(text, "message")
    }

    static func checked(_ text: String, _ name: String) throws -> String {
        guard text.utf8.count <= 2_000, !text.utf8.contains(0) else {
            throw Problem.parameter(name, "It takes at most 2000 bytes of text.")
        }
        return text
    }
}

extension RevisionRecord {
    /// The features that `level=` and its companions select.
    func filter(levels: LevelSelection, spanning: Bool, types: [String]) -> FeatureFilter {
        var filter = FeatureFilter()
        if let names = levels.names {
            filter.levels = self.levels.filter { levels.includes(level: $0.id, ordinal: $0.ordinal) }.map(\.id)
            filter.venueWide = names.contains(.venueWide)
            filter.spanning = spanning
        }
        filter.types = types.isEmpty ? nil : types.map(FeatureType.init(rawValue:))
        filter.ignoresCaseOfTypes = true
        return filter
    }
}
