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
    private let places: [FeaturePlace]
    private let candidates: [ReferenceCandidate]

    init(
        features: [Feature], manifest: JSONObject?, fileNames: [FeatureType: String], findings: [Finding],
        files: [String], places: [FeaturePlace], candidates: [ReferenceCandidate]
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
struct FeaturePlace: Sendable {
    /// The number of the file.
    var file: UInt32
    /// Its number among the features of the file; nil when it is the file.
    var element: UInt32?
    var firstCandidate: UInt32
    var endOfCandidates: UInt32

    var candidates: Range<Int> { Int(self.firstCandidate)..<Int(self.endOfCandidates) }

    var pointer: String? { self.element.map { "/features/\($0)" } }
}
