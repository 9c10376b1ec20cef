internal import IMDF

/// Checks that need all files.
extension ArchiveContents {
    /// What a reading of all files results in.
    enum Outcome {
        case archive(Archive)
        /// The archive has to be read again, with these ids.
        case needs(AssignedIDs)
    }

    /// - Throws: ``ArchiveRejection``.
    consuming func outcome() throws -> Outcome {
        var order = self.order()
        if self.repairsIDs {
            if self.features.ids == nil, let ids = self.assignedIDs(order) { return .needs(ids) }
            if self.removeRepetitions(order) { order = self.order() }
        }
        let duplicates = self.blockDuplicates(order)
        self.blockVenues()
        let blocking = self.features.blockingFindings
        if !duplicates.isEmpty {
            self.features.remove(duplicates)
            order = self.order()
        }
        let manifest = self.manifest()
        self.noteFolders()
        self.noteIgnored()
        self.features.addRepairs()
        let fileNames = self.fileNames()
        self.features.reorder(by: order.map(\.index))
        let archive = Archive(
            features: self.features.features, manifest: manifest, fileNames: fileNames,
            findings: self.features.findings, files: self.features.files, locations: self.features.locations,
            candidates: self.features.candidates)
        guard blocking.isEmpty else {
            throw ArchiveRejection(
                findings: blocking, readable: archive,
                isIncomplete: self.isIncomplete || self.features.isIncomplete || self.features.isFull
                    || !duplicates.isEmpty)
        }
        return .archive(archive)
    }

    /// The ids that features have to get; nil if all keep their own.
    private func assignedIDs(_ order: [IndexedID]) -> AssignedIDs? {
        var shared: [FeatureID: Set<FeatureType>] = [:]
        for (earlier, later) in zip(order, order.dropFirst()) where earlier.id == later.id {
            let types = [earlier, later].map { self.features.features[$0.index].type }
            if types[0] != types[1] { shared[earlier.id, default: []].formUnion(types) }
        }
        let unusable = self.features.unusableIDs
        guard !unusable.isEmpty || !shared.isEmpty else { return nil }
        let venue = order.first { self.features.features[$0.index].type == .venue }?.id
        return AssignedIDs(unusable: unusable, shared: shared, venue: venue)
    }

    private struct IndexedID {
        let id: FeatureID
        let index: Int
    }

    /// The features by id, those with equal ids in the order in which they were read.
    private func order() -> [IndexedID] {
        var order = self.features.features.indices.map { IndexedID(id: self.features.features[$0].id, index: $0) }
        order.sort { $0.id == $1.id ? $0.index < $1.index : $0.id < $1.id }
        return order
    }

    /// Removes features that another one repeats with the same content. The first one that was read stays.
    ///
    /// - Returns: Whether there were any; the order is another one then.
    private mutating func removeRepetitions(_ order: [IndexedID]) -> Bool {
        var (repetitions, contents): (Set<Int>, Set<[UInt8]>) = ([], [])
        for (earlier, later) in zip(order, order.dropFirst()) {
            guard earlier.id == later.id else {
                if !contents.isEmpty { contents.removeAll() }
                continue
            }
            contents.insert(self.features.features[earlier.index].body)
            if !contents.insert(self.features.features[later.index].body).inserted { repetitions.insert(later.index) }
        }
        guard let first = repetitions.min() else { return false }
        let (feature, location) = (self.features.features[first], self.features.locations[first])
        let isOne = repetitions.count == 1
        let message =
            isOne
            ? "1 feature repeats another one with the same id and the same content; it was read once."
            : "\(repetitions.count) features repeat others with the same ids and the same contents; each was read once."
        self.features.add(
            Finding(
                rule: "ST-09", severity: .warning, message: message, featureID: isOne ? feature.id : nil,
                featureType: isOne ? feature.type : nil, file: self.features.files[Int(location.file)],
                pointer: location.pointer))
        self.features.remove(repetitions)
        return true
    }

    /// - Returns: The indices of the features that have the id of another one.
    private mutating func blockDuplicates(_ order: [IndexedID]) -> Set<Int> {
        var duplicates: Set<Int> = []
        var first = order.first
        for feature in order.dropFirst() {
            guard let earlier = first, earlier.id == feature.id else {
                first = feature
                continue
            }
            let location = self.features.locations[earlier.index]
            let path = ([self.features.files[Int(location.file)]] + [location.pointer].compactMap(\.self))
                .joined(separator: " ")
            self.block("ST-09", "Another feature has the same id: \(path).", feature.index)
            duplicates.insert(feature.index)
        }
        return duplicates
    }

    private mutating func blockVenues() {
        let count = self.features.venues
        if count == 0, !self.isIncomplete {
            self.features.block(
                Finding(
                    rule: "ST-16", severity: .error,
                    message: "The archive has no venue feature; it must have exactly one."))
        } else if count > 1 {
            let venues = self.features.features.indices.filter { self.features.features[$0].type == .venue }
            for index in venues.dropFirst(count > venues.count ? 0 : 1) {
                self.block("ST-16", "The archive has \(count) venue features; it must have exactly one.", index)
            }
        }
    }

    private mutating func block(_ rule: String, _ message: String, _ index: Int) {
        let feature = self.features.features[index]
        let location = self.features.locations[index]
        self.features.block(
            Finding(
                rule: rule, severity: .error, message: message, featureID: feature.id, featureType: feature.type,
                file: self.features.files[Int(location.file)], pointer: location.pointer))
    }

    // MARK: - Manifest

    private mutating func manifest() -> JSONObject? {
        let ranked = self.manifests.sorted {
            ($0.entry.folders.count, $0.entry.name) < ($1.entry.folders.count, $1.entry.name)
        }
        guard let (entry, value) = ranked.first else {
            self.features.add(Finding(rule: "ST-05", severity: .error, message: "The archive has no manifest.json."))
            return nil
        }
        for (other, _) in ranked.dropFirst() {
            self.features.add(
                Finding(
                    rule: "ST-05", severity: .warning,
                    message: "There is another manifest, “\(entry.displayName)”; this one was ignored.",
                    file: other.displayName))
        }
        if self.repairsIDs, let first = value.array?.first?.object {
            self.features.add(
                Finding(
                    rule: "ST-05", severity: .warning,
                    message: "The manifest is an array; its first object was used.", file: entry.displayName))
            return first
        }
        guard let manifest = value.object else {
            self.features.add(
                Finding(
                    rule: "ST-05", severity: .error, message: "The manifest is not an object and was ignored.",
                    file: entry.displayName))
            return nil
        }
        return manifest
    }

    // MARK: - Files

    private mutating func noteFolders() {
        guard var common = self.folders.first, self.folders.contains(where: { !$0.isEmpty }) else { return }
        for folders in self.folders {
            common = Array(zip(common, folders).prefix { $0 == $1 }.map(\.0))
        }
        let message =
            common.isEmpty
            ? "Some files lie in folders, which were ignored."
            : "The files lie in the folder “\(common.joined(separator: "/").prefix(255))” and not at the root."
        self.features.add(Finding(rule: "ST-04", severity: .info, message: message))
    }

    private mutating func noteIgnored() {
        guard let first = self.ignored.first else { return }
        let others = self.ignored.count - 1
        let message =
            switch others {
            case 0: "“\(first)” is neither GeoJSON nor JSON and is not read."
            case 1: "“\(first)” and another file are neither GeoJSON nor JSON and are not read."
            default: "“\(first)” and \(others) other files are neither GeoJSON nor JSON and are not read."
            }
        self.features.add(Finding(rule: "ST-04", severity: .info, message: message))
    }

    /// The file names of the types that IMDF does not define.
    private func fileNames() -> [FeatureType: String] {
        var files: [FeatureType: Set<UInt32>] = [:]
        var last: (type: FeatureType, file: UInt32)?
        for (feature, location) in zip(self.features.features, self.features.locations) {
            // Features of one type usually follow each other.
            if let last, last.file == location.file, last.type == feature.type { continue }
            last = (feature.type, location.file)
            if !feature.type.isStandard { files[feature.type, default: []].insert(location.file) }
        }
        return ExtensionFileNames.assign(
            files.mapValues { numbers in
                numbers.map { String(self.features.files[Int($0)].split(separator: "/").last ?? "") }
            })
    }
}
