package io.venuesync.client;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The levels that a replica holds: everything, or a set of level names. A name is the id of a level, {@code ordinal:1}, or {@code venue}
 * for the venue-wide part, which is always included.
 */
public final class LevelSelection {
    /** All levels of the venue. */
    public static final LevelSelection EVERYTHING = new LevelSelection(null);
    /** Only the venue-wide part, which a level picker needs. */
    public static final LevelSelection VENUE_WIDE = of("venue");

    private final Set<String> names;

    private LevelSelection(Set<String> names) {
        this.names = names;
    }

    public static LevelSelection of(String... names) {
        return of(Arrays.asList(names));
    }

    /** @throws IllegalArgumentException for an invalid level name */
    public static LevelSelection of(Collection<String> names) {
        Set<String> result = new TreeSet<>();
        for (String name : names) {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!name.equals("venue") && !name.matches("ordinal:-?[0-9]{1,10}") && !Wire.isUuid(lower)) {
                throw new IllegalArgumentException("“" + name + "” is not a level name; expected an id, ordinal:<n> or venue");
            }
            result.add(lower);
        }
        if (result.isEmpty()) {
            result.add("venue");
        }
        return new LevelSelection(Collections.unmodifiableSet(result));
    }

    /** Sorted, so that clients with the same selection use the same address; null is everything. */
    public Set<String> names() {
        return names;
    }

    LevelSelection adding(LevelSelection other) {
        if (names == null || other.names == null) {
            return EVERYTHING;
        }
        Set<String> all = new TreeSet<>(names);
        all.addAll(other.names);
        return new LevelSelection(Collections.unmodifiableSet(all));
    }

    /** Removes levels. A name that stands for several levels is replaced by the remaining ones. */
    LevelSelection dropping(LevelSelection other, Collection<Level> held) {
        if (other.names == null) {
            return VENUE_WIDE;
        }
        Map<String, Level> left = new LinkedHashMap<>();
        Set<String> lost = new TreeSet<>();
        for (Level level : held) {
            if (level.id() == null) {
                continue;
            }
            if (other.names.contains(level.id()) || other.names.contains("ordinal:" + level.ordinal())) {
                lost.add("ordinal:" + level.ordinal());
                lost.add(level.id());
            } else {
                left.put(level.id(), level);
            }
        }
        if (names == null) {
            return of(left.keySet());
        }
        Set<String> result = new TreeSet<>(names);
        result.removeAll(other.names);
        for (Level level : left.values()) {
            String name = "ordinal:" + level.ordinal();
            if (names.contains(name) && lost.contains(name)) {
                result.add(level.id());
            }
        }
        result.removeAll(lost);
        return of(result);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LevelSelection selection && Objects.equals(names, selection.names);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(names);
    }

    /** The stored form: names separated by spaces, or {@code *} for everything. */
    @Override
    public String toString() {
        return names == null ? "*" : String.join(" ", names);
    }

    static LevelSelection stored(String text) {
        return text == null ? null : text.equals("*") ? EVERYTHING : of(text.split(" "));
    }
}
