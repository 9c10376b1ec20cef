package io.venuesync.client;

/** Compares words of which one may be misspelled. Mistakes are counted in UTF-16 code units. */
final class Spelling {
    /** Shorter words have too many neighbours. */
    static final int SHORTEST_MISSPELLED_WORD = 4;

    private Spelling() {}

    static boolean hasDigit(String word) {
        return word.chars().anyMatch(unit -> unit >= '0' && unit <= '9');
    }

    /** Whether a word begins another one with at most one mistake; short words without a mistake. */
    static boolean isNear(String word, String other) {
        if (hasDigit(word)) {
            return word.equals(other); // Room 1234 and room 1235 are different rooms.
        }
        if (other.startsWith(word)) {
            return true;
        }
        // The shortest words are near the beginning of too many longer ones: "exit" near that of "extinguisher".
        if (word.length() <= SHORTEST_MISSPELLED_WORD) {
            return word.length() == SHORTEST_MISSPELLED_WORD && hasOneMistake(word, other);
        }
        for (int length = word.length() - 1; length <= word.length() + 1; length++) {
            if (hasOneMistake(word, other.substring(0, Math.min(length, other.length())))) {
                return true;
            }
        }
        return false;
    }

    /** Whether two words differ in one letter that is missing, added, another one, or exchanged with its neighbour. */
    static boolean hasOneMistake(String one, String other) {
        if (Math.abs(one.length() - other.length()) > 1) {
            return false;
        }
        int start = 0;
        while (start < Math.min(one.length(), other.length()) && one.charAt(start) == other.charAt(start)) {
            start++;
        }
        String a = one.substring(start);
        String b = other.substring(start);
        return a.equals(b) || without(a, 1).equals(without(b, 1)) || a.equals(without(b, 1)) || without(a, 1).equals(b)
            || a.length() > 1 && b.length() > 1 && a.charAt(0) == b.charAt(1) && a.charAt(1) == b.charAt(0)
            && without(a, 2).equals(without(b, 2));
    }

    /** The text without its first units. */
    private static String without(String text, int count) {
        return text.substring(Math.min(count, text.length()));
    }
}
