package import IMDF

/// When two bodies say the same, so that the stored one stays.
///
/// The same are bodies that differ only in: members that are null and members that are missing, at every depth; the order of
/// members; the spelling of numbers; where a ring starts and which way it runs; the order of a geometry's parts and of a
/// polygon's holes; a Multi* geometry of one part and the single one; the order of sets; the case of references; and
/// coordinates that are within ``Tolerance`` of each other, vertex by vertex. Lines run one way, texts are compared by
/// their bytes, repeated vertices count, and `[]` and `{}` are not null.
///
/// Sets are the arrays that IMDF declares as such, and every array that holds only references, the places a relationship
/// passes on its way apart. An item that stands in a set twice must do so in both.
package struct Equivalence: Sendable {
    /// Whether an id names a feature of the archive or of the revision that it is compared with.
    let isReference: @Sendable (FeatureID) -> Bool

    package init(isReference: @escaping @Sendable (FeatureID) -> Bool) {
        self.isReference = isReference
    }

    /// Whether two whole features say the same. Reflexive and symmetric; not transitive, because coordinates may drift.
    ///
    /// - Complexity: O(*n* log *n*) in the size of the bodies. Geometry made to be ambiguous is given up on after a number
    ///   of steps that is linear in its size, and then counts as different.
    package func same(_ left: JSONValue, _ right: JSONValue) -> Bool {
        self.classes(from: left, to: right).isEmpty
    }
}

extension Equivalence {
    /// What the strings in a value may be.
    enum Reading {
        case texts
        case references
    }

    func same(_ left: JSONValue, _ right: JSONValue, _ reading: Reading) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): self.same(left, right, reading)
        case (.array(let left), .array(let right)): self.same(left, right, reading)
        case (.object(let left), .object(let right)): self.same(left, right, reading)
        default: false
        }
    }

    private func same(_ left: String, _ right: String, _ reading: Reading) -> Bool {
        if left.hasBytes(of: right) { return true }
        guard reading == .references, let left = self.reference(left), let right = self.reference(right) else {
            return false
        }
        return left == right
    }

    private func same(_ left: [JSONValue], _ right: [JSONValue], _ reading: Reading) -> Bool {
        if self.sameInOrder(left, right, reading) { return true }
        guard reading == .references, left.count == right.count, let left = self.references(left) else { return false }
        return left.sorted() == self.references(right)?.sorted()
    }

    func sameInOrder(_ left: [JSONValue], _ right: [JSONValue], _ reading: Reading) -> Bool {
        guard left.count == right.count else { return false }
        for index in left.indices where !self.same(left[index], right[index], reading) { return false }
        return true
    }

    private func same(_ left: JSONObject, _ right: JSONObject, _ reading: Reading) -> Bool {
        if left.isGeometry && right.isGeometry { return self.sameGeometry(left, right) }
        return left.allPairs(with: right) { key, left, right in
            self.same(left, right, reading == .references && TextMember.isText(key) ? .texts : reading)
        }
    }

    /// Sets of strings, of which some may be references. An array with anything else in it keeps its order.
    func sameSet(_ left: JSONValue, _ right: JSONValue) -> Bool {
        if self.same(left, right, .references) { return true }
        guard let left = left.array, let right = right.array, left.count == right.count,
            let left = self.sortedTexts(left), let right = self.sortedTexts(right)
        else { return false }
        return zip(left, right).allSatisfy { $0.hasBytes(of: $1) }
    }

    private func sortedTexts(_ values: [JSONValue]) -> [String]? {
        var texts: [String] = []
        texts.reserveCapacity(values.count)
        for value in values {
            guard let text = value.string else { return nil }
            texts.append(self.reference(text)?.description ?? text)
        }
        texts.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return texts
    }
}

extension Equivalence {
    /// The feature that a string refers to.
    func reference(_ text: String) -> FeatureID? {
        guard text.utf8.count == FeatureID.textLength, let id = FeatureID(text), self.isReference(id) else {
            return nil
        }
        return id
    }

    /// What an array refers to when it holds nothing but references.
    private func references(_ values: [JSONValue]) -> [FeatureID]? {
        var ids: [FeatureID] = []
        ids.reserveCapacity(values.count)
        for value in values {
            guard let id = value.string.flatMap(self.reference) else { return nil }
            ids.append(id)
        }
        return ids
    }
}
