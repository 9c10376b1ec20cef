package io.venuesync.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The levels that venue-wide features touch, such as a lift on three floors: the levels of the features that they refer to. Where its
 * references lead is determined once for each feature and number of references that may be followed. The time and the memory for all
 * features of a venue are at most in proportion to the number of references, times the maximum number of levels.
 */
final class TouchedLevels {
    /** The longest path of references that is followed, such as occupant, anchor, unit. */
    private static final int MAXIMUM_DEPTH = 3;
    /** A feature that leads to more levels belongs to the whole venue, and touches none of them. This bounds the results for hostile data. */
    private static final int MAXIMUM_LEVELS = 1_000;
    /** Types that are on no level, and whose references are not followed. */
    private static final Set<String> TYPES_WITHOUT_LEVEL = Set.of("level", "venue", "address", "building", "footprint");
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    /** The level of each feature, null for none; a level is its own. */
    private final Map<String, String> levels = new HashMap<>();
    /** The references of features without a level. */
    private final Map<String, List<String>> references = new HashMap<>();

    /** By feature and the number of references that may be followed: levels, ascending, or null for too many. */
    private final Map<Path, List<String>> reached = new HashMap<>();
    /** Features that touch the same levels share one list. */
    private final Map<List<String>, List<String>> lists = new HashMap<>();
    /** The number of references that were followed. */
    long followed;
    /** The length of all lists. */
    long kept;

    private record Path(String id, int depth) {}

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
        return own == null ? Objects.requireNonNullElse(reach(id, MAXIMUM_DEPTH), List.of()) : List.of(own);
    }

    private List<String> reach(String id, int depth) {
        Path path = new Path(id, depth);
        if (!reached.containsKey(path)) {
            reached.put(path, union(id, depth));
        }
        return reached.get(path);
    }

    /** Sets of levels only grow: more than the maximum, of one target already, are too many. */
    private List<String> union(String id, int depth) {
        Set<String> found = new HashSet<>();
        Set<List<String>> parts = Collections.newSetFromMap(new IdentityHashMap<>());
        for (String target : references.getOrDefault(id, List.of())) {
            followed++;
            if (!levels.containsKey(target)) {
                continue;
            }
            String level = levels.get(target);
            if (level != null) {
                found.add(level);
            } else if (depth > 1) {
                List<String> part = reach(target, depth - 1);
                if (part == null) {
                    return null;
                }
                if (parts.add(part)) {
                    found.addAll(part);
                }
            }
            if (found.size() > MAXIMUM_LEVELS) {
                return null;
            }
        }
        for (List<String> part : parts) {
            // A list with as many levels has the same ones, as that of the only reference.
            if (part.size() == found.size()) {
                return part;
            }
        }
        return list(found);
    }

    private List<String> list(Set<String> found) {
        List<String> list = found.stream().sorted().toList();
        List<String> known = lists.putIfAbsent(list, list);
        if (known != null) {
            return known;
        }
        kept += list.size();
        return list;
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
