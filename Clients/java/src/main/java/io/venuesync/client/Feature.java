package io.venuesync.client;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** A stored feature: its bytes, which are parsed on demand. */
public final class Feature {
    /** Invisible besides white space, control and format characters, first and last: what Unicode ignores by default, and blank braille. */
    private static final int[] INVISIBLE = {
        0x034F, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180F, 0x2065, 0x2065, 0x2800, 0x2800, 0x3164, 0x3164, 0xFE00, 0xFE0F,
        0xFFA0, 0xFFA0, 0xFFF0, 0xFFF8, 0xE0000, 0xE0FFF};

    private final String id;
    private final String type;
    private final String level;
    private final byte[] body;

    Feature(String id, String type, String level, byte[] body) {
        this.id = id;
        this.type = type;
        this.level = level;
        this.body = body;
    }

    public String id() {
        return id;
    }

    /** {@code unit}, {@code occupant}, {@code level} and so on, as in the archive. */
    public String type() {
        return type;
    }

    /** The level under which it is held; null is the venue-wide part. */
    public String level() {
        return level;
    }

    /** A GeoJSON Feature: a line of canonical JSON (RFC 8785), byte for byte as on the server. */
    public String json() {
        return new String(body, StandardCharsets.UTF_8);
    }

    byte[] body() {
        return body;
    }

    /** The GeoJSON Feature as maps, lists, strings, numbers ({@code Long} or {@code Double}), booleans and nulls. */
    public Map<String, Object> geojson() {
        try {
            return members(Json.parse(body));
        } catch (Json.FormatException error) {
            return Collections.emptyMap();
        }
    }

    public Map<String, Object> properties() {
        return members(geojson().get("properties"));
    }

    /** The category; null if there is none. */
    public String category() {
        return properties().get("category") instanceof String category ? category : null;
    }

    /** The ordinal of a level feature; null if there is none. */
    public Integer ordinal() {
        Object value = properties().get("ordinal");
        return value instanceof Long number && number.intValue() == number ? Integer.valueOf(number.intValue()) : null;
    }

    /**
     * By language, the labels of {@code name}, {@code alt_name} or {@code short_name} of which something is visible; a plain string
     * has the language "".
     */
    public Map<String, String> labels(String member) {
        return labels(properties(), member);
    }

    /**
     * The name in the first available of these languages, otherwise in English, otherwise in any; null if there is none. A language is
     * found by its full tag, by shorter and shorter tags ({@code zh-Hant-TW}, {@code zh-Hant}), in the same script ({@code zh-HK} for
     * {@code zh-TW}), and with any script and region ({@code zh-Hans}), whatever its case.
     */
    public String name(String... languages) {
        return preferred(labels("name"), languages);
    }

    static Map<String, String> labels(Map<String, Object> properties, String member) {
        Object value = properties.get(member);
        Map<String, String> labels = new LinkedHashMap<>();
        (value instanceof String string ? Map.<String, Object>of("", string) : members(value)).forEach((language, text) -> {
            if (text instanceof String string && string.codePoints().anyMatch(Feature::isVisible)) {
                labels.put(language, string);
            }
        });
        return labels;
    }

    private static boolean isVisible(int character) {
        for (int index = 0; index < INVISIBLE.length; index += 2) {
            if (character >= INVISIBLE[index] && character <= INVISIBLE[index + 1]) {
                return false;
            }
        }
        int type = Character.getType(character);
        return type != Character.CONTROL && type != Character.FORMAT && !Character.isSpaceChar(character);
    }

    static String preferred(Map<String, String> labels, String... languages) {
        Map<String, String> texts = new LinkedHashMap<>();
        labels.forEach((tag, text) -> texts.putIfAbsent(tag.toLowerCase(Locale.ROOT), text));
        return Stream.concat(Arrays.stream(languages), Stream.of("en")).map(language -> text(texts, language.toLowerCase(Locale.ROOT)))
            .filter(Objects::nonNull).findFirst().orElse(texts.values().stream().findFirst().orElse(null));
    }

    private static String text(Map<String, String> texts, String language) {
        String exact = language.isEmpty() ? null : texts.get(language);
        if (exact != null) {
            return exact;
        }
        int index = LabelLanguage.of(language).nearest(texts.keySet().stream().map(LabelLanguage::of).toList());
        return index < 0 ? null : List.copyOf(texts.values()).get(index);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> members(Object value) {
        // Json returns all objects as maps with string keys.
        return value instanceof Map<?, ?> ? (Map<String, Object>) value : Collections.emptyMap();
    }
}
