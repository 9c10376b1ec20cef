internal import IMDF

/// What can only be said when all files have been read.
extension ArchiveContents {
    /// - Throws: ``ArchiveRejection``.
    consuming func archive() throws -> Archive {
        let order = self.order()
        self.blockDuplicates(order)
        self.blockVenues()
        guard self.features.problems.isEmpty else { throw ArchiveRejection(findings: self.features.problems) }
        let manifest = self.manifest()
        self.noteFolders()
        self.noteIgnored()
        return Archive(
            features: order.map { self.features.features[$0.index] }, manifest: manifest, fileNames: self.fileNames(),
            findings: self.features.findings, files: self.features.files,
            places: order.map { self.features.places[$0.index] }, candidates: self.features.candidates)
    }

    private struct Numbered {
        let id: FeatureID
        let index: Int
    }

    /// The features by id; those with the same id as they were read.
    private func order() -> [Numbered] {
        var order = self.features.features.indices.map { Numbered(id: self.features.features[$0].id, index: $0) }
        order.sort { $0.id == $1.id ? $0.index < $1.index : $0.id < $1.id }
        return order
    }

    private mutating func blockDuplicates(_ order: [Numbered]) {
        var first = order.first
        for feature in order.dropFirst() {
            guard let earlier = first, earlier.id == feature.id else {
                first = feature
                continue
            }
            let place = self.features.places[earlier.index]
            let where_ = ([self.features.files[Int(place.file)]] + [place.pointer].compactMap { $0 })
                .joined(separator: " ")
            self.block("ST-09", "Another feature has the same id: \(where_).", feature.index)
        }
    }

    private mutating func blockVenues() {
        let count = self.features.venues
        if count == 0, !self.isIncomplete {
            self.features.block(
                Finding(rule: "ST-16", severity: .error, message: "There is no venue feature; there has to be one."))
        } else if count > 1 {
            let venues = self.features.features.indices.filter { self.features.features[$0].type == .venue }
            for index in venues.dropFirst(count > venues.count ? 0 : 1) {
                self.block("ST-16", "There are \(count) venue features; there has to be exactly one.", index)
            }
        }
    }

    private mutating func block(_ rule: String, _ message: String, _ index: Int) {
        let feature = self.features.features[index]
        let place = self.features.places[index]
        self.features.block(
            Finding(
                rule: rule, severity: .error, message: message, featureID: feature.id, featureType: feature.type,
                file: self.features.files[Int(place.file)], pointer: place.pointer))
    }

    // MARK: - Manifest

    private mutating func manifest() -> JSONObject? {
        let ranked = self.manifests.sorted {
            ($0.entry.folders.count, $0.entry.name) < ($1.entry.folders.count, $1.entry.name)
        }
        guard let (entry, value) = ranked.first else {
            self.features.add(Finding(rule: "ST-05", severity: .error, message: "There is no manifest.json."))
            return nil
        }
        for (other, _) in ranked.dropFirst() {
            self.features.add(
                Finding(
                    rule: "ST-05", severity: .warning,
                    message: "There is another manifest, “\(entry.shownName)”; this one was not taken.",
                    file: other.shownName))
        }
        guard let manifest = value.object else {
            self.features.add(
                Finding(
                    rule: "ST-05", severity: .error, message: "The manifest is not an object; it was not taken.",
                    file: entry.shownName))
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
            ? "Some files lie in folders, which were passed over."
            : "The files lie in the folder “\(common.joined(separator: "/").prefix(255))” and not at the root."
        self.features.add(Finding(rule: "ST-04", severity: .info, message: message))
    }

    private mutating func noteIgnored() {
        guard let first = self.ignored.first else { return }
        let others = self.ignored.count - 1
        let message =
            switch others {
            case 0: "“\(first)” is neither GeoJSON nor JSON and stays in the archive only."
            case 1: "“\(first)” and another file are neither GeoJSON nor JSON and stay in the archive only."
            default: "“\(first)” and \(others) other files are neither GeoJSON nor JSON and stay in the archive only."
            }
        self.features.add(Finding(rule: "ST-04", severity: .info, message: message))
    }

    /// The files of the types that IMDF does not define.
    private func fileNames() -> [FeatureType: String] {
        var files: [FeatureType: Set<UInt32>] = [:]
        var last: (type: FeatureType, file: UInt32)?
        for (feature, place) in zip(self.features.features, self.features.places) {
            // Features of one type mostly come one behind the other.
            if let last, last.file == place.file, last.type == feature.type { continue }
            last = (feature.type, place.file)
            if !feature.type.isStandard { files[feature.type, default: []].insert(place.file) }
        }
        return ExtensionFileNames.assign(
            files.mapValues { numbers in
                numbers.map { String(self.features.files[Int($0)].split(separator: "/").last ?? "") }
            })
    }
}
