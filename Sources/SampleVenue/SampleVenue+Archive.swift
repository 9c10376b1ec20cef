import IMDF
package import IMDFArchive

extension SampleVenue {
    /// `manifest.json`, unless it is empty, and FeatureCollections of everything, spelt as ``style`` says.
    package func files() -> [ArchiveFile] {
        // Names that differ in case only are one file on many machines.
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
        // A type may be any text, a file name may not.
        let name = type.rawValue.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" ? $0 : "_" }
        return "\(String(name)).geojson"
    }

    /// The zip archive of ``files()``.
    package func archive() throws -> [UInt8] {
        try ArchiveWriter.zip(self.files())
    }

    /// Reads any archive, so that its next revision can be made. Nothing of its features and its manifest is lost; features are in
    /// the order of their ids from now on.
    ///
    /// - Throws: ``ArchiveRejection`` when the archive is to blame.
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
