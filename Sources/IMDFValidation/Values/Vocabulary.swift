/// Lists of codes, read once from files of words; a line that begins with `#` says where they come from.
enum Vocabulary {
    /// ISO 3166-1 alpha-2.
    static let countries = Set(words(PackageResources.countries_txt))
    /// Primary language subtags.
    static let languages = Set(words(PackageResources.languages_txt))
    /// ISO 15924, in lower case.
    static let scripts = Set(words(PackageResources.scripts_txt).map { $0.lowercased() })
    /// ISO 3166-2: of every country that has subdivisions their codes, without the country.
    static let subdivisions: [String: Set<String>] = Dictionary(
        uniqueKeysWithValues: lines(PackageResources.subdivisions_txt).compactMap { line in
            let codes = line.split(separator: " ").map(String.init)
            return codes.first.map { ($0, Set(codes.dropFirst())) }
        })

    private static func lines(_ bytes: [UInt8]) -> [Substring] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
    }

    static func words(_ bytes: [UInt8]) -> [String] {
        self.lines(bytes).flatMap { $0.split(separator: " ") }.map(String.init)
    }
}
