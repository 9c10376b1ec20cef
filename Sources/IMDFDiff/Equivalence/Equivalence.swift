package import IMDF

/// The equivalence of bodies. If a delivered body is equivalent to the stored one, the stored one stays.
///
/// Bodies are equivalent if they differ only in: null or missing members, at every depth; the order of members; the notation of
/// numbers; the start and direction of a ring; the order of the parts of a geometry and of the holes of a polygon; a Multi*
/// geometry of one part instead of the single geometry; the order of sets; the case of references; and coordinates within
/// ``Tolerance`` of each other, vertex by vertex. The direction of lines and repeated vertices matter, texts are compared by their
/// bytes, and `[]` and `{}` differ from null.
///
/// Sets are the arrays that IMDF declares as sets, and all arrays of references except the intermediary features of a relationship.
/// An element that occurs twice in a set must occur twice in the other.
package struct Equivalence: Sendable {
    /// Whether an id is that of a feature of the archive or of the revision that it is compared with.
    let isReference: @Sendable (FeatureID) -> Bool

    package init(isReference: @escaping @Sendable (FeatureID) -> Bool) {
        self.isReference = isReference
    }

    /// Whether two features are equivalent. Reflexive and symmetric, but not transitive, because differences of coordinates add up.
    ///
    /// - Complexity: O(*n* log *n*) in the size of the bodies. The comparison of ambiguous geometry ends
    ///   after a number of steps that is linear in its size; the geometry is then treated as different.
    package func same(_ left: JSONValue, _ right: JSONValue) -> Bool {
        self.classes(from: left, to: right).isEmpty
    }
}

extension Equivalence {
    /// How the strings in a value are compared.
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

    /// Compares sets of strings, which may be references. For an array with other values the order matters.
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
    /// The feature that a string refers to; nil if it is not a reference.
    func reference(_ text: String) -> FeatureID? {
        guard text.utf8.count == FeatureID.textLength, let id = FeatureID(text), self.isReference(id) else {
            return nil
        }
        return id
    }

    /// The references of an array; nil if it contains anything else.
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
