package io.venuesync.client;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The search that all clients have in common (Tests/Conformance/search.json). */
final class SharedSearchTests {
    private static final Map<SearchResult.Match, String> KINDS = Map.of(
        SearchResult.Match.EXACT, "exact", SearchResult.Match.PREFIX, "prefix", SearchResult.Match.WORD_PREFIX, "wordPrefix",
        SearchResult.Match.SUBSTRING, "substring");

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

    @Test("Search has the results of all clients")
    void results() throws Exception {
        List<String> bodies = new ArrayList<>();
        for (Object each : shared("features")) {
            Map<?, ?> feature = (Map<?, ?>) each;
            String properties = json(feature.get("properties"));
            bodies.add(Pages.feature(
                String.valueOf(feature.get("number")), (String) feature.get("feature_type"),
                properties.substring(1, properties.length() - 1)));
        }
        ScriptedTransport transport = new ScriptedTransport(
            Pages.response(null, 1, "one", Pages.snapshot(null, bodies.toArray(String[]::new))));
        VenueReplica replica = transport.replica(new MemoryReplicaStore());
        replica.sync();
        for (Object each : shared("cases")) {
            Map<?, ?> test = (Map<?, ?>) each;
            String text = (String) test.get("text");
            String[] types = test.get("types") instanceof List<?> list ? list.toArray(String[]::new) : new String[0];
            List<List<Object>> found = replica.search(text, 1_000, types).stream().map(result -> List.<Object>of(
                Long.valueOf(result.feature().id().substring(24)), KINDS.get(result.match()), result.text())).toList();
            Check.same(json(found), json(test.get("results")), "the results of “" + text + "”");
        }
    }

    private static List<?> shared(String member) throws Exception {
        Path file = Path.of(System.getProperty("venue.conformance"), "search.json");
        List<?> entries = (List<?>) ((Map<?, ?>) Json.parse(Files.readAllBytes(file))).get(member);
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
