package io.venuesync.client;

/**
 * A search result.
 *
 * @param text the best matching text
 */
public record SearchResult(Feature feature, String text, Match match) {
    /**
     * The kinds of matches, best first: the whole text, its beginning, beginnings of words, any part; then those of
     * {@link VenueReplica#searchRelated}: related texts, and texts with one spelling mistake.
     */
    public enum Match { EXACT, PREFIX, WORD_PREFIX, SUBSTRING, RELATED, MISSPELLED }
}
