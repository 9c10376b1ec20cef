/// Selects the features of a revision that a strict decoder accepts: one that rejects a whole venue because of one member of the wrong
/// type or one dangling reference.
///
/// Features are accepted in their strict form, ``strictBody(of:_:)``, which repairs what can be repaired without another feature.
/// Every feature of the revision is added once, in any order; only its id, type and required references are kept. The selection is
/// closed: it contains the level, units and anchor of each selected feature, with the right types. It always contains the venue.
public struct StrictProfile: Sendable {
    /// Why a feature is left out. If several reasons apply, the first of these is counted.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Not a GeoJSON Feature whose `properties` are an object.
        case shape
        /// No geometry of the type's class, an open ring, or a malformed position.
        case geometry
        /// A member that decoders require, such as `category` or `ordinal`, is missing or of another type.
        case member
        /// A `website` that is not an http(s) URL.
        case website
        /// `hours` or `phone` that is not a string.
        case contact
        /// A `level_id`, `unit_id`, `unit_ids` or `anchor_id` that is missing although IMDF requires it, or that is not the id of a
        /// feature of the right type.
        case reference
        /// A feature that it requires is left out.
        case dependency
    }

    public struct Outcome: Hashable, Sendable {
        public let survivors: Set<FeatureID>
        /// The number of features left out for each reason, without reasons that do not occur.
        public let leftOut: [Reason: Int]
        public var leftOutCount: Int { self.leftOut.values.reduce(0, +) }
    }

    private struct Requirement {
        let target: FeatureID
        let type: FeatureType
    }

    private var types: [FeatureID: FeatureType] = [:]
    private var requirements: [(id: FeatureID, targets: [Requirement])] = []
    private var leftOut: [FeatureID: Reason] = [:]

    public init() {}

    /// Adds a feature with its stored body.
    ///
    /// - Returns: The strict body, or nil if the stored one needs no repair.
    @discardableResult
    public mutating func add(id: FeatureID, type: FeatureType, body: JSONValue) -> JSONValue? {
        self.types[id] = type
        let repaired = Self.strictBody(of: type, body)
        do {
            self.requirements.append((id, try Self.requirements(of: type, repaired ?? body)))
        } catch {
            self.leftOut[id] = error.reason
        }
        return repaired
    }

    /// The selection from the features that were added.
    ///
    /// - Complexity: O(features + references).
    public func outcome() -> Outcome {
        var leftOut = self.leftOut
        var dependents: [FeatureID: [FeatureID]] = [:]
        for (id, targets) in self.requirements where !targets.isEmpty {
            if targets.contains(where: { self.types[$0.target] != $0.type }) {
                leftOut[id] = .reference
            } else {
                for requirement in targets { dependents[requirement.target, default: []].append(id) }
            }
        }
        var rest = Array(leftOut.keys)
        while let id = rest.popLast() {
            for dependent in dependents[id] ?? [] where leftOut[dependent] == nil {
                leftOut[dependent] = .dependency
                rest.append(dependent)
            }
        }
        return Outcome(
            survivors: Set(self.types.keys.lazy.filter { leftOut[$0] == nil }),
            leftOut: leftOut.values.reduce(into: [:]) { $0[$1, default: 0] += 1 })
    }

    /// The selection from a sequence of features.
    public static func outcome(
        of features: some Sequence<(id: FeatureID, type: FeatureType, body: JSONValue)>
    ) -> Outcome {
        var profile = StrictProfile()
        for feature in features { profile.add(id: feature.id, type: feature.type, body: feature.body) }
        return profile.outcome()
    }
}

// MARK: - Single features

extension StrictProfile {
    private struct Refusal: Error {
        let reason: Reason
    }

    /// The references that a feature requires. Throws if the feature itself is not accepted.
    private static func requirements(of type: FeatureType, _ body: JSONValue) throws(Refusal) -> [Requirement] {
        // Its strict form is always accepted, and IMDF gives it no reference that strict decoders follow.
        if type == .venue { return [] }
        guard body["type"] == "Feature", let properties = body["properties"], properties.object != nil
        else { throw Refusal(reason: .shape) }
        guard GeoJSONGeometry.isValid(body["geometry"], of: type.geometryClass)
        else { throw Refusal(reason: .geometry) }
        for member in StrictMember.contact {
            if let value = self.member(member.key, of: properties), !member.form.accepts(value) {
                throw Refusal(reason: member.form == .website ? .website : .contact)
            }
        }
        for member in StrictMember.members(of: type) where member.fallback == .none {
            guard member.form.accepts(properties[member.key] ?? .null) else { throw Refusal(reason: .member) }
        }
        var requirements: [Requirement] = []
        for (key, target) in [("level_id", FeatureType.level), ("unit_id", .unit), ("anchor_id", .anchor)] {
            if let value = self.member(key, of: properties) {
                requirements.append(try self.requirement(value, target))
            } else if type.requires(target) {
                throw Refusal(reason: .reference)
            }
        }
        let units = self.member("unit_ids", of: properties) ?? []
        guard let units = units.array, !units.isEmpty || type != .amenity else { throw Refusal(reason: .reference) }
        for unit in units { requirements.append(try self.requirement(unit, .unit)) }
        return requirements
    }

    /// A member that is neither absent nor null.
    private static func member(_ key: String, of properties: JSONValue) -> JSONValue? {
        guard let value = properties[key], !value.isNull else { return nil }
        return value
    }

    private static func requirement(_ value: JSONValue, _ type: FeatureType) throws(Refusal) -> Requirement {
        guard let target = value.string.flatMap({ FeatureID($0) }) else { throw Refusal(reason: .reference) }
        return Requirement(target: target, type: type)
    }
}

extension FeatureType {
    /// Whether IMDF requires the type's `level_id`, `unit_id` or `anchor_id`.
    fileprivate func requires(_ target: FeatureType) -> Bool {
        switch self {
        case .unit, .opening, .section, .fixture, .kiosk, .detail: target == .level
        case .anchor: target == .unit
        case .occupant: target == .anchor
        default: false
        }
    }
}
