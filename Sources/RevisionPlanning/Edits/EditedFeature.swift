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

    /// Makes the feature say what another body says.
    mutating func change(to desired: JSONObject, _ making: Making) throws {
        if var addition = self.existence, addition.isAddition {
            addition.value = CanonicalJSON.data(.object(desired))
            addition.witness = .init(of: desired)
            self.make(&addition, making)
            self.overrides = [addition]
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
            try self.derive(
                Self.pointers(for: key, source, desired), replacing: { $0.isIn(property: key) }, source, desired, making
            )
        }
    }

    /// Gives the overrides of what a patch names the time of the request, even if their values stay as they are.
    mutating func prolong(_ patch: JSONObject, _ making: Making) {
        guard let until = making.until else { return }
        for index in self.overrides.indices where self.overrides[index].until != until {
            let pointer = self.overrides[index].pointer
            guard pointer != .existence, case .some = pointer.value(in: patch) else { continue }
            self.overrides[index].until = until
            self.overrides[index].author = making.author
        }
    }

    /// The languages of a label one by one, if both sides have the label; otherwise the whole property.
    private static func pointers(
        for key: String, _ source: JSONObject, _ desired: JSONObject
    ) -> [OverridePointer] {
        guard OverridePointer.isLabel(key), let before = source["properties"]?[key]?.object,
            let after = desired["properties"]?[key]?.object
        else { return [.property(key)] }
        return Self.keys(of: before, after).map { .label(key, language: $0) }
    }

    /// The keys of two objects, each once. They are told apart by bytes, unlike in a set of strings.
    private static func keys(of one: JSONObject?, _ other: JSONObject?) -> [String] {
        JSONObject((one?.members ?? []) + (other?.members ?? [])).members.map(\.key)
    }

    /// Replaces overrides by those that turn the source into the desired values. One that says the same as before stays as it is.
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
            guard !OverrideValues.same(base, value, at: pointer, of: witness.type) else { continue }
            let known = known[pointer]
            let bytes = value.map { CanonicalJSON.data($0) }
            if let known, try self.values.same(known.value, bytes, at: pointer, of: witness.type) {
                self.overrides.append(known)
                continue
            }
            let said = base.map { CanonicalJSON.data($0) }
            var override = Override(
                id: known?.id ?? .random(), feature: self.id, pointer: pointer, base: said, value: bytes,
                source: said, witness: witness, level: self.stored?.placement.level, author: "", message: nil,
                since: making.since, until: nil)
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

    /// Makes the source's feature disappear, or removes an added one.
    mutating func hide(_ making: Making) {
        if let existence = self.existence, existence.isAddition {
            self.overrides.removeAll { $0.pointer == .existence }
            return
        }
        guard !self.isHidden, let source = self.source else { return }
        let body = CanonicalJSON.data(.object(source))
        var override = Override(
            id: .random(), feature: self.id, pointer: .existence, base: body, value: nil, source: body,
            witness: .init(of: source), level: self.stored?.placement.level, author: "", message: nil,
            since: making.since, until: nil)
        self.make(&override, making)
        self.overrides.append(override)
    }

    mutating func show() {
        self.overrides.removeAll(where: \.isHiding)
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
        guard resolution == .mine else {
            self.overrides.remove(at: index)
            return
        }
        self.overrides[index].base = self.overrides[index].source
        self.overrides[index].state = .quiet
        if let source = self.source { self.overrides[index].witness = .init(of: source) }
    }

    /// Whether anything about the overrides is different.
    var hasOtherOverrides: Bool { Set(self.overrides) != Set(self.before) }
}
