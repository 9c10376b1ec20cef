internal import IMDF

/// In which file the features of a type go that IMDF does not define.
enum ExtensionFileNames {
    /// Names for the types, given the names of the files that each came in.
    ///
    /// A type keeps the first of its names that is safe on every system, or else takes its own. No two names differ only in
    /// case: what differs shares a file.
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
        let small = name.lowercased()
        return small != ArchiveManifest.fileName && (small.hasSuffix(".geojson") || small.hasSuffix(".json"))
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }
}
