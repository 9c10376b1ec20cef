package io.venuesync.client;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** Reads numbers, texts and digests of the delta form one after the other. */
final class DeltaReader {
    private final byte[] bytes;
    private int offset;

    DeltaReader(byte[] bytes) {
        this.bytes = bytes;
    }

    byte[] take(int count) throws SyncException {
        if (count > bytes.length - offset) {
            throw SyncException.invalidResponse("a document that ends early");
        }
        offset += count;
        return Arrays.copyOfRange(bytes, offset - count, offset);
    }

    int next() throws SyncException {
        return take(1)[0] & 0xff;
    }

    /** Seven bits a byte, the lowest first. */
    long number() throws SyncException {
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            int next = next();
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw SyncException.invalidResponse("a number that is too large");
    }

    /** A number of things that are in memory, or a rank. */
    int count() throws SyncException {
        long number = number();
        if (number > Integer.MAX_VALUE) {
            throw SyncException.invalidResponse("a number that is too large");
        }
        return (int) number;
    }

    String text(int length) throws SyncException {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(take(length))).toString();
        } catch (CharacterCodingException error) {
            throw SyncException.invalidResponse("text that is not UTF-8");
        }
    }

    String optionalText() throws SyncException {
        int length = count();
        return length == 0 ? null : text(length - 1);
    }

    String digest() throws SyncException {
        return digest(32);
    }

    /** The beginning of a digest. */
    String digest(int length) throws SyncException {
        return "sha-256:" + HexFormat.of().formatHex(take(length));
    }

    void expectEnd() throws SyncException {
        if (offset != bytes.length) {
            throw SyncException.invalidResponse("bytes after the end");
        }
    }
}
