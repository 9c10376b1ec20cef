package import Hummingbird
import HummingbirdCore
package import IMDF
import RevisionStore
package import SyncModel

/// The query parameters of a request. An invalid value is refused, not ignored.
package struct QueryValues {
    private let values: FlatDictionary<Substring, Substring>

    package init(_ request: Request) {
        self.values = request.uri.queryParameters
    }

    /// The names of all parameters.
    var names: [String] { self.values.map { String($0.key) } }

    /// Refuses parameters that an address does not have. A misspelled one would be ignored, and the request would do something else.
    package func refuseUnknown(except known: [String]) throws {
        guard let name = self.names.first(where: { !$0.isEmpty && !known.contains($0) }) else { return }
        throw Problem.parameter(
            name.excerpt(characters: 40, bytes: 200), "This address has no such parameter. \(name.hint(at: known))")
    }

    /// Refuses parameters without a value, for interfaces in which a client may mean something by them.
    func refuseEmptyValues() throws {
        guard let name = self.values.first(where: { $0.value.isEmpty })?.key else { return }
        throw Problem.parameter(String(name), "It has no value. Give it one, or leave it out.")
    }

    /// Nil for an empty value. A parameter that occurs twice is refused, because it would be unclear which value counts.
    package func text(_ name: String) throws -> String? {
        let values = self.values[values: name[...]]
        guard values.count <= 1 else {
            throw Problem.parameter(name, "It occurs \(values.count) times, and may occur once.")
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
        default: throw Problem.parameter(name, "It must be true or false.")
        }
    }

    package func number(_ name: String, in range: ClosedRange<Int64>) throws -> Int64? {
        guard let text = try self.text(name) else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw Problem.parameter(name, "It must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// The maximum number of items. A larger value is clamped, because some clients always request more.
    package func limit(default value: Int, max: Int) throws -> Int {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        // Perhaps too large for a number.
        if let text = try self.text("limit"), Int64(text) == nil, text.utf8.allSatisfy(digits.contains) { return max }
        return try self.number("limit", in: 1...Int64.max).map { Int(Swift.min($0, Int64(max))) } ?? value
    }

    package func form() throws -> SyncForm {
        guard let text = try self.text("form") else { return .plain }
        guard let form = SyncForm(rawValue: text) else { throw Problem.parameter("form", "It must be plain or delta.") }
        return form
    }

    package func epoch() throws -> EpochToken? {
        try self.text("epoch").map { text in
            guard let token = EpochToken(text) else { throw Problem.parameter("epoch", "It is truncated or invalid.") }
            return token
        }
    }

    package func levels() throws -> LevelSelection {
        guard let selection = LevelSelection(values: self.all("level")) else {
            throw Problem.parameter("level", "It must be the id of a level, ordinal:<number>, or venue.")
        }
        return selection
    }

    /// The feature types of a request, each once.
    package func types() throws -> [String] {
        let limit = 32
        let types = Set(self.all("type")).sorted()
        guard types.count <= limit, types.allSatisfy({ $0.utf8.count <= 200 && !$0.utf8.contains(0) }) else {
            throw Problem.parameter("type", "It must be a feature type, and may occur \(limit) times.")
        }
        return types
    }

    /// Free text that is stored: of bounded length, and without NUL, which PostgreSQL cannot store.
    package func storedText(_ name: String) throws -> String? {
        try self.text(name).map { try Self.checked($0, name) }
    }

    static func checked(_ text: String, _ name: String) throws -> String {
        guard text.utf8.count <= 2_000, !text.utf8.contains(0) else {
            throw Problem.parameter(name, "It must have at most 2000 bytes.")
        }
        return text
    }
}

extension String {
    /// What an unknown name was probably meant to be; otherwise the names that there are.
    func hint(at known: [String]) -> String {
        if let name = self.nearest(of: known) { return "Did you mean “\(name)”?" }
        return known.isEmpty ? "It has none." : "It has \(known.joined(separator: ", "))."
    }
}

extension RevisionRecord {
    /// The features that `level=`, `spanning=` and `type=` select.
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
