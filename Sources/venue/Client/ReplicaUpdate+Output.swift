import Foundation
import IMDF
import SyncClient
import SyncModel

/// An update of a replica as JSON.
struct ReplicaUpdateDocument: Encodable {
    struct Change: Encodable {
        let id: FeatureID
        let feature_type: String
        let kind: String
        @OrNull var before: JSONValue?
        @OrNull var level_id_before: FeatureID?
        @OrNull var after: JSONValue?
        @OrNull var level_id: FeatureID?
    }

    let venue: VenueKey
    @OrNull var revision: Int64?
    let changes: [Change]

    /// A document that reports the revision of the replica and no changes.
    init(venue: VenueKey, revision: Int64) {
        self.venue = venue
        self.revision = revision
        self.changes = []
    }

    init(_ update: ReplicaUpdate, of venue: VenueKey) throws {
        self.venue = venue
        self.revision = update.revision
        self.changes = try update.changes.map { change in
            let (old, new) = change.versions
            return Change(
                id: change.id, feature_type: (new ?? old)?.type.rawValue ?? "", kind: change.kind,
                before: try old.map(Self.body), level_id_before: old?.level, after: try new.map(Self.body),
                level_id: new?.level)
        }
    }

    private static func body(_ feature: ReplicaFeature) throws -> JSONValue {
        try WireJSON.value(JSONValue.self, from: Data(feature.body))
    }
}

extension ReplicaChange {
    /// The feature before and after the change; nil where it did not exist.
    fileprivate var versions: (old: ReplicaFeature?, new: ReplicaFeature?) {
        switch self {
        case .added(let new): (nil, new)
        case .changed(let old, let new), .moved(let old, let new): (old, new)
        case .removed(let old): (old, nil)
        }
    }

    fileprivate var kind: String {
        switch self {
        case .added: "added"
        case .changed: "changed"
        case .moved: "moved"
        case .removed: "removed"
        }
    }
}

/// The display names of the levels of a replica.
struct LevelNames {
    private var names: [FeatureID: String] = [:]

    init(in store: ReplicaStore) async throws {
        for level in try await store.features(on: nil, type: .level) {
            guard let body = try? WireJSON.value(JSONValue.self, from: Data(level.body)) else { continue }
            let labels = Labels(body["properties"]?["short_name"]) ?? Labels(body["properties"]?["name"])
            self.names[level.id] = labels?.text(for: [Terminal.language])
        }
    }

    private func name(of level: FeatureID?) -> String {
        level.map { self.names[$0] ?? $0.description } ?? "venue-wide"
    }

    /// One change in one line, such as `moved occupant 3f… “Bakery” from 1F to 2F`.
    func line(of change: ReplicaChange) -> String {
        let (old, new) = change.versions
        guard let feature = new ?? old else { return "" }
        let body = try? WireJSON.value(JSONValue.self, from: Data(feature.body))
        let name = Labels(body?["properties"]?["name"])?.text(for: [Terminal.language])
        let label = name.map { " “\($0)”" } ?? ""
        let levels =
            switch change {
            case .added, .changed: "on \(self.name(of: feature.level))"
            case .moved(let old, let new): "from \(self.name(of: old.level)) to \(self.name(of: new.level))"
            case .removed: "from \(self.name(of: feature.level))"
            }
        return Terminal.plain("\(change.kind) \(feature.type.rawValue) \(feature.id)\(label) \(levels)")
    }
}
