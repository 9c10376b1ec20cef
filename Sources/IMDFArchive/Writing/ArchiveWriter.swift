package import IMDF

/// A file of an archive.
package struct ArchiveFile: Hashable, Sendable {
    package var name: String
    package var content: [UInt8]

    package init(name: String, content: [UInt8]) {
        self.name = name
        self.content = content
    }
}

/// Writes IMDF archives. Equal content has equal bytes.
package enum ArchiveWriter {
    /// Incremented whenever equal features are written differently than before, so that cached archives become invalid.
    package static let edition = 1

    /// The files of an archive: the manifest if there is one, one file for each type that IMDF defines, even without features, then
    /// the files of other types. Each body is on a line of its own.
    ///
    /// - Parameters:
    ///   - features: in the order of their files. The bodies are copied unchanged.
    ///   - fileNames: the file names of types that IMDF does not define. A type without one, or with one that is not safe on every
    ///     system, has a file named after it.
    package static func files(
        of features: some Sequence<(type: FeatureType, body: [UInt8])>, manifest: JSONObject?,
        fileNames: [FeatureType: String]
    ) -> [ArchiveFile] {
        var collections: [FeatureType: [UInt8]] = [:]
        for (type, body) in features {
            collections[type, default: []].append(UInt8(ascii: "\n"))
            collections[type, default: []].append(contentsOf: body)
            collections[type, default: []].append(UInt8(ascii: ","))
        }
        var files = manifest.map { [self.file(of: $0)] } ?? []
        for (name, types) in self.layout(of: Set(collections.keys), fileNames: fileNames) {
            files.append(self.file(name, types.compactMap { collections.removeValue(forKey: $0) }))
        }
        return files
    }

    /// - Parameter bodies: lines of bodies, each followed by a comma.
    private static func file(_ name: String, _ bodies: [[UInt8]]) -> ArchiveFile {
        var content = self.opening
        content.reserveCapacity(content.count + bodies.reduce(4) { $0 + $1.count })
        for lines in bodies { content += lines }
        if !bodies.isEmpty { content.removeLast() }
        content += self.closing
        return ArchiveFile(name: name, content: content)
    }

    /// The beginning of a file of features. A body follows after a line break, and all but the first one after a comma and a line break.
    package static let opening = Array(#"{"type":"FeatureCollection","features":["#.utf8)
    package static let closing = Array("\n]}\n".utf8)

    package static func file(of manifest: JSONObject) -> ArchiveFile {
        ArchiveFile(name: ArchiveManifest.fileName, content: CanonicalJSON.data(.object(manifest)) + "\n".utf8)
    }

    /// The files of features in the order of an archive, and the types of each in the order of its bodies.
    ///
    /// - Parameter types: those that have features.
    package static func layout(
        of types: Set<FeatureType>, fileNames: [FeatureType: String]
    ) -> [(name: String, types: [FeatureType])] {
        let undeclared = types.filter { !$0.isStandard }.sorted { $0.rawValue < $1.rawValue }
        let names = ExtensionFileNames.assign(
            Dictionary(uniqueKeysWithValues: undeclared.map { ($0, fileNames[$0].map { [$0] } ?? []) }))
        var others: [String: [FeatureType]] = [:]
        for type in undeclared { others[names[type] ?? ExtensionFileNames.name(of: type), default: []].append(type) }
        let standard = FeatureType.standard.map { type in
            let name = ExtensionFileNames.name(of: type)
            return (name: name, types: [type] + (others.removeValue(forKey: name) ?? []))
        }
        return standard + others.sorted { $0.key < $1.key }.map { (name: $0.key, types: $0.value) }
    }
}
