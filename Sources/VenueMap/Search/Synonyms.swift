import CMapFiles

/// Words for the same thing in English and Japanese: what visitors type finds places that use another word of the group.
enum Synonyms {
    /// The lines of `synonyms.txt`. One that begins with “>” has words for a whole group of categories, and one with “?” has words that
    /// stand for the group if nothing else is found.
    private static let lines: [Substring] = {
        let file = venuesync_synonyms_txt()
        let text = String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
        return text.split(separator: "\n")
    }()

    /// The folded words of each group of synonyms.
    private static let groups: [[FoldedText]] = Self.lines.filter { !">?".contains($0.first ?? ">") }.map { line in
        var known: Set<FoldedText> = []
        return line.split(separator: "|").map { FoldedText(String($0)) }.filter { known.insert($0).inserted }
    }

    private static let foodWords = Self.words(ofLine: ">food")
    private static let lastFoodWords = Self.words(ofLine: "?food")

    private static func words(ofLine name: String) -> Set<FoldedText> {
        let line = Self.lines.first { $0.hasPrefix(name + "|") } ?? ""
        return Set(line.split(separator: "|").dropFirst().map { FoldedText(String($0)) })
    }

    /// Whether a text stands for all categories of food: always, or if nothing else is found.
    static func meansFood(_ text: FoldedText, isLast: Bool = false) -> Bool {
        (isLast ? self.lastFoodWords : self.foodWords).contains(text)
    }

    private static let maximumVariants = 24

    /// All words of the groups that have a word which meets a condition.
    static func words(ofGroupsWith isWanted: (FoldedText) -> Bool) -> [FoldedText] {
        self.groups.filter { $0.contains(where: isWanted) }.flatMap(\.self)
    }

    /// The text, and variants of it in which a word or phrase is replaced by others of its group.
    static func variants(of text: FoldedText) -> [FoldedText] {
        var found = [text]
        for group in self.groups {
            for word in group where self.occurs(word, in: text) {
                guard let start = text.bytes.firstOffset(of: word.bytes) else { continue }
                for other in group where other != word {
                    var bytes = text.bytes
                    bytes.replaceSubrange(start..<start + word.bytes.count, with: other.bytes)
                    let variant = FoldedText(bytes: bytes)
                    if found.count < self.maximumVariants, !found.contains(variant) { found.append(variant) }
                }
            }
        }
        return found
    }

    /// Whether a word occurs in a text: as whole words in scripts with spaces, and in others anywhere if it has two characters or is the
    /// text.
    private static func occurs(_ word: FoldedText, in text: FoldedText) -> Bool {
        guard let first = text.bytes.firstOffset(of: word.bytes) else { return false }
        guard word.isASCII else {
            return text == word || String(decoding: word.bytes, as: UTF8.self).utf16.count > 1
        }
        var start = first
        while start + word.bytes.count <= text.bytes.count {
            let end = start + word.bytes.count
            if text.bytes.contains(word.bytes, at: start), start == 0 || text.bytes[start - 1] == UInt8(ascii: " "),
                end == text.bytes.count || text.bytes[end] == UInt8(ascii: " ")
            {
                return true
            }
            start += 1
        }
        return false
    }
}
