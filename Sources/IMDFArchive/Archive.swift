package import IMDF

/// The content of an IMDF archive.
package struct Archive: Sendable {
    /// Sorted by id. Their references are empty until ``resolveReferences(base:)``.
    package private(set) var features: [Feature]
    /// With all members.
    package let manifest: JSONObject?
    /// The file names of the types that IMDF does not define.
    package let fileNames: [FeatureType: String]
    /// The findings of the reader. None of them blocks.
    package let findings: [Finding]

    private let files: [String]
    /// The location of each feature, in the order of the features.
    private var locations: [FeatureLocation]
    private let candidates: [ReferenceCandidate]

    init(
        features: [Feature], manifest: JSONObject?, fileNames: [FeatureType: String], findings: [Finding],
        files: [String], locations: [FeatureLocation], candidates: [ReferenceCandidate]
    ) {
        self.features = features
        self.manifest = manifest
        self.fileNames = fileNames
        self.findings = findings
        self.files = files
        self.locations = locations
        self.candidates = candidates
    }

    /// Determines which ids in properties are references.
    ///
    /// The id of a feature of the archive or of `base` is a reference, and is written in lower case. Any other id is a dangling
    /// reference where IMDF declares a reference, and no reference elsewhere. Calling this again with another base has the same
    /// result as calling it with that base only.
    ///
    /// - Parameter base: the ids of the revision that the archive is compared with.
    /// - Complexity: O(*n*) in the number of features and ids.
    package mutating func resolveReferences(base: Set<FeatureID>) {
        let resolved = self.resolved(self.features.indices, among: self.ids, base)
        self.apply(resolved)
    }

    /// ``resolveReferences(base:)`` with one half of the features on another core.
    package mutating func resolveReferencesOnTwoCores(base: Set<FeatureID>) async {
        for half in await self.resolvedOnTwoCores(base) { self.apply(half) }
    }

    private func resolvedOnTwoCores(_ base: Set<FeatureID>) async -> [ResolvedReferences] {
        let ids = self.ids
        return await onTwoCores(self.features.count) { [self.resolved($0, among: ids, base)] }
    }

    private var ids: FeatureNumbers { FeatureNumbers(self.features.map(\.id)) }

    private struct ResolvedReferences {
        let features: Range<Int>
        var references: [[Reference]] = []
        /// The bodies with references in upper case, written again, and the index of their feature.
        var bodies: [(index: Int, body: [UInt8])] = []
    }

    private func resolved(
        _ range: Range<Int>, among ids: FeatureNumbers, _ base: Set<FeatureID>
    ) -> ResolvedReferences {
        var resolved = ResolvedReferences(features: range)
        resolved.references.reserveCapacity(range.count)
        for index in range {
            let candidates = self.candidates[self.locations[index].candidates]
            var references: [Reference] = []
            if !candidates.isEmpty { references.reserveCapacity(candidates.count) }
            var body = self.features[index].body
            var isRewritten = false
            for candidate in candidates {
                let isKnown = ids.contains(candidate.target) || base.contains(candidate.target)
                if candidate.uppercaseDigits != 0 {
                    candidate.write(inLowercase: isKnown, in: &body)
                    isRewritten = true
                }
                if isKnown || candidate.role != .undeclared {
                    references.append(Reference(role: candidate.role, target: candidate.target))
                }
            }
            resolved.references.append(references)
            if isRewritten { resolved.bodies.append((index, body)) }
        }
        return resolved
    }

    /// Changes the features in place: copies of a large array take longer than finding the references.
    private mutating func apply(_ resolved: ResolvedReferences) {
        for (index, references) in zip(resolved.features, resolved.references) {
            self.features[index].references = references
        }
        for (index, body) in resolved.bodies { self.features[index].body = body }
    }

    /// Replaces the ids of features, in their bodies and in all references to them; one half of the features on another core.
    ///
    /// - Parameter ids: the new ids by the archive's own. The resulting ids must be unique.
    /// - Returns: the previous index of each feature; nil if no feature was renamed.
    /// - Precondition: references are resolved, and are not resolved again afterwards.
    package mutating func rename(_ ids: [FeatureID: FeatureID]) async -> [Int]? {
        guard !ids.isEmpty else { return nil }
        self.features = await self.renamedOnTwoCores(ids)
        let renamed = self.features.map(\.id)
        let order = renamed.indices.sorted { renamed[$0] < renamed[$1] }
        self.features.reorder(by: order)
        self.locations.reorder(by: order)
        return order
    }

    private func renamedOnTwoCores(_ ids: [FeatureID: FeatureID]) async -> [Feature] {
        await onTwoCores(self.features.count) { half in
            half.map { index in
                let location = self.locations[index]
                return self.features[index].renamed(
                    ids, idOffset: Int(location.idOffset), self.candidates[location.candidates])
            }
        }
    }

    /// The file of a feature, and its path there as an RFC 6901 pointer; nil for a file that is a single feature.
    ///
    /// - Complexity: O(log *n*) in the number of features.
    package func location(of id: FeatureID) -> (file: String, pointer: String?)? {
        var low = 0
        var high = self.features.count
        while low < high {
            let middle = (low + high) / 2
            if self.features[middle].id < id { low = middle + 1 } else { high = middle }
        }
        guard low < self.features.count, self.features[low].id == id else { return nil }
        let location = self.locations[low]
        return (self.files[Int(location.file)], location.pointer)
    }
}

/// The location of a feature in the archive.
struct FeatureLocation: Sendable {
    /// The index of the file.
    var file: UInt32
    /// The index in the file's `features`; nil if the file is the feature.
    var element: UInt32?
    /// The offset of the id in the body.
    var idOffset: UInt32
    var firstCandidate: UInt32
    var endOfCandidates: UInt32

    var candidates: Range<Int> { Int(self.firstCandidate)..<Int(self.endOfCandidates) }

    var pointer: String? { self.element.map { "/features/\($0)" } }

    /// The location behind other files and other candidates.
    func advanced(byFiles files: UInt32, candidates: UInt32) -> FeatureLocation {
        var location = self
        location.file += files
        location.firstCandidate += candidates
        location.endOfCandidates += candidates
        return location
    }
}

extension Feature {
    /// The feature with replaced ids. The body is not copied if it contains none of them.
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
    /// Overwrites the id at an offset. The hyphens are there already.
    fileprivate mutating func write(_ id: FeatureID, at offset: Int) {
        self.withUnsafeMutableBufferPointer { body in
            for (digit, digitOffset) in WrittenID.digitOffsets.enumerated() {
                let half = digit < 16 ? id.high : id.low
                let nibble = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (digit & 15))) & 15
                body[offset + digitOffset] = nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
            }
        }
    }
}
