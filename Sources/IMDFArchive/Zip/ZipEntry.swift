internal import IMDF

/// An entry of the central directory. Its values are not trusted until they have been checked.
struct ZipEntry {
    var name: String
    var rawName: [UInt8]
    var flags: UInt16
    var method: UInt16
    var checksum: UInt32
    var compressedSize: UInt64
    var size: UInt64
    /// The offset of the local header.
    var offset: UInt64
    /// Attributes of the system that created the entry. On Unix the upper half is the mode of the file.
    var attributes: UInt32

    var isDirectory: Bool { self.rawName.last == UInt8(ascii: "/") }

    var isEncrypted: Bool {
        // Traditional and strong encryption, and an encrypted directory; AES has its own method.
        self.flags & (1 << 0 | 1 << 6 | 1 << 13) != 0 || self.method == 99
    }

    var isSymbolicLink: Bool { self.attributes >> 28 == 0o12 }

    /// Stored or deflated.
    var hasKnownMethod: Bool { self.method == 0 || self.method == 8 }

    /// In bytes.
    static let maximumNameLength = 1 << 10

    /// Why a name cannot be compared with others in a short time; nil if it can.
    static func sizeProblem(of rawName: some Collection<UInt8>) -> String? {
        if rawName.count > self.maximumNameLength {
            return "The name of an entry is longer than \(self.maximumNameLength) bytes."
        }
        guard CombiningMarks.areTooMany(in: rawName) else { return nil }
        return "The name of an entry has more than \(CombiningMarks.most) combining marks in a row."
    }

    /// Why the name of the entry is not allowed; nil if it is.
    var nameProblem: String? {
        let name = self.rawName
        if name.isEmpty { return "An entry has no name." }
        if name.contains(0) { return "The name contains a NUL character." }
        if name.contains(UInt8(ascii: "\\")) { return "The name contains a backslash." }
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

    /// A name as text: as UTF-8 if it is valid, otherwise byte by byte, so that different names stay different.
    static func text(of rawName: [UInt8]) -> String {
        String(validating: rawName, as: UTF8.self)
            ?? String(String.UnicodeScalarView(rawName.map { Unicode.Scalar($0) }))
    }
}

// MARK: - Parts of the name

extension ZipEntry {
    var folders: [Substring] { self.name.split(separator: "/").dropLast() }

    /// The name without the folders.
    var baseName: Substring { self.name.split(separator: "/").last ?? "" }

    /// Whether this is metadata that macOS adds.
    var isMacMetadata: Bool {
        self.baseName.hasPrefix("._") || self.baseName == ".DS_Store" || self.folders.contains("__MACOSX")
    }

    /// The base name without its extension, if that is `.geojson` or `.json` in any case.
    var jsonStem: Substring? {
        let name = self.baseName
        let lowercased = name.lowercased()
        for ending in [".geojson", ".json"] where lowercased.hasSuffix(ending) {
            return name.dropLast(ending.count)
        }
        return nil
    }

    var isManifest: Bool { self.baseName.lowercased() == ArchiveManifest.fileName }

    /// The name for a finding, shortened.
    var displayName: String { self.name.count > 255 ? "\(self.name.prefix(254))…" : self.name }
}
