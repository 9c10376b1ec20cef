import Foundation
import Hummingbird
import IMDF
import RevisionStore
import SyncModel
import VenueMap

/// The parameters of a search.
struct SearchRequest: Sendable {
    let text: String
    let languages: [String]
    let types: [String]
    let levels: LevelSelection
    let category: String?
    /// The time, and whether it is that of the request.
    let openAt: (time: Date, isNow: Bool)?
    let near: Position?
    let nearLevel: LevelSelection.Name?
    let limit: Int

    /// In bytes. It bounds what a search costs.
    private static let maximumText = 256
    private static let maximumCategory = 100
    private static let maximumLanguages = 5
    private static let maximumLevels = 256

    init(_ values: QueryValues, now: Date = Date()) throws {
        let text = try values.text("q") ?? ""
        guard text.utf8.count <= Self.maximumText, !text.utf8.contains(0) else {
            throw Problem.parameter("q", "It may have at most \(Self.maximumText) bytes of UTF-8, and no NUL.")
        }
        self.text = text
        self.languages = try values.languages(atMost: Self.maximumLanguages)
        self.types = try values.types()
        self.levels = try values.levels()
        guard (self.levels.names?.count ?? 0) <= Self.maximumLevels else {
            throw Problem.parameter("level", "It may occur \(Self.maximumLevels) times.")
        }
        let category = try values.text("category")
        guard (category?.utf8.count ?? 0) <= Self.maximumCategory, category?.utf8.contains(0) != true else {
            throw Problem.parameter("category", "It may have at most \(Self.maximumCategory) bytes, and no NUL.")
        }
        self.category = category
        self.openAt = try values.text("open_at").map { try Self.time($0, "open_at", now) }
        self.near = try values.text("near").map(Self.position)
        self.nearLevel = try values.text("near_level").map { text in
            guard let name = LevelSelection.Name(text), name != .venueWide else {
                throw Problem.parameter("near_level", "It must be the id of a level or ordinal:<number>.")
            }
            return name
        }
        guard self.nearLevel == nil || self.near != nil else {
            throw Problem.parameter("near_level", "It is the floor of “near”, which is missing.")
        }
        self.limit = try values.limit(default: 20, max: 100)
        let hasCondition = self.category != nil || self.near != nil || self.openAt != nil
        guard
            hasCondition || !self.types.isEmpty || self.levels.names != nil
                || !text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
        else {
            throw Problem.parameter("q", "It may be empty if another condition is given, such as category or near.")
        }
    }

    /// Reads `now` or an RFC 3339 time.
    static func time(_ text: String, _ name: String, _ now: Date) throws -> (time: Date, isNow: Bool) {
        if text == "now" { return (now, true) }
        guard text.utf8.count <= 40, let date = Timestamp.date(of: text) else {
            throw Problem.parameter(name, "It must be an RFC 3339 time, such as 2031-03-09T10:00:00Z, or now.")
        }
        return (date, false)
    }

    /// Reads `lon,lat`, the order of GeoJSON.
    private static func position(_ text: String) throws -> Position {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 2, let longitude = numbers[0], let latitude = numbers[1],
            (-180...180).contains(longitude), (-90...90).contains(latitude)
        else { throw Problem.parameter("near", "It must be longitude,latitude in degrees, such as 139.7005,35.6005.") }
        return Position(longitude: longitude, latitude: latitude)
    }

    /// The parameters as they were understood; equal searches have equal ones.
    func json(at instant: Date?) -> JSONValue {
        func list(_ texts: [String]?) -> JSONValue { texts.map { .array($0.map(JSONValue.string)) } ?? .null }
        return [
            "q": .string(self.text), "lang": list(self.languages), "type": list(self.types),
            "level": list(self.levels.names?.map(\.description).sorted()),
            "category": self.category.map(JSONValue.string) ?? .null,
            "open_at": instant.map { .string(Timestamp.text(of: $0)) } ?? .null,
            "near": self.near.map { [.number($0.longitude), .number($0.latitude)] } ?? .null,
            "near_level": self.nearLevel.map { .string($0.description) } ?? .null,
            "limit": .number(Double(self.limit)),
        ]
    }

    func conditions(in revision: RevisionRecord, at instant: Date?, timeZone: TimeZone?) throws
        -> SearchIndex.Conditions
    {
        var conditions = SearchIndex.Conditions()
        conditions.text = self.text
        conditions.types = self.types.isEmpty ? nil : Set(self.types.map(FeatureType.init(rawValue:)))
        if let names = self.levels.names {
            conditions.levels = Set(
                revision.levels.filter { self.levels.includes(level: $0.id, ordinal: $0.ordinal) }.map(\.id))
            conditions.includesVenueWide = names.contains(.venueWide)
        }
        conditions.category = self.category
        conditions.openAt = instant
        conditions.timeZone = timeZone
        conditions.origin = try self.near.map { position in
            SearchIndex.Origin(position: position, levels: try self.nearLevel.map { try self.floor($0, in: revision) })
        }
        // One more shows whether there are more.
        conditions.limit = self.limit + 1
        return conditions
    }

    /// The levels of the floor of a level.
    private func floor(_ name: LevelSelection.Name, in revision: RevisionRecord) throws -> Set<FeatureID> {
        let selection = LevelSelection(names: [name])
        let named = revision.levels.filter { selection.includes(level: $0.id, ordinal: $0.ordinal) }
        guard !named.isEmpty else { throw Problem.parameter("near_level", "The venue has no such level.") }
        return Set(named.map(\.id))
    }
}
