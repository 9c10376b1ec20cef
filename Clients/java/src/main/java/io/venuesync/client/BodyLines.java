package io.venuesync.client;

import java.io.ByteArrayOutputStream;

/**
 * Separates the bodies of a response from the rest of the document while it is read.
 *
 * <p>Bodies follow a line that ends in {@code "features":[}. Each except the last ends with a comma. The first line that does not begin
 * with <code>{</code> ends the list.
 */
final class BodyLines {
    interface Consumer {
        /** @param list the index of the list of bodies */
        void body(int list, byte[] body) throws SyncException;
    }

    private static final byte[] OPENING = "\"features\":[".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    /** A feature has at most 32 MiB. */
    private static final int MAX_LINE_BYTES = 48 << 20;
    /** The document without bodies, mostly removals. */
    private static final int MAX_SKELETON_BYTES = 16 << 20;

    private final Consumer consumer;
    private final ByteArrayOutputStream skeleton = new ByteArrayOutputStream();
    private final ByteArrayOutputStream rest = new ByteArrayOutputStream();
    private int lists;
    private boolean isInside;

    BodyLines(Consumer consumer) {
        this.consumer = consumer;
    }

    /** How many lists of bodies have begun. */
    int lists() {
        return lists;
    }

    void feed(byte[] bytes, int length) throws SyncException {
        int start = 0;
        for (int at = 0; at < length; at++) {
            if (bytes[at] == '\n') {
                if (rest.size() > 0) {
                    rest.write(bytes, start, at - start);
                    byte[] line = rest.toByteArray();
                    rest.reset();
                    line(line, 0, line.length);
                } else {
                    line(bytes, start, at);
                }
                start = at + 1;
            }
        }
        rest.write(bytes, start, length - start);
        if (rest.size() > MAX_LINE_BYTES) {
            throw SyncException.invalidResponse("a line that is too long");
        }
    }

    /** Returns the document, in which all lists of bodies are empty. */
    Object finish() throws SyncException {
        byte[] line = rest.toByteArray();
        rest.reset();
        other(line, 0, line.length);
        try {
            return Json.parse(skeleton.toByteArray());
        } catch (Json.FormatException error) {
            throw SyncException.invalidResponse("invalid or truncated JSON: " + error.getMessage());
        }
    }

    private void line(byte[] bytes, int start, int end) throws SyncException {
        if (isInside && end > start && bytes[start] == '{') {
            int length = end - start - (bytes[end - 1] == ',' ? 1 : 0);
            byte[] body = new byte[length];
            System.arraycopy(bytes, start, body, 0, length);
            consumer.body(lists - 1, body);
        } else {
            other(bytes, start, end);
        }
    }

    private void other(byte[] bytes, int start, int end) throws SyncException {
        if (skeleton.size() + end - start > MAX_SKELETON_BYTES) {
            throw SyncException.invalidResponse("too much data besides features");
        }
        skeleton.write(bytes, start, end - start);
        isInside = endsInOpening(bytes, start, end);
        if (isInside) {
            lists++;
        }
    }

    private static boolean endsInOpening(byte[] bytes, int start, int end) {
        if (end - start < OPENING.length) {
            return false;
        }
        for (int at = 0; at < OPENING.length; at++) {
            if (bytes[end - OPENING.length + at] != OPENING[at]) {
                return false;
            }
        }
        return true;
    }
}
