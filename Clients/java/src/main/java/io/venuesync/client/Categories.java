package io.venuesync.client;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names and groups of IMDF categories, as the cartography has them that all libraries share. */
final class Categories {
    /** The names in English and Japanese. */
    private static final Map<String, List<String>> NAMES = new HashMap<>();
    /** The groups by the prefixes of their categories, those of occupants and those of units. */
    private static final List<Map<String, String>> GROUPS = List.of(new HashMap<>(), new HashMap<>());
    /** No known category or prefix is longer, so that the time for longer ones is bounded. */
    private static final int LONGEST;
    /** The frequent words at the end of compounds, such as {@code furniturestore}. */
    private static final Pattern COMPOUND = Pattern.compile(
        "([a-z])(store|shop|supplies|equipment|goods|services|agent|appliances|market|studio|center|school|records|accessories|bar|food|"
        + "sushi|gallery|therapy|house|rental|club|park|repair|surgery|medicine|treatment|instruction|clothing|cleaning)\\z");

    static {
        try {
            Map<?, ?> cartography = (Map<?, ?>) Json.parse(SearchTables.read("cartography.json"));
            ((Map<?, ?>) cartography.get("categories")).forEach((category, names) -> {
                Set<String> texts = new LinkedHashSet<>();
                texts.add((String) ((Map<?, ?>) names).get("en"));
                texts.add((String) ((Map<?, ?>) names).get("ja"));
                NAMES.put((String) category, List.copyOf(texts));
            });
            for (Object each : (List<?>) cartography.get("groups")) {
                Map<?, ?> group = (Map<?, ?>) each;
                ((List<?>) group.get("occupants")).forEach(prefix -> GROUPS.get(0).put((String) prefix, (String) group.get("id")));
                ((List<?>) group.get("units")).forEach(prefix -> GROUPS.get(1).put((String) prefix, (String) group.get("id")));
            }
        } catch (Json.FormatException error) {
            throw new IllegalStateException(error);
        }
        int longest = 0;
        for (Set<String> known : List.of(NAMES.keySet(), GROUPS.get(0).keySet(), GROUPS.get(1).keySet())) {
            for (String category : known) {
                longest = Math.max(longest, category.length());
            }
        }
        LONGEST = longest;
    }

    private Categories() {}

    /**
     * The names of a category in English and Japanese: its own, or those of the category without its last parts. Compounds, such as
     * {@code carpetstore}, have one in English besides. An identifier is not a name.
     */
    static List<String> names(String category) {
        int end = category.length() <= LONGEST ? category.length() : category.lastIndexOf('.', LONGEST);
        for (; end > 0; end = category.lastIndexOf('.', end - 1)) {
            List<String> names = NAMES.get(category.substring(0, end));
            if (names != null) {
                return names;
            }
        }
        int last = category.length();
        while (last > 0 && category.charAt(last - 1) == '.') {
            last--;
        }
        Matcher compound = COMPOUND.matcher(category.substring(category.lastIndexOf('.', last - 1) + 1, last));
        return compound.find() ? List.of(compound.replaceFirst("$1 $2")) : List.of();
    }

    /** Whether occupants or units of a category are for eating and drinking. A category belongs to the group with its longest prefix. */
    static boolean isFood(String category) {
        for (Map<String, String> groups : GROUPS) {
            int end = Math.min(category.length(), LONGEST);
            while (end > 0 && !groups.containsKey(category.substring(0, end))) {
                end--;
            }
            if ("food".equals(groups.get(category.substring(0, end)))) {
                return true;
            }
        }
        return false;
    }
}
