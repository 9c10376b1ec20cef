internal import IMDF

/// File names for the types that IMDF does not define.
enum ExtensionFileNames {
    /// Chooses a name for each type from the names of the files that contained it.
    ///
    /// A type has the first of its names that is safe on every system, otherwise a name made of the type. No two names differ only
    /// in case: such types share a file.
    static func assign(_ found: [FeatureType: [String]]) -> [FeatureType: String] {
        var names: [FeatureType: String] = [:]
        var spellings: [String: String] = [:]
        for type in FeatureType.standard {
            let name = self.name(of: type)
            spellings[name] = name
        }
        var unnamed = 0
        for (type, candidates) in found.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            var name = (candidates.sorted() + [self.name(of: type)]).first(where: self.isSafe)
            if name == nil {
                unnamed += 1
                name = "extension-\(unnamed).geojson"
            }
            guard let name else { continue }
            let spelling = spellings[name.lowercased()] ?? name
            spellings[name.lowercased()] = spelling
            names[type] = spelling
        }
        return names
    }

    static func name(of type: FeatureType) -> String { "\(type.rawValue).geojson" }

    private static func isSafe(_ name: String) -> Bool {
        guard name.utf8.count <= 100, let first = name.utf8.first, self.isAlphanumeric(first) else { return false }
        guard name.utf8.allSatisfy({ self.isAlphanumeric($0) || "._-".utf8.contains($0) }) else { return false }
        let lowercased = name.lowercased()
        return lowercased != ArchiveManifest.fileName
            && (lowercased.hasSuffix(".geojson") || lowercased.hasSuffix(".json"))
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }
}
