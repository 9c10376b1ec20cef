package io.venuesync.client;

import java.io.ByteArrayOutputStream;

/**
 * Tells the bodies of a reply from what stands around them, while the reply is being read.
 *
 * <p>Bodies stand behind a line that ends in {@code "features":[}, each but the last with a comma behind it, up to the first line that
 * does not begin with <code>{</code>.
 */
final class BodyLines {
    interface Consumer {
        /** @param list the number of the list of bodies, from 0 */
        void body(int list, byte[] body) throws SyncException;
    }

    private static final byte[] OPENING = "\"features\":[".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    /** A feature has at most 32 MiB. */
    private static final int LONGEST_LINE = 48 << 20;
    /** What stands around the bodies; removals are the largest part of it. */
    private static final int LARGEST_SKELETON = 16 << 20;

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
        if (rest.size() > LONGEST_LINE) {
            throw SyncException.wrongReply("a line without an end");
        }
    }

    /** The document without its bodies, whose lists are empty in it. */
    Object finish() throws SyncException {
        byte[] line = rest.toByteArray();
        rest.reset();
        other(line, 0, line.length);
        try {
            return Json.parse(skeleton.toByteArray());
        } catch (Json.FormatException error) {
            throw SyncException.wrongReply("no JSON, or not all of it: " + error.getMessage());
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
        if (skeleton.size() + end - start > LARGEST_SKELETON) {
            throw SyncException.wrongReply("too much that is no feature");
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
