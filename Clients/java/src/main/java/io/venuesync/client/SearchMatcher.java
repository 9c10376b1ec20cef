package io.venuesync.client;

import io.venuesync.client.SearchResult.Match;
import io.venuesync.client.SearchTexts.Term;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/** How a search text matches a feature. */
interface SearchMatcher {
    /** @param rank orders hits with the same match, the lower the better */
    record Hit(Match match, int rank, Term term) {
        /** Texts are compared by UTF-16 code units in all clients. */
        static final Comparator<Hit> BEST_FIRST = Comparator.comparing(Hit::match).thenComparing(hit -> hit.term.member())
            .thenComparing(hit -> hit.term.text());
    }

    /** The best hit by the texts of a feature and by the names of its floors and buildings; null if it does not match. */
    Hit match(SearchTexts texts, Supplier<List<Term>> around);

    /** Matches a feature's own texts as they are written. An empty query matches every feature that has a text. */
    static SearchMatcher written(String query) {
        String[] words = query.split(" ");
        return (texts, around) -> {
            Hit best = null;
            for (Term term : texts.own) {
                Match match = match(term, query, words);
                Hit hit = match == null ? null : new Hit(match, 0, term);
                if (hit != null && (best == null || Hit.BEST_FIRST.compare(hit, best) < 0)) {
                    best = hit;
                }
            }
            return best;
        };
    }

    private static Match match(Term term, String query, String[] words) {
        if (query.isEmpty() || term.spaced().startsWith(query, 1)) {
            return !query.isEmpty() && term.spaced().length() == query.length() + 2 ? Match.EXACT : Match.PREFIX;
        }
        for (String word : words) {
            if (!term.hasWord(word, false)) {
                return term.spaced().contains(query) ? Match.SUBSTRING : null;
            }
        }
        return Match.WORD_PREFIX;
    }
}
