package io.venuesync.client;

import java.util.Objects;

/**
 * What became of one feature, net.
 *
 * @param kind what happened
 * @param before null when it was added
 * @param after null when it was removed
 */
public record Change(Kind kind, Feature before, Feature after) {
    public enum Kind { ADDED, CHANGED, REMOVED }

    /** The feature as it is, or as it was when it is no more. */
    public Feature feature() {
        return after == null ? before : after;
    }

    /** Whether it is on another level than before. */
    public boolean isMove() {
        return kind == Kind.CHANGED && !Objects.equals(before.level(), after.level());
    }
}
