package io.venuesync.client;

/**
 * A level of the venue, held or not: the level features are in the venue-wide part, which is always held.
 *
 * @param id null is the venue-wide part
 * @param ordinal null if unknown
 * @param name in the language of the venue if available; may be null
 * @param shortName the same
 * @param digest the verified digest; null if the level is not held
 */
public record Level(String id, Integer ordinal, String name, String shortName, String digest) {
    public boolean isHeld() {
        return digest != null;
    }
}
