import Foundation
import IMDF
import IMDFArchive
import IMDFDiff
import RevisionStore

/// A feature while it is edited: what the source says about it, and the overrides that hold.
struct EditedFeature {
    /// Who makes new overrides, and until when they hold.
    struct Making {
        var author: String
        var message: String?
        var since: Date
        var until: Date?
    }

    let id: FeatureID
    /// The published version; nil if the feature is hidden, orphaned or new.
    let stored: Publication.Version?
    let before: [Override]
    /// Nil if the source does not have the feature.
    private(set) var source: JSONObject?
    var overrides: [Override]
    /// The place of the last operation on the feature in the request.
    var path = ""
    private let values: OverrideValues
    private let published: JSONObject?

    init(id: FeatureID, stored: Publication.Version?, overrides: [Override], values: OverrideValues) throws {
        self.id = id
        self.stored = stored
        self.before = overrides
        self.overrides = overrides
        self.values = values
        self.published = try values.object(stored?.body)
        switch overrides.first(where: { $0.pointer == .existence }) {
        case let existence?: self.source = existence.isHiding ? try values.object(existence.source) : nil
        case nil:
            var source = self.published
            for override in overrides where source != nil { try override.setSource(in: &source!, values) }
            self.source = source
        }
    }

    var existence: Override? { self.overrides.first { $0.pointer == .existence } }
    var isHidden: Bool { self.existence?.isHiding ?? false }

    /// The feature as it is to be published; nil if it is not.
    func current() throws -> JSONObject? {
        if let existence = self.existence { return try self.values.object(existence.value) }
        guard var feature = self.source else { return nil }
        for override in self.overrides { try override.set(in: &feature, self.values) }
        return feature
    }

    /// The body to publish; the stored one if they are equivalent.
    func body() throws -> [UInt8]? {
        guard let feature = try self.current() else { return nil }
        if let published = self.published, let stored = self.stored,
            OverrideValues.same(.object(feature), .object(published), at: .existence, of: stored.type)
        {
            return stored.body
        }
        return CanonicalJSON.data(.object(feature))
    }

    // MARK: - Changes

    /// Makes the feature say what a merge patch makes of it.
    mutating func change(by patch: JSONObject, to desired: JSONObject, _ making: Making) throws {
        if let addition = self.existence, addition.isAddition {
            let isSame = try OverrideValues.same(
                self.values.value(addition.value), .object(desired), at: .existence, of: addition.witness.type)
            if !isSame { self.overrides = [try self.changed(addition, by: patch, making)] }
            return
        }
        guard let source = self.source, let current = try self.current() else { return }
        let type = FeatureType(rawValue: source["feature_type"]?.string ?? "")
        if !OverrideValues.same(current["geometry"], desired["geometry"], at: .geometry, of: type) {
            try self.derive([.geometry], replacing: { $0 == .geometry }, source, desired, making)
        }
        for key in Self.keys(of: current["properties"]?.object, desired["properties"]?.object) {
            let pointer = OverridePointer.property(key)
            let (old, new) = (pointer.value(in: current), pointer.value(in: desired))
            guard !OverrideValues.same(old, new, at: pointer, of: type) else { continue }
            // An edit with an end covers an override of the whole label as a whole.
            let isWhole = making.until != nil && self.overrides.contains { $0.pointer == pointer }
            try self.derive(
                isWhole ? [pointer] : self.pointers(for: key, source, desired),
                replacing: { $0.isIn(property: key) }, source, desired, making)
        }
    }

    /// The override of an added feature after a patch. One with an end covers the feature as it was before.
    private func changed(_ addition: Override, by patch: JSONObject, _ making: Making) throws -> Override {
        guard let until = making.until else {
            guard !addition.covered.isEmpty else { return try self.patched(addition, by: patch, making) }
            return try self.patchedThrough(addition, by: patch, making)
        }
        var changed = try self.patched(addition, by: patch, making)
        changed.covered = addition.holding(after: until)
        if changed.covered.contains(where: { $0.id == changed.id }) { changed.id = .random() }
        return changed
    }

    private func patched(_ addition: Override, by patch: JSONObject, _ making: Making) throws -> Override {
        var patched = addition
        let value = MergePatch.apply(.object(patch), to: try self.values.value(addition.value) ?? .null)
        patched.value = CanonicalJSON.data(value)
        if let value = value.object { patched.witness = .init(of: value) }
        self.make(&patched, making)
        return patched
    }

    /// An edit without an end also changes what holds after earlier ones, which keep their ends.
    private func patchedThrough(_ addition: Override, by patch: JSONObject, _ making: Making) throws -> Override {
        var making = making
        making.until = addition.until
        var patched = try self.patched(addition, by: patch, making)
        patched.covered = try addition.covered.map { try self.patchedThrough($0, by: patch, making) }
        return patched
    }

    /// Gives the overrides of what a patch names the time of the request, even if their values stay as they are.
    mutating func prolong(_ patch: JSONObject, _ making: Making) {
        guard let until = making.until else { return }
        for index in self.overrides.indices where self.overrides[index].until != until {
            let pointer = self.overrides[index].pointer
            guard pointer != .existence, case .some = pointer.value(in: patch) else { continue }
            self.overrides[index].covered = self.overrides[index].covered.flatMap { $0.holding(after: until) }
            self.overrides[index].until = until
            self.overrides[index].author = making.author
        }
    }

    /// The languages of a label one by one, if both sides have the label; otherwise the whole property. A language that neither side has
    /// may have an override that a removal with an end covers.
    private func pointers(
        for key: String, _ source: JSONObject, _ desired: JSONObject
    ) -> [OverridePointer] {
        guard OverridePointer.isLabel(key), let before = source["properties"]?[key]?.object,
            let after = desired["properties"]?[key]?.object
        else { return [.property(key)] }
        let languages = Self.keys(of: before, after).map { OverridePointer.label(key, language: $0) }
        let known = Set(languages)
        return languages
            + self.overrides.map(\.pointer).filter {
                $0 != .property(key) && $0.isIn(property: key) && !known.contains($0)
            }
    }

    /// The keys of two objects, each once. They are told apart by bytes, unlike in a set of strings.
    private static func keys(of one: JSONObject?, _ other: JSONObject?) -> [String] {
        JSONObject((one?.members ?? []) + (other?.members ?? [])).members.map(\.key)
    }

    /// Replaces overrides by those that turn the source into the desired values. One that says the same as before stays as it is. Those
    /// with an end cover what they replace.
    private mutating func derive(
        _ pointers: [OverridePointer], replacing isReplaced: (OverridePointer) -> Bool, _ source: JSONObject,
        _ desired: JSONObject, _ making: Making
    ) throws {
        let old = self.overrides.filter { isReplaced($0.pointer) }
        let known = Dictionary(old.map { ($0.pointer, $0) }, uniquingKeysWith: { first, _ in first })
        if !old.isEmpty { self.overrides.removeAll { isReplaced($0.pointer) } }
        let witness = Override.Witness(of: source)
        for pointer in pointers {
            let (base, value) = (pointer.value(in: source), pointer.value(in: desired))
            let known = known[pointer]
            let bytes = value.map { CanonicalJSON.data($0) }
            if let known, try self.values.same(known.value, bytes, at: pointer, of: witness.type) {
                self.overrides.append(known)
                continue
            }
            let covered = old.filter { pointer.contains($0.pointer) }.flatMap { override in
                making.until.map { override.holding(after: $0) } ?? []
            }
            let isNeeded = !OverrideValues.same(base, value, at: pointer, of: witness.type) || !covered.isEmpty
            guard isNeeded else { continue }
            let said = base.map { CanonicalJSON.data($0) }
            let kept = known.flatMap { known in covered.contains { $0.id == known.id } ? nil : known.id }
            var override = Override(
                id: kept ?? .random(), feature: self.id, pointer: pointer, base: said, value: bytes,
                source: said, witness: witness, level: self.stored?.placement.level, author: "", message: nil,
                since: making.since, until: nil)
            override.covered = covered
            self.make(&override, making)
            self.overrides.append(override)
        }
    }

    private func make(_ override: inout Override, _ making: Making) {
        override.author = making.author
        override.message = making.message
        override.since = making.since
        override.until = making.until
    }

    /// Makes the source's feature disappear, or removes an added one, which comes back if the edit has an end.
    mutating func hide(_ making: Making) {
        var (witness, covered) = (Override.Witness?.none, [Override]())
        if let existence = self.existence, existence.isAddition {
            self.overrides.removeAll { $0.pointer == .existence }
            covered = making.until.map { existence.holding(after: $0) } ?? []
            guard !covered.isEmpty else { return }
            witness = existence.witness
        }
        guard !self.isHidden, let witness = witness ?? self.source.map({ Override.Witness(of: $0) }) else { return }
        let body = self.source.map { CanonicalJSON.data(.object($0)) }
        var override = Override(
            id: .random(), feature: self.id, pointer: .existence, base: body, value: nil, source: body,
            witness: witness, level: self.stored?.placement.level, author: "", message: nil, since: making.since,
            until: nil)
        override.covered = covered
        self.make(&override, making)
        self.overrides.append(override)
    }

    /// Hides the feature, by the override that hid it before if there is one. An added feature is not hidden for good: that would end it.
    ///
    /// - Returns: whether it is hidden.
    mutating func keepHidden(_ making: Making) -> Bool {
        guard var hiding = self.before.first(where: \.isHiding) else {
            if self.existence == nil || making.until != nil { self.hide(making) }
            return self.isHidden
        }
        hiding.until = making.until
        self.overrides.removeAll { $0.pointer == .existence }
        self.overrides.append(hiding)
        return true
    }

    /// Ends overrides whose values refer to some features; false if there are none.
    mutating func endOverrides(referringTo targets: Set<FeatureID>) throws -> Bool {
        let (count, values) = (self.overrides.count, self.values)
        try self.overrides.removeAll { try values.value($0.value)?.names(anyOf: targets) ?? false }
        return self.overrides.count < count
    }

    mutating func show() {
        guard let hiding = self.existence, hiding.isHiding else { return }
        self.end(hiding) { $0.covered }
    }

    /// Ends an override, in place of which others hold.
    private mutating func end(_ override: Override, restoring restored: (Override) -> [Override]) {
        self.overrides.removeAll { $0.id == override.id }
        self.overrides += restored(override).map { restored in
            var restored = restored
            restored.level = override.level
            return restored
        }
    }

    mutating func add(_ feature: JSONObject, _ making: Making) {
        var override = Override(
            id: .random(), feature: self.id, pointer: .existence, base: nil,
            value: CanonicalJSON.data(.object(feature)), source: nil, witness: .init(of: feature), level: nil,
            author: "", message: nil, since: making.since, until: nil)
        self.make(&override, making)
        self.overrides = [override]
    }

    mutating func revert(_ pointer: OverridePointer?) {
        self.overrides.removeAll { override in
            guard let pointer else { return true }
            if case .property(let name) = pointer { return override.pointer.isIn(property: name) }
            return override.pointer == pointer
        }
    }

    mutating func resolve(_ id: FeatureID, as resolution: EditRequest.Resolution) {
        guard let index = self.overrides.firstIndex(where: { $0.id == id }) else { return }
        switch resolution {
        case .mine: break
        case .source, .end:
            self.overrides.remove(at: index)
            return
        case .expired(let time):
            self.end(self.overrides[index]) { override in override.covered.flatMap { $0.holding(after: time) } }
            return
        }
        self.overrides[index].base = self.overrides[index].source
        self.overrides[index].state = .quiet
        if let source = self.source { self.overrides[index].witness = .init(of: source) }
    }

    /// Whether anything about the overrides is different.
    var hasOtherOverrides: Bool { Set(self.overrides) != Set(self.before) }
}

extension JSONValue {
    /// Whether the value contains the id of one of some features.
    fileprivate func names(anyOf features: Set<FeatureID>) -> Bool {
        switch self {
        case .string(let text): FeatureID(text).map(features.contains) ?? false
        case .array(let values): values.contains { $0.names(anyOf: features) }
        case .object(let object): object.members.contains { $0.value.names(anyOf: features) }
        default: false
        }
    }
}
