/// Where lines of a text in East Asian scripts may end, besides what the rules of Unicode forbid. Those rules permit a line to end after
/// nearly every character, but a label that is broken inside a word is hard to read.
enum LineBreaks: CaseIterable {
    /// Where the script changes, which is nearly always between words: `モザイカ|生花店`.
    case betweenWords
    /// Also between Chinese characters, which mostly have a meaning of their own: `生花店|商会`.
    case outsideOfKana
    /// Wherever Unicode permits it.
    case anywhere

    private enum Script {
        case chinese, hiragana, katakana, hangul, digit

        /// Nil for all other characters, such as Latin letters, punctuation and spaces.
        init?(_ character: Character) {
            guard let scalar = character.unicodeScalars.first else { return nil }
            switch scalar.value {
            // Small katakana that are read as a counter between Chinese characters.
            case 0x30F5, 0x30F6: self = .chinese
            case 0x3041...0x309F: self = .hiragana
            case 0x30A1...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: self = .katakana
            case 0x3005...0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: self = .chinese
            case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7A3: self = .hangul
            case 0x30...0x39, 0xFF10...0xFF19: self = .digit
            default: return nil
            }
        }
    }

    /// For each character of a text, whether a line may end before it as far as scripts are concerned.
    func permitted(in text: String) -> [Bool] {
        guard self != .anywhere, text.utf8.contains(where: { $0 >= 0xE1 }) else {
            return Array(repeating: true, count: text.count)
        }
        var (previous, beforeThat): ((character: Character, script: Script?)?, Script?)
        return text.map { character in
            let script = Script(character)
            defer { (previous, beforeThat) = ((character, script), previous?.script) }
            guard let last = previous, let left = last.script, let script else { return true }
            let isPrefix = beforeThat != .hiragana && (last.character == "お" || last.character == "ご")
            return !isPrefix && self.permits(left, script)
        }
    }

    private func permits(_ left: Script, _ right: Script) -> Bool {
        switch (left, right) {
        case (.digit, _), (_, .digit): false
        case (.chinese, .chinese): self != .betweenWords
        // Endings and particles.
        case (.chinese, .hiragana), (.katakana, .hiragana): false
        default: left != right
        }
    }
}
