package import IMDF

extension Equivalence {
    /// The classes of differences between two features; empty if they are equivalent.
    ///
    /// ``ChangeClasses/level`` is never included, because the level that a feature is assigned to is not part of its body.
    package func classes(from before: JSONValue, to after: JSONValue) -> ChangeClasses {
        guard let before = before.object, let after = after.object else {
            return self.same(before, after, .references) ? [] : .other
        }
        let isRelationship = before.isRelationship || after.isRelationship
        var classes: ChangeClasses = []
        _ = before.allPairs(with: after) { key, before, after in
            classes.formUnion(self.memberClasses(key, before, after, isRelationship))
            return true
        }
        return classes
    }

    private func memberClasses(
        _ key: String, _ before: JSONValue, _ after: JSONValue, _ isRelationship: Bool
    ) -> ChangeClasses {
        switch key {
        case "geometry":
            return self.geometryClasses(before, after)
        case "properties":
            guard let before = before.object, let after = after.object else {
                return self.same(before, after, .references) ? [] : .other
            }
            var classes: ChangeClasses = []
            _ = before.allPairs(with: after) { key, before, after in
                classes.formUnion(self.propertyClasses(key, before, after, isRelationship))
                return true
            }
            return classes
        case "id":
            if self.same(before, after, .texts) { return [] }
            if let before = before.string.flatMap(FeatureID.init), let after = after.string.flatMap(FeatureID.init) {
                return before == after ? [] : .other
            }
            return .other
        case "original_id":
            // The id that the archive had in place of a UUID, which is no content of the feature.
            return []
        case "feature_type":
            return self.same(before, after, .texts) ? [] : .type
        default:
            return self.same(before, after, .texts) ? [] : .other
        }
    }

    private func geometryClasses(_ before: JSONValue, _ after: JSONValue) -> ChangeClasses {
        guard let before = before.object, let after = after.object else {
            return self.same(before, after, .texts) ? [] : .geometry
        }
        if self.sameGeometry(before, after) { return [] }
        let arePoints = [before, after].allSatisfy { ComparableGeometry($0)?.isPoint == true }
        return arePoints ? .position : .geometry
    }

    private func propertyClasses(
        _ key: String, _ before: JSONValue, _ after: JSONValue, _ isRelationship: Bool
    ) -> ChangeClasses {
        // Equal values are equivalent by every rule.
        if self.same(before, after, .texts) { return [] }
        let isText = TextMember.isText(key)
        let same =
            if PropertyRule.isSet(key) {
                self.sameSet(before, after)
            } else if key == "intermediary", isRelationship, let before = before.array, let after = after.array {
                // The order of intermediary features matters.
                self.sameInOrder(before, after, .references)
            } else {
                self.same(before, after, isText ? .texts : .references)
            }
        if same { return [] }
        if let declared = PropertyRule.changeClass(of: key) {
            return declared == .name && self.areTranslations(before, after) ? .translation : declared
        }
        if isText { return .other }
        return self.isReferring(before) || self.isReferring(after) ? .reference : .other
    }

    /// Whether two different LABELS have a language in common, and the same texts in all languages that they have in common.
    private func areTranslations(_ before: JSONValue, _ after: JSONValue) -> Bool {
        guard let before = before.object, let after = after.object else { return false }
        let common = before.members.compactMap { member in
            after[member.key].map { (before: member.value, after: $0) }
        }
        return !common.isEmpty && common.allSatisfy { self.same($0.before, $0.after, .texts) }
    }

    /// Whether a value is a reference, an object with a reference as its id, or a list of these.
    func isReferring(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): self.reference(text) != nil
        case .array(let values): !values.isEmpty && values.allSatisfy(self.isReferring)
        case .object(let object): object["id"]?.string.flatMap(self.reference) != nil
        case .null, .bool, .number: false
        }
    }
}

extension JSONObject {
    fileprivate var isRelationship: Bool { self["feature_type"]?.string == FeatureType.relationship.rawValue }
}
