/// An entry as the archive's central directory lists it. None of this is true until it has been looked at.
struct ZipEntry {
    var name: String
    var rawName: [UInt8]
    var flags: UInt16
    var method: UInt16
    var checksum: UInt32
    var compressedSize: UInt64
    var size: UInt64
    /// Where the entry's own header stands.
    var offset: UInt64
    /// Attributes of the system it was made on; Unix keeps the file's mode in the upper half.
    var attributes: UInt32

    var isDirectory: Bool { self.rawName.last == UInt8(ascii: "/") }

    var isEncrypted: Bool {
        // Traditional, strong, and a hidden directory; AES calls itself a method.
        self.flags & (1 << 0 | 1 << 6 | 1 << 13) != 0 || self.method == 99
    }

    var isSymbolicLink: Bool { self.attributes >> 28 == 0o12 }

    /// Stored or deflated.
    var hasKnownMethod: Bool { self.method == 0 || self.method == 8 }

    /// Why nobody should have an entry of this name.
    var nameProblem: String? {
        let name = self.rawName
        if name.isEmpty { return "An entry has no name." }
        if name.contains(0) { return "The name has a NUL character in it." }
        if name.contains(UInt8(ascii: "\\")) { return "The name has a backslash in it." }
        if name[0] == UInt8(ascii: "/") { return "The name is an absolute path." }
        if name.count > 1, name[1] == UInt8(ascii: ":"), Self.isLetter(name[0]) {
            return "The name is an absolute path."
        }
        if name.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) }) {
            return "The name leads out of the archive."
        }
        return nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    /// A name as text: UTF-8, or else byte by byte, so that two names are never taken for one.
    static func text(of rawName: [UInt8]) -> String {
        String(validating: rawName, as: UTF8.self)
            ?? String(String.UnicodeScalarView(rawName.map { Unicode.Scalar($0) }))
    }
}

/// Where a file lies in the archive.
extension ZipEntry {
    var folders: [Substring] { self.name.split(separator: "/").dropLast() }

    /// The name without the folders.
    var baseName: Substring { self.name.split(separator: "/").last ?? "" }

    /// What macOS puts beside the files.
    var isLeftover: Bool {
        self.baseName.hasPrefix("._") || self.baseName == ".DS_Store" || self.folders.contains("__MACOSX")
    }

    /// The base name without its ending, when that is `.geojson` or `.json` in any case.
    var jsonStem: Substring? {
        let name = self.baseName
        let small = name.lowercased()
        for ending in [".geojson", ".json"] where small.hasSuffix(ending) {
            return name.dropLast(ending.count)
        }
        return nil
    }

    var isManifest: Bool { self.baseName.lowercased() == ArchiveManifest.fileName }

    /// The name for a finding: some are longer than anyone would read.
    var shownName: String { self.name.count > 255 ? "\(self.name.prefix(254))…" : self.name }
}
