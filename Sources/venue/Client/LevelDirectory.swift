import Foundation
import IMDF
import SyncModel

/// The levels of a venue as an operator calls them.
struct LevelDirectory {
    private struct Level {
        let id: FeatureID
        let ordinal: Int?
        let shortName: Labels?
        let name: Labels?
    }

    private var levels: [FeatureID: Level] = [:]

    private struct Collection: Decodable {
        let features: [JSONValue]
    }

    /// The levels that a venue has now, and those that only an earlier revision had.
    init(of venue: VenueKey, and revision: Int64? = nil, at server: ServerConnection) async throws {
        let now = try await server.get(Venue.self, "/venues/\(venue)")
        let isWhole = now.levels.count { $0.level != nil } >= now.levelCount ?? 0
        if let revision = revision ?? (isWhole ? nil : now.head) {
            let path = "/venues/\(venue)/revisions/\(revision)/features?type=level"
            for feature in try await server.get(Collection.self, path).features {
                guard let id = feature["id"]?.string.flatMap({ FeatureID($0) }) else { continue }
                let properties = feature["properties"]
                self.levels[id] = Level(
                    id: id, ordinal: properties?["ordinal"]?.number.flatMap { Int(exactly: $0) },
                    shortName: Labels(properties?["short_name"]), name: Labels(properties?["name"]))
            }
        }
        for level in now.levels {
            guard let id = level.level else { continue }
            self.levels[id] = Level(
                id: id, ordinal: level.ordinal, shortName: Labels(level.shortName), name: Labels(level.name))
        }
    }

    /// What a person calls a level, or its id; nil is the venue-wide part.
    func name(of id: FeatureID?) -> String {
        guard let id else { return "venue-wide" }
        let labels = self.levels[id]?.shortName ?? self.levels[id]?.name
        return labels?.text(for: [Terminal.language]) ?? id.description
    }

    /// What can be typed for a level: its short name when no other level bears it, else its id.
    func argument(for id: FeatureID) -> String {
        let name = self.name(of: id)
        return self.bearers(of: name).map(\.id) == [id] ? name : id.description
    }

    /// A level's name as the server takes it: ids and ordinals are left to the server, which knows every revision.
    func resolve(_ text: String) throws -> String {
        if LevelSelection.Name(text) != nil { return text }
        let bearers = self.bearers(of: text)
        guard let first = bearers.first else {
            throw Failure(.notFound, "there is no level “\(text)”; an id, ordinal:N or a short name is expected")
        }
        guard bearers.count == 1 else {
            let list = bearers.map { level in
                "  \(level.id)  \(level.name?.text(for: [Terminal.language]) ?? "")"
            }
            throw Failure(
                .usage,
                "\(bearers.count) levels are called “\(text)”; say which by its id:\n"
                    + list.joined(separator: "\n"))
        }
        return first.id.description
    }

    /// In any language, whatever the case; by id.
    private func bearers(of name: String) -> [Level] {
        self.levels.values.filter { level in
            let names = level.shortName?.texts ?? level.name?.texts ?? []
            return names.contains { $0.lowercased() == name.lowercased() }
        }.sorted { $0.id < $1.id }
    }
}
