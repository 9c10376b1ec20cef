/// Lists of codes, read once from embedded files. A line that begins with `#` is a comment about their source.
enum CodeLists {
    /// ISO 3166-1 alpha-2.
    static let countries = Set(codes(PackageResources.countries_txt))
    /// Primary language subtags.
    static let languages = Set(codes(PackageResources.languages_txt))
    /// ISO 15924, in lower case.
    static let scripts = Set(codes(PackageResources.scripts_txt).map { $0.lowercased() })
    /// ISO 3166-2: the codes of subdivisions by country, without the country's code.
    static let subdivisions: [String: Set<String>] = Dictionary(
        uniqueKeysWithValues: lines(PackageResources.subdivisions_txt).compactMap { line in
            let codes = line.split(separator: " ").map(String.init)
            return codes.first.map { ($0, Set(codes.dropFirst())) }
        })

    private static func lines(_ bytes: [UInt8]) -> [Substring] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
    }

    static func codes(_ bytes: [UInt8]) -> [String] {
        self.lines(bytes).flatMap { $0.split(separator: " ") }.map(String.init)
    }
}
