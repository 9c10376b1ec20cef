package io.venuesync.client;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Builds responses of a server for tests. */
final class Pages {
    static final String GROUND = id("f0");
    static final String FIRST = id("f1");
    private static final String REVISION = "sha-256:" + "0".repeat(64);

    private Pages() {}

    static String id(String end) {
        return "00000000-0000-4000-8000-" + "0".repeat(12 - end.length()) + end;
    }

    static String feature(String end, String type, String properties) {
        return "{\"feature_type\":\"" + type + "\",\"geometry\":null,\"id\":\"" + id(end) + "\",\"properties\":{" + properties
            + "},\"type\":\"Feature\"}";
    }

    static String named(String end, String type, String name) {
        return feature(end, type, "\"name\":{\"en\":\"" + name + "\"}");
    }

    static String digest(String... bodies) {
        Digest digest = new Digest();
        for (String body : bodies) {
            digest.add(body.getBytes(StandardCharsets.UTF_8));
        }
        return digest.text();
    }

    /** @param level null is the venue-wide part; @param digest of the level after the change set; null for a level that is gone */
    static String block(String level, String kind, String digest, List<String> bodies, String... removed) {
        StringBuilder gone = new StringBuilder();
        for (String id : removed) {
            gone.append(gone.length() > 0 ? "," : "");
            gone.append("{\"feature_type\":\"unit\",\"id\":\"").append(id).append("\",\"reason\":\"deleted\"}");
        }
        return "{\"digest\":" + quoted(digest) + ",\"kind\":\"" + kind + "\",\"level_id\":" + quoted(level) + ",\"ordinal\":null,\"features\":[\n"
            + String.join(",\n", bodies) + (bodies.isEmpty() ? "" : "\n") + "],\"removed\":[" + gone + "]}";
    }

    static String snapshot(String level, String... bodies) {
        return block(level, "snapshot", digest(bodies), Arrays.asList(bodies));
    }

    static String page(Integer from, int to, String cursor, String... blocks) {
        return "{\"about\":{\"language\":\"en\"},\"complete\":true,\"cursor\":\"" + cursor + "\",\"digest\":\"" + REVISION + "\",\"from\":" + from
            + ",\"protocol\":1,\"to\":" + to + ",\"venue\":\"mall\",\"levels\":[\n" + String.join(",\n", blocks) + "\n]}\n";
    }

    static ScriptedTransport.PreparedResponse response(Integer from, int to, String cursor, String... blocks) {
        return ScriptedTransport.PreparedResponse.of(page(from, to, cursor, blocks));
    }

    private static String quoted(String text) {
        return text == null ? "null" : "\"" + text + "\"";
    }
}
