package io.venuesync.client;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A strict parser for untrusted JSON (RFC 8259) with bounds on nesting and numbers. */
final class Json {
    /** Invalid or truncated JSON. */
    static final class FormatException extends Exception {
        private static final long serialVersionUID = 1L;

        FormatException(String message, int index) {
            super(message + " at byte " + index);
        }
    }

    private static final int MAX_DEPTH = 256;

    private final byte[] text;
    private int index;

    private Json(byte[] text) {
        this.text = text;
    }

    /** Objects become maps, arrays lists, integers that fit a {@code Long}, other numbers a {@code Double}. */
    static Object parse(byte[] text) throws FormatException {
        Json json = new Json(text);
        Object value = json.value(0);
        json.end();
        return value;
    }

    /** Returns two top-level string members of an object without parsing the rest; of duplicate members the last one counts. */
    static String[] strings(byte[] text, String first, String second) throws FormatException {
        Json json = new Json(text);
        String[] found = new String[2];
        json.space();
        json.expect('{');
        json.space();
        if (!json.take('}')) {
            do {
                json.space();
                int start = json.index;
                json.skipString();
                int member = json.isText(start, first) ? 0 : json.isText(start, second) ? 1 : -1;
                json.space();
                json.expect(':');
                json.space();
                if (member >= 0) {
                    found[member] = json.peek() == '"' ? json.string() : null;
                    if (found[member] != null) {
                        json.space();
                        continue;
                    }
                }
                json.skip(1);
                json.space();
            } while (json.take(','));
            json.expect('}');
        }
        json.end();
        return found;
    }

    private boolean isText(int quote, String text) {
        if (index - quote != text.length() + 2) {
            return false;
        }
        for (int at = 0; at < text.length(); at++) {
            if (this.text[quote + 1 + at] != text.charAt(at)) {
                return false;
            }
        }
        return true;
    }

    private Object value(int depth) throws FormatException {
        space();
        switch (peek()) {
            case '{':
                return object(depth);
            case '[':
                return array(depth);
            case '"':
                return string();
            case 't':
                word("true");
                return Boolean.TRUE;
            case 'f':
                word("false");
                return Boolean.FALSE;
            case 'n':
                word("null");
                return null;
            default:
                return number();
        }
    }

    private Map<String, Object> object(int depth) throws FormatException {
        enter(depth);
        Map<String, Object> members = new LinkedHashMap<>();
        expect('{');
        space();
        if (take('}')) {
            return members;
        }
        do {
            space();
            String name = string();
            space();
            expect(':');
            members.put(name, value(depth + 1));
            space();
        } while (take(','));
        expect('}');
        return members;
    }

    private List<Object> array(int depth) throws FormatException {
        enter(depth);
        List<Object> elements = new ArrayList<>();
        expect('[');
        space();
        if (take(']')) {
            return elements;
        }
        do {
            elements.add(value(depth + 1));
            space();
        } while (take(','));
        expect(']');
        return elements;
    }

    /** Skips a value. */
    private void skip(int depth) throws FormatException {
        space();
        int opening = peek();
        if (opening == '"') {
            skipString();
        } else if (opening == '{' || opening == '[') {
            enter(depth);
            int closing = opening == '{' ? '}' : ']';
            index++;
            space();
            if (take(closing)) {
                return;
            }
            do {
                if (opening == '{') {
                    space();
                    skipString();
                    space();
                    expect(':');
                }
                skip(depth + 1);
                space();
            } while (take(','));
            expect(closing);
        } else if (opening == 't') {
            word("true");
        } else if (opening == 'f') {
            word("false");
        } else if (opening == 'n') {
            word("null");
        } else {
            skipNumber();
        }
    }

    private void enter(int depth) throws FormatException {
        if (depth >= MAX_DEPTH) {
            throw new FormatException("nested too deeply", index);
        }
    }

    private String string() throws FormatException {
        int start = index + 1;
        boolean hasEscapes = skipString();
        String raw = new String(text, start, index - 1 - start, StandardCharsets.UTF_8);
        return hasEscapes ? unescape(raw) : raw;
    }

    /** Skips a string; returns true if it has escapes. */
    private boolean skipString() throws FormatException {
        expect('"');
        boolean hasEscapes = false;
        while (true) {
            int character = peek();
            if (character < 0x20 && character >= 0 || index >= text.length) {
                throw new FormatException("an unterminated string", index);
            }
            index++;
            if (character == '"') {
                return hasEscapes;
            }
            if (character == '\\') {
                hasEscapes = true;
                int kind = peek();
                index++;
                if (kind == 'u') {
                    for (int digit = 0; digit < 4; digit++, index++) {
                        if (Character.digit(peek(), 16) < 0) {
                            throw new FormatException("an invalid escape", index);
                        }
                    }
                } else if (kind < 0 || "\"\\/bfnrt".indexOf(kind) < 0) {
                    throw new FormatException("an invalid escape", index);
                }
            }
        }
    }

    private static String unescape(String raw) {
        StringBuilder result = new StringBuilder(raw.length());
        for (int at = 0; at < raw.length(); at++) {
            char character = raw.charAt(at);
            if (character != '\\') {
                result.append(character);
                continue;
            }
            char kind = raw.charAt(++at);
            if (kind == 'u') {
                result.append((char) Integer.parseInt(raw.substring(at + 1, at + 5), 16));
                at += 4;
            } else {
                int escape = "bfnrt".indexOf(kind);
                result.append(escape < 0 ? kind : "\b\f\n\r\t".charAt(escape));
            }
        }
        return result.toString();
    }

    private Number number() throws FormatException {
        int start = index;
        boolean isInteger = skipNumber();
        String token = new String(text, start, index - start, StandardCharsets.US_ASCII);
        // Eighteen digits and a sign fit a Long.
        if (isInteger && token.length() <= 18) {
            return Long.valueOf(token);
        }
        if (token.length() > 1000) {
            throw new FormatException("a number with too many digits", start);
        }
        return Double.valueOf(token);
    }

    /** Skips a number; returns true if it has neither fraction nor exponent. */
    private boolean skipNumber() throws FormatException {
        take('-');
        if (!take('0')) {
            digits();
        }
        boolean isInteger = true;
        if (take('.')) {
            digits();
            isInteger = false;
        }
        if (take('e') || take('E')) {
            if (!take('+')) {
                take('-');
            }
            digits();
            isInteger = false;
        }
        return isInteger;
    }

    private void digits() throws FormatException {
        int start = index;
        while (peek() >= '0' && peek() <= '9') {
            index++;
        }
        if (index == start) {
            throw new FormatException("a value expected", index);
        }
    }

    private void word(String word) throws FormatException {
        for (int at = 0; at < word.length(); at++) {
            expect(word.charAt(at));
        }
    }

    private void space() {
        while (index < text.length && (text[index] == ' ' || text[index] == '\n' || text[index] == '\r' || text[index] == '\t')) {
            index++;
        }
    }

    /** The next byte; negative if it is not ASCII, and at the end. */
    private int peek() {
        return index < text.length ? text[index] : -1;
    }

    private boolean take(int character) {
        if (peek() != character) {
            return false;
        }
        index++;
        return true;
    }

    private void expect(int character) throws FormatException {
        if (!take(character)) {
            throw new FormatException("“" + (char) character + "” expected", index);
        }
    }

    private void end() throws FormatException {
        space();
        if (index < text.length) {
            throw new FormatException("data after the end", index);
        }
    }

    /** Encodes a string as JSON. */
    static String quote(String text) {
        StringBuilder result = new StringBuilder("\"");
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character == '"' || character == '\\') {
                result.append('\\').append(character);
            } else if (character < 0x20 || Character.isSurrogate(character)) {
                result.append(String.format("\\u%04x", (int) character));
            } else {
                result.append(character);
            }
        }
        return result.append('"').toString();
    }
}
