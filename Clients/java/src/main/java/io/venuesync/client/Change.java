package io.venuesync.client;

import java.util.Objects;

/**
 * The net change of one feature.
 *
 * @param kind the kind of change
 * @param before null when it was added
 * @param after null when it was removed
 */
public record Change(Kind kind, Feature before, Feature after) {
    public enum Kind { ADDED, CHANGED, REMOVED }

    /** The current feature, or the last version of a removed one. */
    public Feature feature() {
        return after == null ? before : after;
    }

    /** True if the level changed. */
    public boolean isMove() {
        return kind == Kind.CHANGED && !Objects.equals(before.level(), after.level());
    }
}
