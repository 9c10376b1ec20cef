package io.venuesync.client;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Words for the same thing in English and Japanese: what people type finds places that use another word of the group. */
final class Synonyms {
    /** The folded words of each group. */
    private static final List<Set<String>> GROUPS = new ArrayList<>();
    /** The folded texts that stand for all categories of food: always, and if nothing else is found. */
    static final Set<String> FOOD = new HashSet<>();
    static final Set<String> FOOD_IF_NOTHING_ELSE = new HashSet<>();
    private static final int MAXIMUM_VARIANTS = 24;

    static {
        for (String line : new String(SearchTables.read("synonyms.txt"), StandardCharsets.UTF_8).split("\n")) {
            // A line that begins with ">" has words for a whole group of categories, and one with "?" those if nothing else is found.
            Set<String> words = new LinkedHashSet<>();
            Arrays.stream(line.split("\\|")).skip(">?".indexOf(line.charAt(0)) < 0 ? 0 : 1).map(FoldedText::of).forEach(words::add);
            if (line.startsWith(">food|")) {
                FOOD.addAll(words);
            } else if (line.startsWith("?food|")) {
                FOOD_IF_NOTHING_ELSE.addAll(words);
            } else {
                GROUPS.add(words);
            }
        }
    }

    private Synonyms() {}

    /** All words of the groups that have a word which meets a condition. */
    static List<String> groupsWith(Predicate<String> condition) {
        return GROUPS.stream().filter(group -> group.stream().anyMatch(condition)).flatMap(Set::stream).toList();
    }

    /** The folded text, and variants of it in which a word or phrase is replaced by others of its group. */
    static List<String> variants(String text) {
        Set<String> found = new LinkedHashSet<>(Set.of(text));
        for (Set<String> group : GROUPS) {
            for (String word : group) {
                if (!occurs(word, text)) {
                    continue;
                }
                int start = text.indexOf(word);
                for (String other : group) {
                    if (!other.equals(word) && found.size() < MAXIMUM_VARIANTS) {
                        found.add(text.substring(0, start) + other + text.substring(start + word.length()));
                    }
                }
            }
        }
        return List.copyOf(found);
    }

    /**
     * Whether a word occurs in a text: as whole words in scripts with spaces, and in others anywhere if it has two characters or is the
     * text.
     */
    private static boolean occurs(String word, String text) {
        if (isAscii(word)) {
            return (" " + text + " ").contains(" " + word + " ");
        }
        return text.equals(word) || word.length() > 1 && text.contains(word);
    }

    static boolean isAscii(String text) {
        return text.chars().allMatch(character -> character < 0x80);
    }
}
