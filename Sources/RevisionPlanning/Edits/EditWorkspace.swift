import Foundation
import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore
import SyncModel

/// The features that an edit concerns, while its operations are applied to them.
struct EditWorkspace {
    let request: EditRequest
    let making: EditedFeature.Making
    private(set) var features: [FeatureID: EditedFeature] = [:]
    /// The features of the overrides that the request names.
    private var resolved: [FeatureID: FeatureID] = [:]
    /// The features of which ids in the request are aliases, at the ends of their chains.
    private var aliases: [FeatureID: FeatureID] = [:]
    /// Whether features that refer to a hidden one are hidden, too.
    private(set) var hidesDependents = false
    let values: OverrideValues
    /// The number of the set of overrides that was read.
    private(set) var overrideNumber: Int64 = 0

    /// Reads the features.
    init(_ request: EditRequest, author: String, in venue: VenueRecord, from store: RevisionStore) async throws {
        self.request = request
        self.making = .init(
            author: request.author ?? author, message: request.message, since: Date(), until: request.until)
        let reader = JSONReader()
        self.values = OverrideValues { try reader.value(of: $0) }
        let ids = request.operations.compactMap(\.override)
        let named = ids.isEmpty ? nil : try await store.overrides(ids, of: venue, at: venue.head)
        for override in named?.overrides ?? [] { self.resolved[override.id] = override.feature }
        let features = Set(request.operations.compactMap(\.feature) + self.resolved.values)
        var number = named?.number ?? .max
        try await self.read(features, &number, in: venue, from: store)
        try await self.followAliases(of: features, &number, in: venue, from: store)
        self.overrideNumber = number
    }

    /// Reads features with their overrides.
    ///
    /// - Parameter number: The smallest number of a set of overrides that was read, so that a change in between is noticed.
    private mutating func read(
        _ ids: Set<FeatureID>, _ number: inout Int64, in venue: VenueRecord, from store: RevisionStore
    ) async throws {
        let ids = ids.sorted()
        let set = try await store.overrides(of: venue, at: venue.head, features: ids)
        number = min(number, set.number)
        let stored = try await store.storedVersions(of: ids, in: venue, at: venue.head)
        let overrides = Dictionary(grouping: set.overrides, by: \.feature)
        for id in ids {
            self.features[id] = try EditedFeature(
                id: id, stored: stored[id], overrides: overrides[id] ?? [], values: self.values)
        }
    }

    /// Finds the features of which ids are aliases, as other requests for features do.
    private mutating func followAliases(
        of ids: Set<FeatureID>, _ number: inout Int64, in venue: VenueRecord, from store: RevisionStore
    ) async throws {
        let added = self.request.operations.compactMap { operation -> FeatureID? in
            if case .add = operation.kind { operation.feature } else { nil }
        }
        let unknown = ids.subtracting(added).filter { self.isUnknown($0) }
        self.aliases = try await store.targets(ofAliases: Array(unknown), in: venue) { targets in
            try await self.read(targets.filter { self.features[$0] == nil }, &number, in: venue, from: store)
            return targets.filter { added.contains($0) || !self.isUnknown($0) }
        }
    }

    /// Whether there is neither a feature nor an override of one.
    private func isUnknown(_ id: FeatureID) -> Bool {
        self.features[id].map { $0.stored == nil && $0.overrides.isEmpty } ?? true
    }

    /// The feature of which an id is an alias, or the id.
    private func resolved(_ id: FeatureID) -> FeatureID {
        self.isUnknown(id) ? self.aliases[id] ?? id : id
    }

    // MARK: - Size

    /// The number of overrides that a request may write, and that a feature may have.
    static let overrideLimit = 5_000
    /// The number of edits of one value that hold one after the other.
    private static let coverLimit = 5
    private static let patchedProperties = 1_000
    private static let limits = ArchiveLimits()

    /// Refuses more overrides, and longer features, than every later upload can cope with.
    func checkSize() throws {
        guard !self.request.returnsToSource else { return }
        var written = 0
        for feature in self.features.values.sorted(by: { $0.id < $1.id }) where feature.hasOtherOverrides {
            try Task.checkCancellation()
            written += Set(feature.overrides).subtracting(feature.before).count
            let isTooMany =
                feature.overrides.count > Self.overrideLimit && feature.overrides.count > feature.before.count
            guard written <= Self.overrideLimit, !isTooMany else {
                throw RefusedEdit(
                    .invalid, at: feature.path, "A request makes at most \(Self.overrideLimit) overrides.")
            }
            guard feature.overrides.allSatisfy({ $0.depth <= Self.coverLimit }) else {
                throw RefusedEdit(
                    .invalid, at: feature.path,
                    "At most \(Self.coverLimit) edits of one value may wait for each other's end.")
            }
            try self.checkLength(of: feature)
        }
    }

    /// Refuses what an archive could not contain. Properties that the edit does not change are not checked.
    private func checkLength(of feature: EditedFeature) throws {
        guard let body = try feature.body(), body != feature.stored?.body else { return }
        guard body.count <= Self.limits.featureBytes else {
            throw RefusedEdit(
                .invalid, at: feature.path, "The feature is longer than \(Self.limits.featureBytes) bytes.",
                rule: "ST-02")
        }
        guard body.count > Self.limits.memberBytes, let object = try self.values.object(body) else { return }
        let stored = try self.values.object(feature.stored?.body)
        try self.checkLength(of: object, stored, "A member", at: feature.path, except: ["properties", "geometry"])
        try self.checkLength(
            of: object["properties"]?.object, stored?["properties"]?.object, "A property",
            at: "\(feature.path)/properties")
        try self.checkLength(
            of: object["geometry"]?.object, stored?["geometry"]?.object, "A member of the geometry",
            at: "\(feature.path)/geometry", except: ["coordinates", "geometries"])
    }

    private func checkLength(
        of object: JSONObject?, _ stored: JSONObject?, _ kind: String, at path: String, except names: [String] = []
    ) throws {
        for member in object?.members ?? [] where !names.contains(member.key) && stored?[member.key] != member.value {
            let length = CanonicalJSON.data(.string(member.key)).count + CanonicalJSON.data(member.value).count
            guard length > Self.limits.memberBytes else { continue }
            throw RefusedEdit(
                .invalid, at: path, "\(kind) of the feature is longer than \(Self.limits.memberBytes) bytes.",
                rule: "ST-02")
        }
    }

    // MARK: - Operations

    mutating func run() throws {
        for operation in self.request.operations {
            try Task.checkCancellation()
            try self.run(operation)
        }
    }

    private mutating func run(_ operation: EditRequest.Operation) throws {
        let path = operation.path
        switch operation.kind {
        case .patch(let id, let patch):
            try self.patch(id, at: path) { _, _ in
                guard let patch = patch.object else {
                    throw RefusedEdit(.invalid, at: path, "A patch must be an object.")
                }
                return patch
            }
        case .change(let id, let change): try self.patch(id, at: path, change)
        case .add(let feature): try self.add(feature, at: path)
        case .hide(let id, let withDependents):
            let tags = self.request.tags
            try self.update(id, at: path) { feature, making in
                guard let current = try feature.current() else {
                    throw RefusedEdit(.unknownFeature, at: path, "There is no feature \(id).")
                }
                try Self.check(feature, tags, at: path)
                guard current["feature_type"]?.string != FeatureType.venue.rawValue else {
                    throw RefusedEdit(.invalid, at: path, "A venue needs its venue feature.", rule: "ST-16")
                }
                feature.hide(making)
            }
            self.hidesDependents = self.hidesDependents || withDependents
        case .show(let id):
            try self.update(id, at: path) { feature, _ in
                guard try feature.isHidden || feature.current() != nil else {
                    throw RefusedEdit(.unknownFeature, at: path, "There is no feature \(id).")
                }
                feature.show()
            }
        case .revert(let id, let pointer):
            let tags = self.request.tags
            try self.update(id, at: path) { feature, _ in
                guard try !feature.overrides.isEmpty || feature.current() != nil else {
                    throw RefusedEdit(.unknownFeature, at: path, "There is no feature \(id).")
                }
                try Self.check(feature, tags, at: path)
                feature.revert(pointer.flatMap { OverridePointer($0) })
            }
        case .resolve(let id, .expired(let date)):
            // It may have ended, or been made to last, since it was found.
            guard let feature = self.resolved[id],
                let until = self.features[feature]?.overrides.first(where: { $0.id == id })?.until, until <= date
            else { return }
            try self.update(feature, at: path) { feature, _ in feature.resolve(id, as: .expired(by: date)) }
        case .resolve(let id, let resolution):
            guard let feature = self.resolved[id] else {
                throw RefusedEdit(.unknownOverride, at: path, "There is no override \(id).")
            }
            let tags = self.request.tags
            try self.update(feature, at: path) { feature, _ in
                let override = feature.overrides.first { $0.id == id }
                if let tags, let override, try !Self.contains(OverrideEntry(override).tag, tags) {
                    throw RefusedEdit(.otherOverrideTag, at: path, "The override was changed, or the source was.")
                }
                guard resolution == .end || override?.state == .contested else {
                    throw RefusedEdit(.notContested, at: path, "The override \(id) is not contested.")
                }
                feature.resolve(id, as: resolution)
            }
        }
    }

    private mutating func update(
        _ id: FeatureID, at path: String, _ change: (inout EditedFeature, EditedFeature.Making) throws -> Void
    ) throws {
        let id = self.resolved(id)
        guard var feature = self.features[id] else {
            throw RefusedEdit(.unknownFeature, at: path, "There is no feature \(id).")
        }
        feature.path = path
        try change(&feature, self.making)
        self.features[id] = feature
    }

    private mutating func patch(
        _ id: FeatureID, at path: String, _ change: EditRequest.Operation.Change
    ) throws {
        let tags = self.request.tags
        try self.update(id, at: path) { feature, making in
            guard let current = try feature.current() else {
                throw RefusedEdit(.unknownFeature, at: path, "There is no feature \(id).")
            }
            try Self.check(feature, tags, at: path)
            let patch = try change(current, feature.stored?.placement.level)
            let desired = MergePatch.apply(.object(patch), to: .object(current)).object ?? current
            guard (patch["properties"]?.object?.members.count ?? 0) <= Self.patchedProperties else {
                throw RefusedEdit(
                    .invalid, at: "\(path)/properties",
                    "A patch changes at most \(Self.patchedProperties) properties of a feature.")
            }
            try Self.check(desired, against: current, patch, at: path)
            try feature.change(by: patch, to: desired, making)
            feature.prolong(patch, making)
        }
    }

    /// Refuses to change a published feature that does not have any of the entity tags of a request.
    private static func check(_ feature: EditedFeature, _ tags: [String]?, at path: String) throws {
        guard let tags, let stored = feature.stored, !Self.contains(stored.digest.tag, tags) else { return }
        throw RefusedEdit(.otherTag, at: path, "The feature was changed by somebody else.")
    }

    /// Whether the entity tags of a request allow a tag.
    private static func contains(_ tag: String, _ tags: [String]) -> Bool {
        tags.contains("*") || tags.contains(tag)
    }

    /// Refuses changes of what cannot be changed.
    private static func check(
        _ desired: JSONObject, against current: JSONObject, _ patch: JSONObject, at path: String
    ) throws {
        for member in patch.members where member.key != "geometry" && member.key != "properties" {
            let pointer = "\(path)/\(JSONPointer.token(member.key))"
            guard desired[member.key] != current[member.key] else { continue }
            throw RefusedEdit(.invalid, at: pointer, "Only “geometry” and members of “properties” can be changed.")
        }
        guard let properties = desired["properties"]?.object else {
            throw RefusedEdit(.invalid, at: "\(path)/properties", "The properties must be an object.", rule: "ST-17")
        }
        try Self.checkKeys(.object(properties), at: "\(path)/properties")
    }

    /// PostgreSQL stores no NUL.
    private static func checkKeys(_ value: JSONValue, at path: String) throws {
        for member in value.object?.members ?? [] {
            guard !member.key.utf8.contains(0), member.key.utf8.count <= 1_000 else {
                throw RefusedEdit(.invalid, at: path, "A member has a name that is too long or contains NUL.")
            }
            try Self.checkKeys(member.value, at: path)
        }
    }

    private mutating func add(_ value: JSONValue, at path: String) throws {
        guard var feature = value.object else {
            throw RefusedEdit(.invalid, at: path, "A feature must be an object.", rule: "ST-06")
        }
        guard let id = feature["id"]?.string.flatMap({ FeatureID($0) }) else {
            throw RefusedEdit(.invalid, at: "\(path)/id", "The id must be a UUID.", rule: "ST-10")
        }
        guard let type = feature["feature_type"]?.string, !type.isEmpty,
            type.utf8.count <= Self.limits.featureTypeBytes,
            !type.utf8.contains(0)
        else {
            throw RefusedEdit(.invalid, at: "\(path)/feature_type", "The feature type is missing.", rule: "ST-11")
        }
        guard type != FeatureType.venue.rawValue else {
            throw RefusedEdit(
                .invalid, at: "\(path)/feature_type", "A venue has one venue feature.", rule: "ST-16")
        }
        guard feature["properties"]?.object != nil else {
            throw RefusedEdit(.invalid, at: "\(path)/properties", "The properties must be an object.", rule: "ST-17")
        }
        try Self.checkKeys(.object(feature), at: path)
        feature["id"] = .string(id.description)
        feature["type"] = "Feature"
        if feature["geometry"] == nil { feature["geometry"] = .some(.null) }
        try self.update(id, at: path) { edited, making in
            guard try edited.current() == nil, edited.existence?.isHidingNow != true else {
                throw RefusedEdit(.featureExists, at: "\(path)/id", "There is a feature \(id) already.", rule: "ST-09")
            }
            edited.add(feature, making)
        }
    }

    // MARK: - Dependents

    /// Hides a feature because it refers to a hidden one.
    mutating func hideDependent(
        _ id: FeatureID, stored: Publication.Version?, overrides: [Override], path: String
    ) throws {
        var edited =
            try self.features[id]
            ?? EditedFeature(id: id, stored: stored, overrides: overrides, values: self.values)
        edited.path = path
        edited.hide(self.making)
        self.features[id] = edited
    }

    /// Hides a feature as long as another one; false if the time of that is over, too.
    mutating func hideHanging(_ id: FeatureID, until: Date?) -> Bool {
        guard var edited = self.features[id], !edited.isHidden else { return false }
        if let until, let now = self.request.expiry, until <= now { return false }
        var making = self.making
        making.until = until
        guard edited.keepHidden(making) else { return false }
        self.features[id] = edited
        return true
    }

    /// Ends the overrides of a feature whose values refer to some features; false if there are none.
    mutating func endOverrides(
        of id: FeatureID, referringTo targets: Set<FeatureID>, stored: Publication.Version?, overrides: [Override]
    ) throws -> Bool {
        var edited =
            try self.features[id]
            ?? EditedFeature(id: id, stored: stored, overrides: overrides, values: self.values)
        guard try edited.endOverrides(referringTo: targets) else { return false }
        self.features[id] = edited
        return true
    }
}

extension EditRequest.Operation {
    /// The feature that the operation names.
    var feature: FeatureID? {
        switch self.kind {
        case .patch(let id, _), .change(let id, _), .hide(let id, _), .show(let id), .revert(let id, _): id
        case .add(let feature): feature["id"]?.string.flatMap { FeatureID($0) }
        case .resolve: nil
        }
    }

    /// The override that the operation names.
    var override: FeatureID? {
        if case .resolve(let id, _) = self.kind { id } else { nil }
    }
}

extension Digest {
    /// The entity tag of a feature with this digest.
    package var tag: String { String(self.hex.prefix(32)) }
}
