package io.venuesync.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An index of the names of all features, built on the first search after a commit. */
final class SearchIndex {
    private static final String[] MEMBERS = {"name", "alt_name", "short_name"};
    /** The order of types in a venue; others come last. */
    private static final List<String> TYPES = List.of(
        "venue", "address", "building", "footprint", "level", "section", "geofence", "unit", "fixture", "kiosk", "opening", "detail",
        "anchor", "occupant", "amenity", "relationship");

    /** @param member the rank of the member that has the text */
    private record Term(String id, String type, int member, String text, String folded) {
        SearchResult.Match match(String query) {
            if (query.isEmpty()) {
                return SearchResult.Match.PREFIX;
            }
            if (folded.startsWith(query)) {
                return folded.length() == query.length() ? SearchResult.Match.EXACT : SearchResult.Match.PREFIX;
            }
            if (!folded.contains(query) && query.indexOf(' ') < 0) {
                return null;
            }
            for (String part : query.split(" ")) {
                if (!folded.startsWith(part) && !folded.contains(" " + part)) {
                    return folded.contains(query) ? SearchResult.Match.SUBSTRING : null;
                }
            }
            return SearchResult.Match.WORD_PREFIX;
        }

        int rank() {
            int rank = TYPES.indexOf(type);
            return rank < 0 ? TYPES.size() : rank;
        }
    }

    private record Candidate(Term term, SearchResult.Match match) {}

    private static final Comparator<Candidate> BEST_FIRST = Comparator.comparing(Candidate::match)
        .thenComparing((Candidate found) -> found.term.member).thenComparing(found -> found.term.rank())
        .thenComparing(found -> found.term.type).thenComparing(found -> found.term.text).thenComparing(found -> found.term.id);

    private long commits = -1;
    private List<Term> terms = List.of();

    synchronized List<SearchResult> search(ReplicaStore store, String text, int limit, Collection<String> types)
        throws SyncException {
        refresh(store);
        String query = FoldedText.of(text);
        if (query.isEmpty() && !text.isBlank()) {
            return List.of();
        }
        Map<String, Candidate> best = new HashMap<>();
        for (Term term : terms) {
            SearchResult.Match match = types.isEmpty() || types.contains(term.type) ? term.match(query) : null;
            if (match != null) {
                best.merge(term.id, new Candidate(term, match), (a, b) -> BEST_FIRST.compare(a, b) <= 0 ? a : b);
            }
        }
        List<Candidate> found = new ArrayList<>(best.values());
        found.sort(BEST_FIRST);
        List<SearchResult> results = new ArrayList<>();
        for (Candidate candidate : found.subList(0, Math.min(Math.max(limit, 0), found.size()))) {
            Feature feature = store.feature(candidate.term.id);
            if (feature != null) {
                results.add(new SearchResult(feature, candidate.term.text, candidate.match));
            }
        }
        return results;
    }

    private void refresh(ReplicaStore store) throws SyncException {
        long now = store.state().commits();
        if (now == commits) {
            return;
        }
        List<Term> read = new ArrayList<>();
        store.forEach(null, feature -> add(feature, read));
        terms = read;
        commits = now;
    }

    private static void add(Feature feature, List<Term> terms) {
        Map<String, Object> properties = feature.properties();
        for (int member = 0; member < MEMBERS.length; member++) {
            for (String text : Feature.labels(properties, MEMBERS[member]).values()) {
                terms.add(new Term(feature.id(), feature.type(), member, text, FoldedText.of(text)));
            }
        }
        if (properties.get("category") instanceof String category) {
            terms.add(new Term(feature.id(), feature.type(), MEMBERS.length, category, FoldedText.of(category)));
        }
    }
}
