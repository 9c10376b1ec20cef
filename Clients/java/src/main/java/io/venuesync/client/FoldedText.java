package io.venuesync.client;

import java.text.Normalizer;
import java.util.Locale;

/**
 * The folded form of a text, for search: ignores width, case, accents, punctuation, and the difference between hiragana and katakana.
 * Words consist of letters, marks and digits; everything between counts as one space.
 */
final class FoldedText {
    private static final String REPLACEMENTS = "ßssẞssÆaeæaeŒoeœoe";

    /** In code points. The decomposition takes time in proportion to the square of a run of marks, and no name is longer. */
    private static final int MAXIMUM_LENGTH = 1_000;

    private FoldedText() {}

    static String of(String text) {
        StringBuilder folded = new StringBuilder(text.length());
        boolean needsSpace = false;
        String start = text.codePointCount(0, text.length()) <= MAXIMUM_LENGTH
                ? text : text.substring(0, text.offsetByCodePoints(0, MAXIMUM_LENGTH));
        String plain = Normalizer.normalize(start, Normalizer.Form.NFKD);
        for (int at = 0; at < plain.length(); at += Character.charCount(plain.codePointAt(at))) {
            int character = plain.codePointAt(at);
            if (isAccent(character)) {
                continue;
            }
            if (!isPartOfWord(character)) {
                needsSpace = folded.length() > 0;
                continue;
            }
            if (needsSpace) {
                folded.append(' ');
                needsSpace = false;
            }
            fold(character, folded);
        }
        return Normalizer.normalize(folded, Normalizer.Form.NFC);
    }

    private static boolean isAccent(int character) {
        return character >= 0x0300 && (character <= 0x036F || character >= 0x1AB0 && character <= 0x1AFF
            || character >= 0x1DC0 && character <= 0x1DFF || character >= 0x20D0 && character <= 0x20FF
            || character >= 0xFE20 && character <= 0xFE2F);
    }

    private static boolean isPartOfWord(int character) {
        int type = Character.getType(character);
        return Character.isLetter(character) || type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK
            || type == Character.ENCLOSING_MARK || type == Character.DECIMAL_DIGIT_NUMBER || type == Character.LETTER_NUMBER
            || type == Character.OTHER_NUMBER;
    }

    private static void fold(int character, StringBuilder folded) {
        if (character >= 0x30A1 && character <= 0x30F6 || character == 0x30FD || character == 0x30FE) {
            folded.appendCodePoint(character - 0x60); // katakana to hiragana
            return;
        }
        int replacement = character < 0x80 ? -1 : REPLACEMENTS.indexOf(character);
        if (replacement >= 0) {
            folded.append(REPLACEMENTS, replacement + 1, replacement + 3);
            return;
        }
        switch (character) {
            case 'Ø', 'ø' -> folded.append('o');
            case 'Đ', 'đ' -> folded.append('d');
            case 'Ł', 'ł' -> folded.append('l');
            case 'ı' -> folded.append('i');
            case 'ς' -> folded.append('σ');
            default -> {
                if (character < 0x80) {
                    folded.append((char) Character.toLowerCase(character));
                } else {
                    folded.append(new String(Character.toChars(character)).toLowerCase(Locale.ROOT));
                }
            }
        }
    }
}
