/// Names of categories that the cartography does not have.
enum CategoryNames {
    /// A readable form of a category without a name: `japanese.curry` becomes `Japanese curry`, `furniturestore` `Furniture store`.
    static func derived(from category: String) -> String {
        let text = category.split(separator: ".").map { Self.separated($0) }.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// Separates the last word of a compound if it is a frequent one.
    private static func separated(_ part: Substring) -> String {
        let word = Self.lastWords.filter { part.hasSuffix($0) && part.count > $0.count }.max { $0.count < $1.count }
        guard let word, part.dropLast(word.count).last.map({ ("a"..."z").contains($0) }) == true else {
            return String(part)
        }
        return "\(part.dropLast(word.count)) \(word)"
    }

    static let lastWords = [
        "store", "shop", "supplies", "equipment", "goods", "services", "agent", "appliances", "market", "studio",
        "center",
        "school", "records", "accessories", "bar", "food", "sushi", "gallery", "therapy", "house", "rental", "club",
        "park",
    ]
}
