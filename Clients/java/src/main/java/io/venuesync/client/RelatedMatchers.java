package io.venuesync.client;

import io.venuesync.client.SearchMatcher.Hit;
import io.venuesync.client.SearchResult.Match;
import io.venuesync.client.SearchTexts.Term;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Matches beyond a feature's own texts as they are written: without the spaces, by the names of its category, by synonyms, by the group of
 * its category, together with the names of its floor and building, and with one spelling mistake.
 */
final class RelatedMatchers {
    private static final class Variant {
        final String joined;
        final List<String> words;
        /** Of a synonym. */
        final int penalty;
        final boolean isWholeWord;

        Variant(String text, int penalty, boolean isWholeWord) {
            this.joined = text.replace(" ", "");
            this.words = List.of(text.split(" "));
            this.penalty = penalty;
            this.isWholeWord = isWholeWord;
        }

        /** Short synonyms, such as "loo", would be found inside of other words. */
        static Variant synonym(String text) {
            return new Variant(text, 1, Synonyms.isAscii(text));
        }

        boolean hasWords(List<Term> terms) {
            return words.stream().allMatch(word -> terms.stream().anyMatch(term -> term.hasWord(word, isWholeWord)));
        }

        /** As {@link #hasWords}, but a number is a whole word: room 10 is not room 102. */
        boolean hasWholeNumber(String word, Term term) {
            return term.hasWord(word, isWholeWord || Spelling.hasDigit(word));
        }

        /**
         * Ranks, which are doubled and one more for a synonym: 0 if a text begins with the query when spaces are ignored; 1 if it contains
         * it so; 2 if all words begin words of the texts or of the names of the category; 3 if a name of the category contains the query.
         */
        Hit match(SearchTexts texts, List<Term> all, Match match) {
            Term begins = isWholeWord ? null : first(texts.own, term -> term.joined().startsWith(joined));
            if (begins != null) {
                return new Hit(match, penalty, begins);
            }
            Term contains = isWholeWord ? null : first(texts.own, term -> term.joined().contains(joined));
            if (contains != null) {
                return new Hit(match, 2 + penalty, contains);
            }
            if (!all.isEmpty() && hasWords(all)) {
                Term whole = first(all, term -> hasWords(List.of(term)));
                return new Hit(match, 4 + penalty, whole == null ? all.get(0) : whole);
            }
            Term name = isWholeWord ? null : first(texts.category, term -> term.joined().contains(joined));
            return name == null ? null : new Hit(match, 6 + penalty, name);
        }
    }

    private final String query;
    private final boolean meansFood;
    private final List<Variant> variants = new ArrayList<>();
    private final SearchMatcher written;

    private RelatedMatchers(String query) {
        this.query = query;
        this.meansFood = Synonyms.FOOD.contains(query);
        this.written = SearchMatcher.written(query);
        List<String> texts = Synonyms.variants(query);
        // "eat" is inside of "leather goods".
        variants.add(new Variant(query, 0, meansFood && Synonyms.isAscii(query)));
        texts.subList(1, texts.size()).forEach(text -> variants.add(Variant.synonym(text)));
    }

    /**
     * Each is used if those before it find nothing: what matches as it is written or is related; the whole group that the query means then,
     * such as food for coffee; what matches together with the names of floor and building; what is misspelled; what matches a misspelled
     * synonym.
     */
    static List<SearchMatcher> of(String query) {
        RelatedMatchers related = new RelatedMatchers(query);
        List<SearchMatcher> matchers = new ArrayList<>(List.of(related::writtenOrRelated));
        if (Synonyms.FOOD_IF_NOTHING_ELSE.contains(query)) {
            matchers.add((texts, around) -> food(texts));
        }
        List<String> words = related.variants.get(0).words;
        if (words.stream().distinct().count() > 1) {
            matchers.add(related::surrounded);
        }
        if (words.stream().anyMatch(word -> word.length() >= Spelling.SHORTEST_MISSPELLED_WORD)) {
            matchers.add(related::misspelled);
        }
        if (query.length() >= Spelling.SHORTEST_MISSPELLED_WORD && !Spelling.hasDigit(query)) {
            List<Variant> corrected =
                Synonyms.groupsWith(word -> Spelling.hasOneMistake(query, word)).stream().map(Variant::synonym).toList();
            matchers.add((texts, around) -> related(texts, corrected, Match.MISSPELLED));
        }
        return matchers;
    }

    private Hit writtenOrRelated(SearchTexts texts, Supplier<List<Term>> around) {
        Hit hit = written.match(texts, around);
        if (hit != null && !(meansFood && hit.match() == Match.SUBSTRING && !texts.isFood)) {
            return hit;
        }
        Hit related = related(texts, variants, Match.RELATED);
        return related == null && meansFood ? food(texts) : related;
    }

    private static Hit related(SearchTexts texts, List<Variant> variants, Match match) {
        List<Term> all = texts.all();
        Hit best = null;
        for (Variant variant : variants) {
            Hit hit = variant.match(texts, all, match);
            if (hit != null && (best == null || hit.rank() < best.rank())) {
                best = hit;
            }
        }
        return best;
    }

    private static Hit food(SearchTexts texts) {
        if (!texts.isFood) {
            return null;
        }
        return new Hit(Match.RELATED, 8, texts.category.isEmpty() ? texts.own.get(texts.own.size() - 1) : texts.category.get(0));
    }

    /** If every word is one of the texts or of the names around, and one of the texts: "room 102 L1". */
    private Hit surrounded(SearchTexts texts, Supplier<List<Term>> around) {
        List<Term> own = texts.all();
        List<Term> all = new ArrayList<>(own);
        all.addAll(around.get());
        for (Variant variant : variants) {
            if (variant.words.stream().allMatch(word -> first(all, term -> variant.hasWholeNumber(word, term)) != null)) {
                Term term = first(own, each -> variant.words.stream().anyMatch(word -> variant.hasWholeNumber(word, each)));
                if (term != null) {
                    return new Hit(Match.RELATED, 10 + variant.penalty, term);
                }
            }
        }
        return null;
    }

    /** If every word begins a word of the texts with at most one mistake. The first letter may be the one. */
    private Hit misspelled(SearchTexts texts, Supplier<List<Term>> around) {
        List<Term> all = texts.all();
        Term found = null;
        for (String word : variants.get(0).words) {
            Term near = first(all, term -> Stream.concat(Arrays.stream(term.folded().split(" ")), Stream.of(term.joined()))
                .anyMatch(other -> Spelling.isNear(word, other)));
            if (near == null) {
                return null;
            }
            found = found == null ? near : found;
        }
        return new Hit(Match.MISSPELLED, 0, found);
    }

    private static Term first(List<Term> terms, Predicate<Term> condition) {
        for (Term term : terms) {
            if (condition.test(term)) {
                return term;
            }
        }
        return null;
    }
}
