import IMDF
package import IMDFArchive

extension SampleVenue {
    /// `manifest.json`, unless it is empty, and FeatureCollections of all features, formatted by ``style``.
    package func files() -> [ArchiveFile] {
        // On case-insensitive file systems, names that differ only in case are the same file.
        var groups: [String: (name: String, rank: Int, features: [SampleFeature])] = [:]
        for feature in self.features {
            let name = self.fileName(of: feature.type)
            groups[name.lowercased(), default: (name, feature.type.rank, [])].features.append(feature)
        }
        var files: [ArchiveFile] = []
        if !self.manifest.members.isEmpty {
            var writer = ProducerWriter(self.style)
            writer.append(document: self.manifest)
            files.append(ArchiveFile(name: "manifest.json", content: writer.bytes))
        }
        for group in groups.values.sorted(by: { ($0.rank, $0.name) < ($1.rank, $1.name) }) {
            var writer = ProducerWriter(self.style)
            writer.append(collection: group.features, name: group.features[0].type.rawValue)
            files.append(ArchiveFile(name: group.name, content: writer.bytes))
        }
        if let seed = self.style.fileOrder {
            var random = SplitMix64(seed: seed)
            random.shuffle(&files)
        }
        return files
    }

    private func fileName(of type: FeatureType) -> String {
        if let name = self.fileNames[type] { return name }
        // A type may be any text; only some characters are safe in file names.
        let name = type.rawValue.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" ? $0 : "_" }
        return "\(String(name)).geojson"
    }

    /// The zip archive of ``files()``.
    package func archive() throws -> [UInt8] {
        try ArchiveWriter.zip(self.files())
    }

    /// Reads any archive, so that its next revision can be generated. All members of its features and its manifest are kept; the
    /// features are sorted by id.
    ///
    /// - Throws: ``ArchiveRejection`` when the archive is invalid.
    package init(reading archive: [UInt8]) throws {
        let archive = try ArchiveReader().read(bytes: archive)
        let reader = JSONReader()
        let features = try archive.features.map { feature in
            let body = try reader.value(of: feature.body).object ?? [:]
            return SampleFeature(id: feature.id, type: feature.type, body: body)
        }
        self.init(features: features, manifest: archive.manifest ?? [:], fileNames: archive.fileNames)
    }
}
