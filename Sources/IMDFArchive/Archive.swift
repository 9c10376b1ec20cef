package import IMDF

/// What an IMDF archive holds.
package struct Archive: Sendable {
    /// Sorted by id. Their references are empty until ``settleReferences(base:)``.
    package private(set) var features: [Feature]
    /// As it stands in the archive, with all members.
    package let manifest: JSONObject?
    /// In which file the features of every type stood that IMDF does not define.
    package let fileNames: [FeatureType: String]
    /// What there is to say of the archive besides; none of it blocks.
    package let findings: [Finding]

    private let files: [String]
    /// Where every feature stood, in the order of the features.
    private var places: [FeatureLocation]
    private let candidates: [ReferenceCandidate]

    init(
        features: [Feature], manifest: JSONObject?, fileNames: [FeatureType: String], findings: [Finding],
        files: [String], places: [FeatureLocation], candidates: [ReferenceCandidate]
    ) {
        self.features = features
        self.manifest = manifest
        self.fileNames = fileNames
        self.findings = findings
        self.files = files
        self.places = places
        self.candidates = candidates
    }

    /// Finds out which ids in properties refer to something.
    ///
    /// An id that is the one of a feature of the archive or of `base` is a reference, and is spelled in small letters from now
    /// on. Where IMDF declares a reference, any other id is one too, which dangles; elsewhere it is none. It can be done again
    /// with another base; the result is the same as if it were the first time.
    ///
    /// - Parameter base: the ids of the revision that the archive is compared with.
    /// - Complexity: O(*n*) in the number of features and ids.
    package mutating func settleReferences(base: Set<FeatureID>) {
        var ids = Set<FeatureID>(minimumCapacity: self.features.count)
        for feature in self.features { ids.insert(feature.id) }
        for index in self.features.indices {
            let candidates = self.candidates[self.places[index].candidates]
            guard !candidates.isEmpty else { continue }
            var references: [Reference] = []
            references.reserveCapacity(candidates.count)
            for candidate in candidates {
                let isKnown = ids.contains(candidate.target) || base.contains(candidate.target)
                if candidate.capitals != 0 { candidate.spell(small: isKnown, in: &self.features[index].body) }
                if isKnown || candidate.role != .undeclared {
                    references.append(Reference(role: candidate.role, target: candidate.target))
                }
            }
            self.features[index].references = references
        }
    }

    /// Calls features by other ids, in their bodies and wherever they are referred to.
    ///
    /// - Parameter ids: the new ids by the archive's own. No two features may end up with one id.
    /// - Returns: for every feature where it stood before; nil when everything stays where it is.
    /// - Precondition: references are settled, and are not settled again afterwards.
    package mutating func rename(_ ids: [FeatureID: FeatureID]) -> [Int]? {
        guard !ids.isEmpty else { return nil }
        var features: [Feature] = []
        features.reserveCapacity(self.features.count)
        for (feature, place) in zip(self.features, self.places) {
            features.append(feature.renamed(ids, idOffset: Int(place.idOffset), self.candidates[place.candidates]))
        }
        let order = features.indices.sorted { features[$0].id < features[$1].id }
        self.features = order.map { features[$0] }
        self.places = order.map { self.places[$0] }
        return order
    }

    /// The file that a feature stood in, and its place there as an RFC 6901 pointer (nil for a file that is one feature).
    ///
    /// - Complexity: O(log *n*) in the number of features.
    package func place(of id: FeatureID) -> (file: String, pointer: String?)? {
        var low = 0
        var high = self.features.count
        while low < high {
            let middle = (low + high) / 2
            if self.features[middle].id < id { low = middle + 1 } else { high = middle }
        }
        guard low < self.features.count, self.features[low].id == id else { return nil }
        let place = self.places[low]
        return (self.files[Int(place.file)], place.pointer)
    }
}

/// Where a feature stood in the archive.
struct FeatureLocation: Sendable {
    /// The number of the file.
    var file: UInt32
    /// Its number among the features of the file; nil when it is the file.
    var element: UInt32?
    /// Where in the body its id begins.
    var idOffset: UInt32
    var firstCandidate: UInt32
    var endOfCandidates: UInt32

    var candidates: Range<Int> { Int(self.firstCandidate)..<Int(self.endOfCandidates) }

    var pointer: String? { self.element.map { "/features/\($0)" } }
}

extension Feature {
    /// The same feature under other ids; its body stays untouched when it has none of them.
    fileprivate func renamed(
        _ ids: [FeatureID: FeatureID], idOffset: Int, _ candidates: ArraySlice<ReferenceCandidate>
    ) -> Feature {
        let id = ids[self.id]
        guard id != nil || self.references.contains(where: { ids[$0.target] != nil }) else { return self }
        var body = self.body
        if let id { body.write(id, at: idOffset) }
        for candidate in candidates {
            guard let target = ids[candidate.target] else { continue }
            body.write(target, at: Int(candidate.offset))
        }
        return Feature(
            id: id ?? self.id, type: self.type, body: body,
            references: self.references.map { Reference(role: $0.role, target: ids[$0.target] ?? $0.target) })
    }
}

extension [UInt8] {
    /// Writes an id over the one that stands here, hyphens and all being where they are.
    fileprivate mutating func write(_ id: FeatureID, at offset: Int) {
        self.withUnsafeMutableBufferPointer { body in
            for (digit, place) in SpelledID.places.enumerated() {
                let half = digit < 16 ? id.high : id.low
                let nibble = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (digit & 15))) & 15
                body[offset + place] = nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
            }
        }
    }
}
