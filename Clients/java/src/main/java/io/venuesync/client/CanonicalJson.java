package io.venuesync.client;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** RFC 8785 for what statements consist of: texts, integers, lists, null and objects. */
final class CanonicalJson {
    private CanonicalJson() {}

    static byte[] bytes(Object value) {
        StringBuilder text = new StringBuilder();
        append(value, text);
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void append(Object value, StringBuilder text) {
        if (value instanceof Map<?, ?> members) {
            // By UTF-16 code units, as RFC 8785 sorts and Java compares.
            Map<String, Object> sorted = new TreeMap<>();
            members.forEach((name, member) -> sorted.put((String) name, member));
            String separator = "{";
            for (Map.Entry<String, Object> entry : sorted.entrySet()) {
                text.append(separator);
                append(entry.getKey(), text);
                append(entry.getValue(), text.append(':'));
                separator = ",";
            }
            text.append(sorted.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> elements) {
            text.append('[');
            for (int index = 0; index < elements.size(); index++) {
                append(elements.get(index), index == 0 ? text : text.append(','));
            }
            text.append(']');
        } else if (value instanceof String string) {
            text.append('"').append(string.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
        } else {
            // A document with any other value, or with a control character, differs from this text, and is refused.
            text.append(value);
        }
    }
}
