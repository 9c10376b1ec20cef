package io.venuesync.client;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

final class JsonTests {
    private static Object parse(String text) throws Json.FormatException {
        return Json.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test("Parsing returns maps, lists, strings, numbers, booleans and nulls")
    void values() throws Exception {
        Object found = parse(" {\"a\": [1, -2.5e3, true, false, null, \"\\u00e9\\n\\\"é\\ud83d\\ude00\"], \"b\": {}, \"a\\u0062\": []} ");
        Check.same(
            found, Map.of("a", Arrays.asList(1L, -2500.0, true, false, null, "é\n\"é😀"), "b", Map.of(), "ab", List.of()), "the value");
        Check.same(parse("123456789012345678"), 123456789012345678L, "an integer");
        Check.same(parse("12345678901234567890"), 1.2345678901234567e19, "a large integer");
    }

    @Test("Parsing refuses invalid JSON")
    void broken() {
        for (String text : List.of(
                "", "{", "[1,]", "{\"a\"}", "{\"a\":1,}", "01", "1.", ".5", "+1", "1e", "tru", "nul", "NaN", "\"", "\"\\x\"", "\"\\u12g4\"", "\"\n\"",
                "[1] 2", "{a:1}", "'a'", "[", "]", "-", "{\"a\":1 \"b\":2}", "[".repeat(100_000), "{\"a\":".repeat(100_000), "1".repeat(5000))) {
            Check.raises(Json.FormatException.class, () -> parse(text));
        }
    }

    @Test("Two members of a feature are read without parsing the rest")
    void strings() throws Exception {
        byte[] text = "{\"x\":{\"id\":\"no\"},\"id\":\"a\\u0062\",\"y\":[1,{\"z\":[]}],\"type\":\"t\",\"id\":\"last\"}".getBytes(StandardCharsets.UTF_8);
        Check.same(List.of(Json.strings(text, "id", "type")), List.of("last", "t"), "the members");
        Check.same(Json.strings("{\"id\":[1]}".getBytes(StandardCharsets.UTF_8), "id", "type")[0], null, "a member that is no string");
        for (String broken : List.of("", "[]", "{\"id\":\"a\"", "{\"id\":\"a\"}}", "{\"x\":[}}", "{\"id\":\"a\",}", "{\"x\":" + "[".repeat(100_000))) {
            Check.raises(Json.FormatException.class, () -> Json.strings(broken.getBytes(StandardCharsets.UTF_8), "id", "type"));
        }
    }

    @Test("Quoting a string and parsing it returns the string")
    void quoted() throws Exception {
        String text = "a\"\\\n\u0001é😀\ud800";
        Check.same(parse(Json.quote(text)), text, "the string");
    }
}
