package io.venuesync.client;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** The levels that venue-wide features touch: those of all clients, and work that does not grow with what is shared. */
final class TouchedLevelTests {
    private record Entry(long number, String type, Long level, Map<String, Object> properties) {}

    @Test("Venue-wide features touch the levels of all clients")
    void levels() throws Exception {
        List<Entry> entries = new ArrayList<>();
        for (Object each : (List<?>) shared().get("features")) {
            Map<?, ?> feature = (Map<?, ?>) each;
            @SuppressWarnings("unchecked")
            Map<String, Object> properties = (Map<String, Object>) feature.get("properties");
            entries.add(new Entry(
                (Long) feature.get("number"), (String) feature.get("feature_type"), (Long) feature.get("level"), properties));
        }
        List<?> expected = (List<?>) shared().get("touched");
        Check.that(expected.size() > 15, "there are entries");
        for (int round = 0; round < 2; round++) {
            TouchedLevels touched = touched(entries);
            for (Object each : expected) {
                Object number = ((List<?>) each).get(0);
                List<String> ids = ((List<?>) ((List<?>) each).get(1)).stream().map(level -> id((Long) level)).toList();
                Check.same(touched.levels(id((Long) number)), ids, "the levels of " + number);
            }
            Collections.reverse(entries);
        }
    }

    @Test("The references of a feature are not followed anew for each feature that refers to it")
    void sharedReferences() throws Exception {
        Map<?, ?> counts = (Map<?, ?>) shared().get("shared");
        long sources = (Long) counts.get("sources");
        long targets = (Long) counts.get("targets");
        List<Entry> entries = new ArrayList<>(List.of(level(1), hub(9, numbers(10_000, targets))));
        numbers(10_000, targets).forEach(number -> entries.add(new Entry(number, "unit", 1L, Map.of())));
        numbers(20_000, sources).forEach(number -> entries.add(hub(number, List.of(9L))));
        TouchedLevels touched = touched(entries);
        numbers(20_000, sources).forEach(number -> Check.same(touched.levels(id(number)), List.of(id(1)), "the levels"));
        Check.that(touched.followed <= 3 * (sources + targets), touched.followed + " references");
    }

    @Test("The memory for sparse references does not grow with the number of levels")
    void sparseReferences() {
        List<Long> numbers = numbers(10_000, 10_000);
        List<Entry> entries = new ArrayList<>();
        numbers(10_000, 10_001).forEach(number -> entries.add(level(number)));
        numbers.forEach(number -> entries.add(hub(number + 100_000, List.of(number, number + 1))));
        TouchedLevels touched = touched(entries);
        numbers.forEach(number -> Check.same(touched.levels(id(number + 100_000)), List.of(id(number), id(number + 1)), "the levels"));
        Check.same(touched.kept, 2L * numbers.size(), "the length of all lists");
    }

    @Test("A feature that leads to very many levels belongs to the whole venue")
    void manyLevels() throws Exception {
        List<Long> levels = numbers(10_000, (Long) shared().get("maximum") + 1);
        List<Long> most = levels.subList(1, levels.size());
        List<Entry> entries = new ArrayList<>(List.of(hub(1, most), hub(2, levels), hub(3, List.of(1L)), hub(4, List.of(1L, levels.get(0)))));
        levels.forEach(number -> entries.add(level(number)));
        TouchedLevels touched = touched(entries);
        List<String> ids = most.stream().map(TouchedLevelTests::id).toList();
        Check.same(touched.levels(id(1)), ids, "of the maximum");
        Check.same(touched.levels(id(2)), List.of(), "of more");
        Check.same(touched.levels(id(3)), ids, "by way of the maximum");
        Check.same(touched.levels(id(4)), List.of(), "by way of the maximum, and another one");
        Check.same(touched.kept, (Long) shared().get("maximum"), "the length of all lists");
    }

    private static TouchedLevels touched(List<Entry> entries) {
        TouchedLevels touched = new TouchedLevels();
        for (Entry entry : entries) {
            String level = entry.level == null ? null : id(entry.level);
            touched.add(new Feature(id(entry.number), entry.type, level, new byte[0]), entry.properties);
        }
        return touched;
    }

    private static Entry level(long number) {
        return new Entry(number, "level", null, Map.of());
    }

    private static Entry hub(long number, List<Long> targets) {
        return new Entry(number, "hub", null, Map.of("all", targets.stream().map(TouchedLevelTests::id).toList()));
    }

    private static List<Long> numbers(long start, long count) {
        return LongStream.range(start, start + count).boxed().toList();
    }

    private static String id(long number) {
        return Pages.id(String.valueOf(number));
    }

    private static Map<?, ?> shared() throws Exception {
        return (Map<?, ?>) Json.parse(Files.readAllBytes(Path.of(System.getProperty("venue.conformance"), "touched-levels.json")));
    }
}
