import Foundation
import IMDF
import SyncModel

/// Finds the levels of a venue by the names that operators use.
struct LevelDirectory {
    private struct Level {
        let id: FeatureID
        let ordinal: Int?
        let shortName: Labels?
        let name: Labels?
        /// The names of its buildings, if they are known.
        var buildings: [Labels] = []
    }

    private var levels: [FeatureID: Level] = [:]

    private struct Collection: Decodable {
        let features: [JSONValue]
    }

    /// Loads the current levels of a venue and, when a revision is given, also the levels that only this revision has.
    init(of venue: VenueKey, and revision: Int64? = nil, at server: ServerConnection) async throws {
        let current = try await server.get(Venue.self, "/venues/\(venue)")
        let isComplete = current.levels.count { $0.level != nil } >= current.levelCount ?? 0
        if let revision = revision ?? (isComplete ? nil : current.head) {
            let path = "/venues/\(venue)/revisions/\(revision)/features?type=level&type=building"
            let features = try await server.get(Collection.self, path).features
            let buildings = Dictionary(
                features.compactMap { feature in
                    feature["id"]?.string.flatMap { id in
                        Labels(feature["properties"]?["name"]).map { (id, $0) }
                    }
                }, uniquingKeysWith: { first, _ in first })
            for feature in features where feature["feature_type"] == "level" {
                guard let id = feature["id"]?.string.flatMap({ FeatureID($0) }) else { continue }
                let properties = feature["properties"]
                self.levels[id] = Level(
                    id: id, ordinal: properties?["ordinal"]?.number.flatMap { Int(exactly: $0) },
                    shortName: Labels(properties?["short_name"]), name: Labels(properties?["name"]),
                    buildings: (properties?["building_ids"]?.array ?? []).prefix(2).compactMap {
                        $0.string.flatMap { buildings[$0] }
                    })
            }
        }
        for level in current.levels {
            guard let id = level.level else { continue }
            self.levels[id] = Level(
                id: id, ordinal: level.ordinal, shortName: Labels(level.shortName), name: Labels(level.name),
                buildings: self.levels[id]?.buildings ?? [])
        }
    }

    /// The display name of a level, with that of its building if another level has the same name, or its id if it has no name. Nil
    /// stands for the venue-wide part.
    func name(of id: FeatureID?) -> String {
        guard let id else { return "venue-wide" }
        guard let name = self.levels[id].flatMap(Self.text(of:)) else { return id.description }
        let buildings = self.levels[id]?.buildings.map { $0.text(for: [Terminal.language]) } ?? []
        let isShared = self.levels.values.contains { $0.id != id && Self.text(of: $0) == name }
        return isShared && !buildings.isEmpty ? "\(name) (\(buildings.joined(separator: ", ")))" : name
    }

    private static func text(of level: Level) -> String? {
        (level.shortName ?? level.name)?.text(for: [Terminal.language])
    }

    /// What to type for a level: its short name if no other level has the same, otherwise its id.
    func argument(for id: FeatureID) -> String {
        let name = self.name(of: id)
        return self.levels(named: name).map(\.id) == [id] ? name : id.description
    }

    /// Turns a name from the command line into one that the server accepts. Ids and ordinals are passed on unchecked, because
    /// the server knows every revision.
    func resolve(_ text: String) throws -> String {
        if LevelSelection.Name(text) != nil { return text }
        let matches = self.levels(named: text)
        guard let first = matches.first else {
            throw Failure(.notFound, "there is no level “\(text)”; expected an id, ordinal:N or a short name")
        }
        guard matches.count == 1 else {
            let list = matches.map { level in
                "  \(level.id)  \(level.name?.text(for: [Terminal.language]) ?? "")"
            }
            throw Failure(
                .usage,
                "\(matches.count) levels are named “\(text)”; use the id of one of them:\n"
                    + list.joined(separator: "\n"))
        }
        return first.id.description
    }

    /// All levels with this name in any language, ignoring case, in the order of their ids.
    private func levels(named name: String) -> [Level] {
        self.levels.values.filter { level in
            let names = level.shortName?.texts ?? level.name?.texts ?? []
            return names.contains { $0.lowercased() == name.lowercased() }
        }.sorted { $0.id < $1.id }
    }
}
