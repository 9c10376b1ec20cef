import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore
import SyncModel

/// The overrides of a venue applied to the features of an archive, which have the ids of the store.
struct OverrideApplication: Sendable {
    /// By id.
    let features: [ArchiveFeature]
    let transitions: [Transition]
    /// Overrides that hide features of the archive that refer to hidden ones.
    private let hidden: [Override]

    /// What becomes of an override.
    struct Transition: Sendable {
        let before: Override
        let after: Override?
        let ending: OverrideMerge.Ending?
        let isNewlyContested: Bool
    }

    /// - Parameters:
    ///   - features: by id.
    ///   - known: ids of features that are not in the archive, but to which its features may refer.
    init(
        of set: OverrideSet, to features: [ArchiveFeature], known: Set<FeatureID>, isOwnExport: Bool, yields: Bool,
        upload: Int64
    ) throws {
        guard !set.overrides.isEmpty else {
            self.features = features
            self.transitions = []
            self.hidden = []
            return
        }
        let reader = JSONReader()
        let merge = OverrideMerge(
            values: OverrideValues { try reader.value(of: $0) }, isOwnExport: isOwnExport, yields: yields,
            upload: upload)
        let ids = features.map(\.feature.id)
        var result = AppliedFeatures(features: features)
        var transitions: [OverrideMerge.Transition] = []
        for (id, overrides) in Dictionary(grouping: set.overrides, by: \.feature).sorted(by: { $0.key < $1.key }) {
            let index = ids.sortedIndex(of: id)
            let arrival = try index.flatMap { index in
                try reader.value(of: features[index].feature.body).object.map {
                    OverrideMerge.Arrival(body: $0, level: features[index].placement.level)
                }
            }
            let outcome = try merge.apply(overrides, to: arrival)
            transitions += outcome.transitions
            result.replace(id, at: index, with: outcome.body, reader: reader)
        }
        self.hidden = try result.hideDependents(of: transitions.compactMap(\.after).filter(\.isHidingNow), reader)
        self.features = result.placed(known: known)
        let levels = result.levels
        self.transitions = transitions.map { transition in
            var after = transition.after
            // The features of the result may be on other levels than those of the archive.
            if let override = after, let level = levels[override.feature] { after?.level = level }
            return Transition(
                before: transition.before, after: after, ending: transition.ending,
                isNewlyContested: transition.isNewlyContested)
        }
    }
}

extension OverrideApplication {
    /// What the upload changes about the overrides; nil if there are none.
    func uploaded(basedOn number: Int64) -> UploadedOverrides? {
        guard !self.transitions.isEmpty else { return nil }
        var counts = Upload.OverrideCounts(quiet: self.hidden.count)
        for transition in self.transitions {
            switch (transition.ending, transition.after?.state) {
            case (.redundant, _): counts.redundant += 1
            case (.yielded, _): counts.yielded += 1
            case (nil, .contested): counts.contested += 1
            case (.forgotten, _), (nil, .orphaned): counts.orphaned += 1
            case (nil, _): counts.quiet += 1
            }
        }
        return UploadedOverrides(
            changes: OverrideChanges(
                basedOn: number, ended: self.transitions.filter { $0.after == nil }.map(\.before.id),
                written: self.transitions.compactMap { $0.after == $0.before ? nil : $0.after } + self.hidden),
            counts: counts)
    }

    /// Whether the archive says something about an overridden value that was not said before.
    var hasNewlyContested: Bool { self.transitions.contains { $0.isNewlyContested } }

    /// The overrides about which the archive says something that was not said before.
    var newlyContested: [Override] { self.transitions.filter(\.isNewlyContested).compactMap(\.after) }
}

/// Features while overrides are applied to them.
private struct AppliedFeatures {
    private let original: [ArchiveFeature]
    /// Replaced or added features; nil for hidden ones.
    private var replaced: [FeatureID: Feature?] = [:]
    /// Whether the levels have to be determined again: features were added or hidden, or references have changed.
    private var changesReferences = false
    /// The levels of the features that were replaced or added.
    private(set) var levels: [FeatureID: FeatureID?] = [:]

    init(features: [ArchiveFeature]) {
        self.original = features
    }

    mutating func replace(_ id: FeatureID, at index: Int?, with object: JSONObject?, reader: JSONReader) {
        guard let object else {
            guard index != nil else { return }
            self.replaced[id] = .some(nil)
            self.changesReferences = true
            return
        }
        let body = CanonicalJSON.data(.object(object))
        if let index, body == self.original[index].feature.body { return }
        let type = FeatureType(rawValue: object["feature_type"]?.string ?? "")
        let references = (try? reader.references(of: body, type: type)) ?? []
        self.replaced[id] = Feature(id: id, type: type, body: body, references: references)
        guard let index else {
            self.changesReferences = true
            return
        }
        let before = self.original[index].feature
        let declared = before.references.filter { $0.role != .undeclared }
        // References that IMDF does not declare are checked when the ids of the result are known.
        self.changesReferences =
            self.changesReferences || before.type != type
            || declared != references.filter { $0.role != .undeclared }
            || Set(before.references) != Set(references)
    }

    /// Hides features that refer to hidden ones, as long as those, and features that refer to these.
    ///
    /// - Returns: the new overrides, the nearest first.
    /// - Complexity: O(references of all features), however long the chains are.
    mutating func hideDependents(of hidings: [Override], _ reader: JSONReader) throws -> [Override] {
        guard !hidings.isEmpty else { return [] }
        let referrers = self.referrers
        var hidden = Dictionary(hidings.map { ($0.feature, $0) }, uniquingKeysWith: { first, _ in first })
        var found: [Override] = []
        var targets = hidings.map(\.feature)
        var next = 0
        while next < targets.count {
            defer { next += 1 }
            for index in referrers[targets[next]] ?? [] {
                let arrival = self.original[index]
                let id = arrival.feature.id
                guard hidden[id] == nil,
                    let hiding = self.references(at: index).lazy.compactMap({ hidden[$0.target] }).first,
                    let source = try reader.value(of: arrival.feature.body).object
                else { continue }
                let override = Override(
                    id: .random(), feature: id, pointer: .existence, base: arrival.feature.body, value: nil,
                    source: arrival.feature.body, witness: .init(of: source), level: arrival.placement.level,
                    author: hiding.author, message: hiding.message, since: hiding.since, until: hiding.until)
                found.append(override)
                hidden[id] = override
                targets.append(id)
                self.replace(id, at: index, with: nil, reader: reader)
            }
        }
        return found
    }

    /// The indices of the features of the archive that refer to a feature, by the id of that. The venue is left out.
    private var referrers: [FeatureID: [Int]] {
        var referrers: [FeatureID: [Int]] = [:]
        for (index, arrival) in self.original.enumerated() where arrival.feature.type != .venue {
            for reference in self.references(at: index) { referrers[reference.target, default: []].append(index) }
        }
        return referrers
    }

    /// What a feature of the archive refers to after the overrides; nothing if it is hidden.
    private func references(at index: Int) -> [Reference] {
        let arrival = self.original[index].feature
        let feature = self.replaced[arrival.id] ?? arrival
        return feature?.references.filter { $0.role != .undeclared } ?? []
    }

    /// The features by id, on their levels.
    mutating func placed(known: Set<FeatureID>) -> [ArchiveFeature] {
        guard !self.replaced.isEmpty else { return self.original }
        var features: [Feature] = []
        var rest = self.replaced.filter { $0.value != nil }
        for feature in self.original.map(\.feature) {
            if let replacement = self.replaced[feature.id] {
                rest[feature.id] = nil
                if let replacement { features.append(replacement) }
            } else {
                features.append(feature)
            }
        }
        features += rest.values.compactMap(\.self)
        features.sort { $0.id < $1.id }
        let ids = Set(features.map(\.id)).union(known)
        for index in features.indices where self.replaced[features[index].id] != nil {
            features[index].references.removeAll { $0.role == .undeclared && !ids.contains($0.target) }
        }
        let placements: [Placement] =
            self.changesReferences
            ? LevelAssignment.placements(of: features) : self.original.map(\.placement)
        var originals = self.original[...]
        let result = zip(features, placements).map { feature, placement in
            originals = originals.drop { $0.feature.id < feature.id }
            let digest =
                self.replaced[feature.id] == nil ? originals.first?.bodyDigest : Digest(of: feature.body)
            return ArchiveFeature(
                feature: feature, placement: placement, bodyDigest: digest ?? Digest(of: feature.body))
        }
        for feature in result where self.replaced[feature.feature.id] != nil {
            self.levels[feature.feature.id] = .some(feature.placement.level)
        }
        return result
    }
}
