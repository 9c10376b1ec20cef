// The folded form of a text for search: width, case, accents, punctuation, and the difference between hiragana and katakana are removed.

const isAccent = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/u;
const isPartOfWord = /[\p{L}\p{M}\p{N}]/u;
/** Letters without a decomposition, dotless i and final sigma. */
const replacements = new Map(Object.entries({
    ß: "ss", ẞ: "ss", Æ: "ae", æ: "ae", Œ: "oe", œ: "oe", Ø: "o", ø: "o", Đ: "d", đ: "d", Ł: "l", ł: "l", ı: "i", ς: "σ",
}));

/** In code points. The decomposition takes time in proportion to the square of a run of marks, and no name is longer. */
const maximumLength = 1_000;

/**
 * The folded form of the first 1,000 code points. Its rules do not depend on the platform's locale data: Unicode compatibility decomposition; marks of the combining
 * diacritical mark blocks are removed, Japanese voicing marks are kept; katakana become hiragana; lower case. Letters, marks and digits
 * form words; everything between words becomes one space.
 */
export function foldedText(text) {
    let folded = "";
    let needsSpace = false;
    const start = text.length <= maximumLength ? text : Array.from(text.slice(0, 2 * maximumLength)).slice(0, maximumLength).join("");
    for (const character of start.normalize("NFKD")) {
        if (isAccent.test(character)) continue;
        if (!isPartOfWord.test(character)) {
            needsSpace = folded !== "";
            continue;
        }
        folded += (needsSpace ? " " : "") + foldedCharacter(character);
        needsSpace = false;
    }
    return folded.normalize("NFC");
}

function foldedCharacter(character) {
    const code = character.codePointAt(0);
    // Katakana from small a to small ke, and the iteration marks. Hiragana are 96 code points lower.
    const isKatakana = (code >= 0x30a1 && code <= 0x30f6) || (code >= 0x30fd && code <= 0x30fe);
    return isKatakana ? String.fromCodePoint(code - 0x60) : (replacements.get(character) ?? character.toLowerCase());
}
