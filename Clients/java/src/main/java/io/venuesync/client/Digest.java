package io.venuesync.client;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 over bodies in the order of their ids, each followed by a line feed. */
final class Digest {
    private final MessageDigest sha256;

    Digest() {
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException error) {
            throw new IllegalStateException("SHA-256 is not available", error);
        }
    }

    void add(byte[] body) {
        sha256.update(body);
        sha256.update((byte) '\n');
    }

    /** The form on the wire. */
    String text() {
        StringBuilder text = new StringBuilder("sha-256:");
        for (byte value : sha256.digest()) {
            text.append(Character.forDigit(value >> 4 & 15, 16)).append(Character.forDigit(value & 15, 16));
        }
        return text.toString();
    }
}
