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
        let undeclared = collections.keys.filter { !$0.isStandard }.sorted { $0.rawValue < $1.rawValue }
        let names = ExtensionFileNames.assign(
            Dictionary(uniqueKeysWithValues: undeclared.map { ($0, fileNames[$0].map { [$0] } ?? []) }))

        var files: [ArchiveFile] = []
        if let manifest {
            files.append(
                ArchiveFile(name: ArchiveManifest.fileName, content: CanonicalJSON.data(.object(manifest)) + "\n".utf8))
        }
        var types: [String: [FeatureType]] = [:]
        for type in undeclared { types[names[type] ?? ExtensionFileNames.name(of: type), default: []].append(type) }
        for type in FeatureType.standard {
            let name = ExtensionFileNames.name(of: type)
            let others = types.removeValue(forKey: name) ?? []
            files.append(self.file(name, ([type] + others).compactMap { collections.removeValue(forKey: $0) }))
        }
        for (name, types) in types.sorted(by: { $0.key < $1.key }) {
            files.append(self.file(name, types.compactMap { collections.removeValue(forKey: $0) }))
        }
        return files
    }

    /// - Parameter bodies: lines of bodies, each followed by a comma.
    private static func file(_ name: String, _ bodies: [[UInt8]]) -> ArchiveFile {
        var content = Array(#"{"type":"FeatureCollection","features":["#.utf8)
        content.reserveCapacity(content.count + bodies.reduce(4) { $0 + $1.count })
        for lines in bodies { content += lines }
        if !bodies.isEmpty { content.removeLast() }
        content += "\n]}\n".utf8
        return ArchiveFile(name: name, content: content)
    }
}
