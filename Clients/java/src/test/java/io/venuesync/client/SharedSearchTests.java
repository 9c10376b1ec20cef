package io.venuesync.client;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The search that all clients have in common (Tests/Conformance/search.json). */
final class SharedSearchTests {
    private static final Map<SearchResult.Match, String> KINDS = Map.of(
        SearchResult.Match.EXACT, "exact", SearchResult.Match.PREFIX, "prefix", SearchResult.Match.WORD_PREFIX, "wordPrefix",
        SearchResult.Match.SUBSTRING, "substring", SearchResult.Match.RELATED, "related", SearchResult.Match.MISSPELLED, "misspelled");

    @Test("Search folds texts as all clients do")
    void folding() throws Exception {
        for (Object each : shared("folded")) {
            List<?> texts = (List<?>) each;
            Check.same(FoldedText.of((String) texts.get(0)), texts.get(1), "the folded form of " + texts.get(0));
        }
    }

    @Test("A label has the text of all clients")
    void labels() throws Exception {
        for (Object each : shared("labels")) {
            List<?> label = (List<?>) each;
            String body = Pages.feature("a1", "unit", "\"name\":" + json(label.get(0)));
            Feature feature = Wire.feature(null, body.getBytes(StandardCharsets.UTF_8));
            Check.same(feature.name(((List<?>) label.get(1)).toArray(String[]::new)), label.get(2), "the text of " + label);
        }
    }

    @Test("Search has the results of all clients, followed by related ones if they are wanted")
    void results() throws Exception {
        VenueReplica replica = replica(shared("features"));
        for (Object each : shared("cases")) {
            Map<?, ?> test = (Map<?, ?>) each;
            String text = (String) test.get("text");
            String[] types = test.get("types") instanceof List<?> list ? list.toArray(String[]::new) : new String[0];
            List<Object> results = new ArrayList<>((List<?>) test.get("results"));
            Check.same(found(replica.search(text, 1_000, types)), json(results), "the results of “" + text + "”");
            results.addAll((List<?>) test.get("related"));
            Check.same(found(replica.searchRelated(text, 1_000, types)), json(results), "the related results of “" + text + "”");
        }
    }

    @Test("Search finds rooms and floors by number and name, and never another number")
    void rooms() throws Exception {
        Map<?, ?> rooms = (Map<?, ?>) table().get("rooms");
        VenueReplica replica = replica((List<?>) rooms.get("features"));
        List<?> cases = (List<?>) rooms.get("cases");
        Check.that(cases.size() > 20, "there are cases");
        for (Object each : cases) {
            Map<?, ?> test = (Map<?, ?>) each;
            String text = (String) test.get("text");
            Check.same(found(replica.searchRelated(text, 1_000)), json(test.get("related")), "the results of “" + text + "”");
        }
    }

    private static VenueReplica replica(List<?> features) throws Exception {
        // By level; the venue-wide part comes first.
        Map<String, List<String>> bodies = new TreeMap<>();
        for (Object each : features) {
            Map<?, ?> feature = (Map<?, ?>) each;
            String properties = json(feature.get("properties"));
            if (feature.get("buildings") instanceof List<?> buildings) {
                List<String> ids = buildings.stream().map(number -> Pages.id(String.valueOf(number))).toList();
                properties = "{\"building_ids\":" + json(ids) + (properties.length() > 2 ? "," : "") + properties.substring(1);
            }
            String level = feature.get("level") == null ? "" : Pages.id(String.valueOf(feature.get("level")));
            bodies.computeIfAbsent(level, key -> new ArrayList<>()).add(Pages.feature(
                String.valueOf(feature.get("number")), (String) feature.get("feature_type"),
                properties.substring(1, properties.length() - 1)));
        }
        String[] blocks = bodies.entrySet().stream()
            .map(level -> Pages.snapshot(level.getKey().isEmpty() ? null : level.getKey(), level.getValue().toArray(String[]::new)))
            .toArray(String[]::new);
        VenueReplica replica = new ScriptedTransport(Pages.response(null, 1, "one", blocks)).replica(new MemoryReplicaStore());
        replica.sync();
        return replica;
    }

    private static String found(List<SearchResult> results) {
        return json(results.stream().map(result -> List.of(
            Long.valueOf(result.feature().id().substring(24)), KINDS.get(result.match()), result.text())).toList());
    }

    private static Map<?, ?> table() throws Exception {
        Path file = Path.of(System.getProperty("venue.conformance"), "search.json");
        return (Map<?, ?>) Json.parse(Files.readAllBytes(file));
    }

    private static List<?> shared(String member) throws Exception {
        List<?> entries = (List<?>) table().get(member);
        Check.that(entries.size() > 15, "there are entries");
        return entries;
    }

    private static String json(Object value) {
        if (value instanceof String text) {
            return Json.quote(text);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(SharedSearchTests::json).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream().map(entry -> json(entry.getKey()) + ":" + json(entry.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
        }
        return String.valueOf(value);
    }
}
