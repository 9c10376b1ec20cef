package io.venuesync.client;

/**
 * A feature that was found.
 *
 * @param text the text that fits best, as it is written
 */
public record SearchResult(Feature feature, String text, Match match) {
    /** How well a text fits, the best first: it is the whole text, its beginning, the beginnings of its words, or anything in it. */
    public enum Match { EXACT, PREFIX, WORD_PREFIX, SUBSTRING }
}
