import CCodeLists

/// Lists of codes, read once from embedded files. A line that begins with `#` is a comment about their source.
enum CodeLists {
    /// ISO 3166-1 alpha-2.
    static let countries = Set(codes(countries_txt()))
    /// Primary language subtags.
    static let languages = Set(codes(languages_txt()))
    /// ISO 15924, in lower case.
    static let scripts = Set(codes(scripts_txt()).map { $0.lowercased() })
    /// ISO 3166-2: the codes of subdivisions by country, without the country's code.
    static let subdivisions: [String: Set<String>] = Dictionary(
        uniqueKeysWithValues: lines(subdivisions_txt()).compactMap { line in
            let codes = line.split(separator: " ").map(String.init)
            return codes.first.map { ($0, Set(codes.dropFirst())) }
        })

    /// Codes that ISO 3166-2 has no more, with the one that replaces them; nil if it is not one code.
    static let supersededSubdivisions: [String: String?] = Dictionary(
        uniqueKeysWithValues: lines(superseded_subdivisions_txt()).map { line in
            let codes = line.split(separator: " ").map(String.init)
            return (codes[0], codes.dropFirst().first)
        })

    private static func lines(_ file: EmbeddedFile) -> [Substring] {
        String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
            .split(separator: "\n").filter { !$0.hasPrefix("#") }
    }

    static func codes(_ file: EmbeddedFile) -> [String] {
        self.lines(file).flatMap { $0.split(separator: " ") }.map(String.init)
    }
}
