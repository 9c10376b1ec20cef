package io.venuesync.client;

import io.venuesync.client.SearchMatcher.Hit;
import io.venuesync.client.SearchTexts.Term;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** An index of the names of all features, built on the first search after a commit. */
final class SearchIndex {
    /** The order of types in a venue; others come last. */
    private static final List<String> TYPES = List.of(
        "venue", "address", "building", "footprint", "level", "section", "geofence", "unit", "fixture", "kiosk", "opening", "detail",
        "anchor", "occupant", "amenity", "relationship");
    /** A level has few buildings, so that more are not searched. */
    private static final int MAXIMUM_BUILDINGS = 16;
    /** White space by Unicode; a text of it is empty. */
    private static final Pattern WHITE_SPACE =
        Pattern.compile("[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]*");

    /** A feature with a name or a category. @param levels its level, or those that it touches; for a level itself */
    private record Place(String id, String type, List<String> levels, SearchTexts texts) {
        int rank() {
            int rank = TYPES.indexOf(type);
            return rank < 0 ? TYPES.size() : rank;
        }
    }

    /** What texts match depends on nothing else. */
    private record HitKey(SearchTexts texts, List<String> levels) {}

    private record Candidate(Place place, Hit hit) {}

    private static final Comparator<Candidate> BEST_FIRST = Comparator.comparing((Candidate found) -> found.hit.match())
        .thenComparing(found -> found.hit.rank()).thenComparing(found -> found.hit.term().member())
        .thenComparing(found -> found.place.rank()).thenComparing(found -> found.place.type)
        .thenComparing(found -> found.hit.term().text()).thenComparing(found -> found.place.id);

    private long commits = -1;
    private List<Place> places = List.of();
    /** The texts of levels and of buildings, and the buildings of levels. */
    private Map<String, SearchTexts> levels = Map.of();
    private Map<String, SearchTexts> buildings = Map.of();
    private Map<String, List<String>> buildingsByLevel = Map.of();

    synchronized List<SearchResult> search(ReplicaStore store, String text, int limit, Collection<String> types, boolean isRelated)
        throws SyncException {
        refresh(store);
        String query = FoldedText.of(text);
        if (query.isEmpty() && !WHITE_SPACE.matcher(text).matches()) {
            return List.of();
        }
        List<Candidate> found = new ArrayList<>();
        for (SearchMatcher matcher : isRelated && !query.isEmpty() ? RelatedMatchers.of(query) : List.of(SearchMatcher.written(query))) {
            if (found.isEmpty()) {
                found = candidates(matcher, types);
            }
        }
        found.sort(BEST_FIRST);
        List<SearchResult> results = new ArrayList<>();
        for (Candidate candidate : found.subList(0, Math.min(Math.max(limit, 0), found.size()))) {
            Feature feature = store.feature(candidate.place.id);
            if (feature != null) {
                results.add(new SearchResult(feature, candidate.hit.term().text(), candidate.hit.match()));
            }
        }
        return results;
    }

    private List<Candidate> candidates(SearchMatcher matcher, Collection<String> types) {
        Map<HitKey, Hit> hits = new HashMap<>();
        List<Candidate> found = new ArrayList<>();
        for (Place place : places) {
            if (types.isEmpty() || types.contains(place.type)) {
                HitKey key = new HitKey(place.texts, place.levels);
                if (!hits.containsKey(key)) {
                    hits.put(key, matcher.match(place.texts, () -> around(place.levels)));
                }
                Hit hit = hits.get(key);
                if (hit != null) {
                    found.add(new Candidate(place, hit));
                }
            }
        }
        return found;
    }

    /** The names of levels and their buildings. */
    private List<Term> around(List<String> ids) {
        List<Term> around = new ArrayList<>();
        for (String id : ids) {
            if (levels.containsKey(id)) {
                around.addAll(levels.get(id).names);
            }
            for (String building : buildingsByLevel.getOrDefault(id, List.of())) {
                if (buildings.containsKey(building)) {
                    around.addAll(buildings.get(building).names);
                }
            }
        }
        return around;
    }

    private void refresh(ReplicaStore store) throws SyncException {
        long now = store.state().commits();
        if (now == commits) {
            return;
        }
        SearchTexts.Reader reader = new SearchTexts.Reader();
        TouchedLevels touched = new TouchedLevels();
        List<Place> read = new ArrayList<>();
        levels = new HashMap<>();
        buildings = new HashMap<>();
        buildingsByLevel = new HashMap<>();
        store.forEach(null, feature -> {
            Map<String, Object> properties = feature.properties();
            SearchTexts texts = reader.read(properties);
            touched.add(feature, properties);
            read.add(new Place(feature.id(), feature.type(), List.of(), texts));
            if (feature.type().equals("building")) {
                buildings.put(feature.id(), texts);
            }
            if (feature.type().equals("level")) {
                levels.put(feature.id(), texts);
                buildingsByLevel.put(feature.id(), buildings(properties));
            }
        });
        places = read.stream().filter(place -> !place.texts.own.isEmpty())
            .map(place -> new Place(place.id, place.type, touched.levels(place.id), place.texts)).toList();
        commits = now;
    }

    private static List<String> buildings(Map<String, Object> properties) {
        List<String> buildings = new ArrayList<>();
        if (properties.get("building_ids") instanceof List<?> ids) {
            for (Object id : ids.subList(0, Math.min(MAXIMUM_BUILDINGS, ids.size()))) {
                if (id instanceof String text) {
                    buildings.add(text.toLowerCase(Locale.ROOT));
                }
            }
        }
        return buildings;
    }
}
