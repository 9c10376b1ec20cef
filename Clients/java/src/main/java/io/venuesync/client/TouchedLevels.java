package io.venuesync.client;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The levels that venue-wide features touch, such as a lift on three floors: the levels of the features that they refer to. Where its
 * references lead is determined once for each feature, so that the time for all features of a venue is in proportion to the number of
 * references, however many features refer to one that has many.
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

    /** Sets of levels have a bit for each level: its index in this list. */
    private final List<String> ids = new ArrayList<>();
    private final Map<String, Integer> bits = new HashMap<>();
    /** By feature and the number of references that may be followed. */
    private final Map<Path, BitSet> reached = new HashMap<>();
    /** Features that touch the same levels share one list. */
    private final Map<BitSet, List<String>> lists = new HashMap<>();
    /** The number of references that were followed. */
    long followed;

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
        return own == null ? lists.computeIfAbsent(reach(id, MAXIMUM_DEPTH), this::list) : List.of(own);
    }

    private BitSet reach(String id, int depth) {
        Path path = new Path(id, depth);
        BitSet known = reached.get(path);
        if (known != null) {
            return known;
        }
        BitSet found = new BitSet();
        for (String target : references.getOrDefault(id, List.of())) {
            followed++;
            if (!levels.containsKey(target)) {
                continue;
            }
            String level = levels.get(target);
            if (level != null) {
                found.set(bit(level));
            } else if (depth > 1) {
                found.or(reach(target, depth - 1));
            }
        }
        reached.put(path, found);
        return found;
    }

    private int bit(String level) {
        Integer known = bits.putIfAbsent(level, ids.size());
        if (known != null) {
            return known;
        }
        ids.add(level);
        return ids.size() - 1;
    }

    private List<String> list(BitSet found) {
        return found.cardinality() > MAXIMUM_LEVELS ? List.of() : found.stream().mapToObj(ids::get).sorted().toList();
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
