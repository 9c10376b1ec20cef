/// Names of categories that the cartography does not have.
enum CategoryNames {
    /// A readable form of a category without a name: `japanese.curry` becomes `Japanese curry`, `furniturestore` `Furniture store`.
    static func derived(from category: String) -> String {
        let text = category.split(separator: ".").map { Self.separated($0) }.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// Whether a category is another one, or a subcategory of it.
    static func isCategory(_ category: String, of other: String) -> Bool {
        category.hasPrefix(other) && (category.utf8.count == other.utf8.count || category.hasPrefix(other + "."))
    }

    /// The length of the longest category that a table or a setting may have, in bytes.
    static let maximumLength = 100

    /// A category, and the same without its last parts, the longest first. What is longer than ``maximumLength`` is left out, so that a category
    /// of a hundred thousand parts costs no more than one of ten.
    static func lineage(of category: String) -> [String] {
        var lineage: [String] = []
        var end = category.utf8.endIndex
        if category.utf8.count > Self.maximumLength {
            let start = category.utf8.prefix(Self.maximumLength + 1)
            end = start.lastIndex(of: UInt8(ascii: ".")) ?? start.startIndex
        }
        while end > category.startIndex {
            lineage.append(String(category[..<end]))
            end = category.utf8[..<end].lastIndex(of: UInt8(ascii: ".")) ?? category.startIndex
        }
        return lineage
    }

    /// Separates the last word of a compound if it is a frequent one.
    private static func separated(_ part: Substring) -> String { Self.separatedCompound(part) ?? String(part) }

    /// Nil unless the part is a compound with a frequent last word.
    private static func separatedCompound(_ part: Substring) -> String? {
        let word = Self.lastWords.filter { part.hasSuffix($0) && part.count > $0.count }.max { $0.count < $1.count }
        guard let word, part.dropLast(word.count).last.map({ ("a"..."z").contains($0) }) == true else { return nil }
        return "\(part.dropLast(word.count)) \(word)"
    }

    /// The names by which a search finds a category, in all languages of the cartography: its own, or that of the category without its
    /// last parts. In English, compounds such as `carpetstore` have one besides. An identifier is not a name.
    static func searchable(of category: String) -> [String] {
        for known in Self.lineage(of: category) {
            guard let names = Cartography.shared.categories[known] else { continue }
            return names.en == names.ja ? [names.en] : [names.en, names.ja]
        }
        return category.split(separator: ".").last.flatMap { Self.separatedCompound($0) }.map { [$0] } ?? []
    }

    static let lastWords = [
        "store", "shop", "supplies", "equipment", "goods", "services", "agent", "appliances", "market", "studio",
        "center",
        "school", "records", "accessories", "bar", "food", "sushi", "gallery", "therapy", "house", "rental", "club",
        "park", "repair", "surgery", "medicine", "treatment", "instruction", "clothing", "cleaning",
    ]
}
