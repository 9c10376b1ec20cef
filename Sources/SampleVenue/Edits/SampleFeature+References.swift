package import IMDF

extension SampleFeature {
    private static let roles: [String: Reference.Role] = [
        "level_id": .level, "level_ids": .levels, "unit_id": .unit, "unit_ids": .units, "anchor_id": .anchor,
        "building_ids": .buildings, "address_id": .address, "parents": .parents, "origin": .origin,
        "intermediary": .intermediary, "destination": .destination,
    ]

    /// Members whose strings are never ids of features.
    private static let membersWithoutReferences: Set<String> = ["correlation_id", "name", "alt_name", "short_name"]

    /// The references of `properties` to these features: strings that are one of the ids.
    func references(among ids: Set<FeatureID>) -> [Reference] {
        var found: [Reference] = []
        for member in self.properties.members where !Self.membersWithoutReferences.contains(member.key) {
            let role = Self.roles[member.key] ?? .undeclared
            Self.forEachID(in: member.value) { id in
                if ids.contains(id) { found.append(Reference(role: role, target: id)) }
            }
        }
        return found
    }

    private static func forEachID(in value: JSONValue, _ visit: (FeatureID) -> Void) {
        switch value {
        case .string(let text):
            if text.utf8.count == FeatureID.textLength, let id = FeatureID(text) { visit(id) }
        case .array(let elements): for element in elements { self.forEachID(in: element, visit) }
        case .object(let object): for member in object.members { self.forEachID(in: member.value, visit) }
        default: break
        }
    }

    /// Replaces ids, in `id` itself and in all references.
    package mutating func replace(_ ids: [FeatureID: FeatureID]) {
        if let id = ids[self.id] { self.id = id }
        var properties = self.properties
        var changed = false
        for member in properties.members where !Self.membersWithoutReferences.contains(member.key) {
            guard let value = Self.replacing(ids, in: member.value) else { continue }
            properties[member.key] = value
            changed = true
        }
        if changed { self.properties = properties }
    }

    // Below, `.none` is written out where a bare `nil` could be taken for JSON's null.

    /// Nil when the value contains none of the ids.
    private static func replacing(_ ids: [FeatureID: FeatureID], in value: JSONValue) -> JSONValue? {
        switch value {
        case .string(let text):
            guard text.utf8.count == FeatureID.textLength, let id = FeatureID(text) else { return nil }
            return ids[id]?.value
        case .array(var elements):
            var changed = false
            for index in elements.indices {
                guard let value = self.replacing(ids, in: elements[index]) else { continue }
                elements[index] = value
                changed = true
            }
            return changed ? .some(.array(elements)) : .none
        case .object(var object):
            var changed = false
            for member in object.members {
                guard let value = self.replacing(ids, in: member.value) else { continue }
                object[member.key] = value
                changed = true
            }
            return changed ? .some(.object(object)) : .none
        default: return nil
        }
    }

    /// Removes references to deleted features from the properties.
    ///
    /// - Returns: False if the feature lost a required reference.
    mutating func removeReferences(to gone: Set<FeatureID>) -> Bool {
        guard !self.references(among: gone).isEmpty else { return true }
        var properties = self.properties
        for member in properties.members where !Self.membersWithoutReferences.contains(member.key) {
            properties[member.key] = Self.removing(gone, from: member.value) ?? .null
        }
        for (end, rest) in [("origin", \[JSONValue].first), ("destination", \[JSONValue].last)] {
            // A lift that loses its top floor now ends at the floor below.
            guard self.type == .relationship, properties[end]?.isNull ?? true,
                var between = properties["intermediary"]?.array, let next = between[keyPath: rest]
            else { continue }
            properties[end] = next
            if end == "origin" { between.removeFirst() } else { between.removeLast() }
            properties["intermediary"] = between.isEmpty ? .null : .array(between)
        }
        let before = self.properties
        self.properties = properties
        let needed = self.type.needs
        return !needed.contains { !(before[$0] ?? .null).isNull && (properties[$0] ?? .null).isNull }
    }

    /// Nil when the value consisted only of references to deleted features.
    private static func removing(_ gone: Set<FeatureID>, from value: JSONValue) -> JSONValue? {
        switch value {
        case .string(let text):
            guard text.utf8.count == FeatureID.textLength, let id = FeatureID(text) else { return value }
            return gone.contains(id) ? .none : .some(value)
        case .array(let elements):
            let rest = elements.compactMap { self.removing(gone, from: $0) }
            return rest.isEmpty && !elements.isEmpty ? .none : .some(.array(rest))
        case .object(var object):
            for member in object.members {
                guard let value = self.removing(gone, from: member.value) else {
                    // A reference in the form of an object is removed as a whole.
                    if member.key == "id" { return nil }
                    object[member.key] = .null
                    continue
                }
                object[member.key] = value
            }
            return .object(object)
        default: return value
        }
    }
}

extension FeatureType {
    /// The references that a feature of this type requires.
    fileprivate var needs: [String] {
        switch self {
        case .unit, .opening, .fixture, .kiosk, .detail, .section: ["level_id"]
        case .anchor: ["unit_id"]
        case .amenity: ["unit_ids"]
        case .occupant: ["anchor_id"]
        case .footprint: ["building_ids"]
        case .geofence: ["level_ids"]
        case .relationship: ["origin", "destination"]
        default: []
        }
    }
}
