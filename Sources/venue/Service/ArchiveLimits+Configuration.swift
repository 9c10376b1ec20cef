import Configuration
import IMDFArchive

extension ArchiveLimits {
    /// The default limits, with the values that the environment overrides.
    ///
    /// - Throws: ``Failure`` for an invalid value.
    init(_ reader: ConfigReader) throws {
        self.init()
        let gibibyte = 1 << 30
        try Self.read(
            reader, "archive.limit", "VENUE_ARCHIVE_LIMIT", in: 1...(1_024 * gibibyte), into: &self.archiveBytes)
        try Self.read(reader, "archive.entries", "VENUE_ARCHIVE_ENTRIES", in: 1...65_535, into: &self.entries)
        // The JSON parser accepts documents of at most 1 GiB.
        try Self.read(
            reader, "archive.entry.limit", "VENUE_ARCHIVE_ENTRY_LIMIT", in: 1...gibibyte, into: &self.entryBytes)
        try Self.read(
            reader, "archive.total.limit", "VENUE_ARCHIVE_TOTAL_LIMIT", in: 1...(1_024 * gibibyte),
            into: &self.uncompressedBytes)
        try Self.read(reader, "archive.ratio", "VENUE_ARCHIVE_RATIO", in: 1...100_000, into: &self.compressionRatio)
        try Self.read(reader, "json.depth", "VENUE_JSON_DEPTH", in: 8...1_000, into: &self.nestingDepth)
        try Self.read(reader, "feature.limit", "VENUE_FEATURE_LIMIT", in: 1...gibibyte, into: &self.featureBytes)
    }

    private static func read(
        _ reader: ConfigReader, _ key: ConfigKey, _ name: String, in range: ClosedRange<Int>, into value: inout Int
    ) throws {
        guard let text = reader.string(forKey: key), !text.isEmpty else { return }
        guard let number = self.number(text), range.contains(number) else {
            throw Failure(
                .usage,
                "\(name) must be \(range.lowerBound) to \(range.upperBound), also written as 512MiB, not “\(text)”")
        }
        value = number
    }

    /// Parses a number with an optional unit, such as `1048576`, `1024KiB` or `1MiB`.
    static func number(_ text: String) -> Int? {
        let shifts = ["": 0, "KiB": 10, "MiB": 20, "GiB": 30]
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), let shift = shifts[String(text.dropFirst(digits.count))] else { return nil }
        let (product, isTooLarge) = number.multipliedReportingOverflow(by: 1 << shift)
        return isTooLarge ? nil : product
    }
}
