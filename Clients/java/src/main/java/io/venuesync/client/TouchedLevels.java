package io.venuesync.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The levels that venue-wide features touch, such as a lift on three floors: the levels of the features that they refer to. */
final class TouchedLevels {
    /** The longest path of references that is followed, such as occupant, anchor, unit. */
    private static final int MAXIMUM_DEPTH = 3;
    /** The number of references that are followed from one feature, which bounds the time for hostile data. */
    private static final int MAXIMUM_REFERENCES = 10_000;
    /** Types that are on no level, and whose references are not followed. */
    private static final Set<String> TYPES_WITHOUT_LEVEL = Set.of("level", "venue", "address", "building", "footprint");
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    /** The level of each feature, null for none; a level is its own. */
    private final Map<String, String> levels = new HashMap<>();
    /** The references of features without a level. */
    private final Map<String, List<String>> references = new HashMap<>();

    /** Every feature is added before levels are read. */
    void add(Feature feature, Map<String, Object> properties) {
        levels.put(feature.id(), feature.type().equals("level") ? feature.id() : feature.level());
        if (feature.level() == null && !TYPES_WITHOUT_LEVEL.contains(feature.type())) {
            List<String> ids = new ArrayList<>();
            collect(properties, ids);
            references.put(feature.id(), ids);
        }
    }

    /** The level of a feature, or those that it touches, ascending; for a level itself. */
    List<String> levels(String id) {
        String own = levels.get(id);
        if (own != null) {
            return List.of(own);
        }
        Set<String> found = new TreeSet<>();
        Set<String> seen = new HashSet<>(Set.of(id));
        List<String> layer = List.of(id);
        int followed = 0;
        for (int depth = 0; depth < MAXIMUM_DEPTH; depth++) {
            List<String> next = new ArrayList<>();
            for (String source : layer) {
                for (String target : references.getOrDefault(source, List.of())) {
                    followed++;
                    if (followed > MAXIMUM_REFERENCES) {
                        return List.copyOf(found);
                    }
                    if (!levels.containsKey(target) || !seen.add(target)) {
                        continue;
                    }
                    String level = levels.get(target);
                    if (level == null) {
                        next.add(target);
                    } else {
                        found.add(level);
                    }
                }
            }
            layer = next;
        }
        return List.copyOf(found);
    }

    /** Adds the ids in a value, in lower case. */
    private static void collect(Object value, List<String> ids) {
        if (value instanceof String text && text.length() == 36) {
            String id = text.toLowerCase(Locale.ROOT);
            if (ID.matcher(id).matches()) {
                ids.add(id);
            }
        } else if (value instanceof Map<?, ?> members) {
            members.values().forEach(member -> collect(member, ids));
        } else if (value instanceof Collection<?> elements) {
            elements.forEach(element -> collect(element, ids));
        }
    }
}
