package io.venuesync.client;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The public keys of the operator, of which one has to have signed every revision. The signatures are verified by the platform,
 * the JDK since version 15; on Android by a provider that has Ed25519.
 */
public final class TrustedKeys {
    private static final String PREFIX = "ed25519:";
    /** The algorithm and the length before the 32 bytes of a key (RFC 8410). */
    private static final byte[] SUBJECT_PUBLIC_KEY_INFO = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00};

    private final Map<String, PublicKey> keys = new LinkedHashMap<>();

    /**
     * @param keys such as {@code ed25519:PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw}; while keys are changed, the old and the new one
     * @throws IllegalArgumentException for anything else
     * @throws IllegalStateException if the platform has no Ed25519
     */
    public TrustedKeys(String... keys) {
        for (String text : keys) {
            byte[] bytes = text.startsWith(PREFIX) ? base64url(text.substring(PREFIX.length())) : null;
            if (bytes == null || bytes.length != 32) {
                throw new IllegalArgumentException("“" + text + "” is not a public key");
            }
            byte[] encoded = Arrays.copyOf(SUBJECT_PUBLIC_KEY_INFO, SUBJECT_PUBLIC_KEY_INFO.length + bytes.length);
            System.arraycopy(bytes, 0, encoded, SUBJECT_PUBLIC_KEY_INFO.length, bytes.length);
            try {
                this.keys.put(id(bytes), KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded)));
            } catch (InvalidKeySpecException error) {
                throw new IllegalArgumentException("“" + text + "” is not a public key", error);
            } catch (NoSuchAlgorithmException error) {
                throw new IllegalStateException("Ed25519 is not available", error);
            }
        }
    }

    private static String id(byte[] key) throws NoSuchAlgorithmException {
        StringBuilder id = new StringBuilder();
        for (byte value : Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(key), 8)) {
            id.append(Character.forDigit(value >> 4 & 15, 16)).append(Character.forDigit(value & 15, 16));
        }
        return id.toString();
    }

    /** Null unless this is the only spelling of the bytes. */
    private static byte[] base64url(String text) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(text) ? bytes : null;
        } catch (IllegalArgumentException error) {
            return null;
        }
    }

    /** Reads a signed head and verifies its signature. */
    SignedHead head(byte[] document, String venue) throws SyncException {
        Map<String, Object> members = SignedHead.members(document);
        String keyId = (String) members.get("key_id");
        PublicKey key = keys.get(keyId);
        if (key == null) {
            throw SyncException.untrusted("the statement is signed with the key " + keyId + ", which is not trusted");
        }
        Map<String, Object> signed = new LinkedHashMap<>(members);
        byte[] signature = base64url((String) signed.remove("signature"));
        if (signature == null || !isSignature(signature, CanonicalJson.bytes(signed), key)) {
            throw SyncException.untrusted("the signature of the statement is wrong");
        }
        SignedHead head = SignedHead.of(new String(document, StandardCharsets.UTF_8), members);
        if (!head.venue().equals(venue)) {
            throw SyncException.untrusted("the statement is about another venue");
        }
        return head;
    }

    private static boolean isSignature(byte[] signature, byte[] message, PublicKey key) {
        try {
            Signature verifier = Signature.getInstance("Ed25519");
            verifier.initVerify(key);
            verifier.update(message);
            return verifier.verify(signature);
        } catch (SignatureException | InvalidKeyException error) {
            return false;
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException("Ed25519 is not available", error);
        }
    }
}
