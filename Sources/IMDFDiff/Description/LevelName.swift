/// What a level is called in a sentence, and what distinguishes it from others that are called the same.
package struct LevelName: Hashable, Sendable {
    /// The short name, or else the name.
    package let short: String
    /// The name, if the level has one besides its short name.
    package let full: String?
    /// The name of the building, or of the buildings, that the level belongs to.
    package let building: String?

    package init(_ short: String, full: String? = nil, building: String? = nil) {
        self.short = short
        self.full = full
        self.building = building
    }

    /// The texts by which a sentence names levels: each text once. Levels with the same short name are qualified by their buildings, then
    /// distinguished by their full names; levels that remain equal share a text.
    ///
    /// - Parameter qualified: The name of a level with that of its building, in the language of the sentence.
    static func texts(of names: [LevelName], qualified: (_ name: String, _ building: String) -> String) -> [String] {
        var texts = names.map(\.short)
        Self.lengthen(&texts, with: names.map { name in name.building.map { qualified(name.short, $0) } })
        Self.lengthen(&texts, with: names.map(\.full))
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }
    }

    /// Replaces texts that several levels have by longer ones, where these differ.
    private static func lengthen(_ texts: inout [String], with longer: [String?]) {
        for (text, group) in Dictionary(grouping: texts.indices, by: { texts[$0] }) where group.count > 1 {
            let candidates = group.map { longer[$0] ?? text }
            // A text that another level already has would make the sentence wrong instead of vague.
            let others = Set(texts.indices.filter { !group.contains($0) }.map { texts[$0] })
            guard Set(candidates).count > 1, others.isDisjoint(with: candidates) else { continue }
            for (index, candidate) in zip(group, candidates) { texts[index] = candidate }
        }
    }
}
