package io.venuesync.client;

/**
 * A level of the venue, whether it is held or not: its feature is in the venue-wide part, which always is.
 *
 * @param id null is the venue-wide part
 * @param ordinal null when it is unknown
 * @param name in the venue's language if it has one; may be null
 * @param shortName the same
 * @param digest what proves it; null when it is not held
 */
public record Level(String id, Integer ordinal, String name, String shortName, String digest) {
    public boolean isHeld() {
        return digest != null;
    }
}
