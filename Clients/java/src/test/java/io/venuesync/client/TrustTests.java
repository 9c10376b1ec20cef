package io.venuesync.client;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Revisions that have to be signed. */
final class TrustTests {
    private static final String NOW = "2026-04-01T09:00:00.000Z";
    private static final String REVISION = "sha-256:" + "0".repeat(64);
    private static final String FLOOR = Pages.feature("f0", "level", "\"ordinal\":0");
    private static final String SHOP = Pages.named("a1", "unit", "Shop");
    private static final String OTHER = Pages.named("a1", "unit", "Other");

    /** Signs statements. */
    private static final class Signer {
        private final KeyPair keys;
        final String key;
        private final String id;

        Signer() throws GeneralSecurityException {
            keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            byte[] encoded = keys.getPublic().getEncoded();
            byte[] raw = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
            key = "ed25519:" + base64url(raw);
            StringBuilder hex = new StringBuilder();
            for (byte value : MessageDigest.getInstance("SHA-256").digest(raw)) {
                hex.append(String.format("%02x", value));
            }
            id = hex.substring(0, 16);
        }

        Map<String, Object> members(long revision, String shop) throws GeneralSecurityException {
            Map<String, Object> members = new LinkedHashMap<>(Map.of(
                "as_of", NOW, "bytes", 100_000L, "digest", REVISION, "epoch", "A", "expires", "2026-04-01T09:10:00.000Z", "key_id", id,
                "protocol", 1L, "published_at", NOW, "revision", revision, "venue", "mall"));
            members.put("levels", List.of(Arrays.asList(null, Pages.digest(FLOOR)), List.of(Pages.GROUND, shop)));
            members.put("manifest_digest", null);
            return members;
        }

        /** With other values of members, which are signed. */
        ScriptedTransport.PreparedResponse head(long revision, String shop, Object... changes) throws GeneralSecurityException {
            Map<String, Object> members = members(revision, shop);
            for (int index = 0; index < changes.length; index += 2) {
                members.put((String) changes[index], changes[index + 1]);
            }
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(keys.getPrivate());
            signature.update(CanonicalJson.bytes(members));
            members.put("signature", base64url(signature.sign()));
            return response(members);
        }
    }

    private static String base64url(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static ScriptedTransport.PreparedResponse response(Map<String, Object> members) {
        return ScriptedTransport.PreparedResponse.of(new String(CanonicalJson.bytes(members), StandardCharsets.UTF_8));
    }

    private static final String SHOP_DIGEST = Pages.digest(SHOP);
    private static final String OTHER_DIGEST = Pages.digest(OTHER);

    private static ScriptedTransport.PreparedResponse first() {
        return Pages.response(null, 1, "one", Pages.snapshot(null, FLOOR), Pages.snapshot(Pages.GROUND, SHOP));
    }

    private static ScriptedTransport.PreparedResponse second(String body) {
        return Pages.response(1, 2, "two", Pages.block(Pages.GROUND, "changes", Pages.digest(body), List.of(body)));
    }

    private static VenueReplica replica(ReplicaStore store, ScriptedTransport transport, String... keys) throws SyncException {
        RetryPolicy policy = new RetryPolicy(1, Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofHours(1));
        VenueReplica replica = new VenueReplica(
            store, ScriptedTransport.SERVER, "mall", "secret", new TrustedKeys(keys), transport, policy, 50_000);
        replica.synchronizer.clock = Clock.fixed(Instant.parse(NOW), ZoneOffset.UTC);
        return replica;
    }

    private static void refused(VenueReplica replica, String reason) throws Exception {
        try {
            replica.sync();
        } catch (SyncException error) {
            Check.same(error.kind(), SyncException.Kind.UNTRUSTED, "the kind: " + error.getMessage());
            Check.that(error.getMessage().contains(reason), reason + ", but: " + error.getMessage());
            return;
        }
        throw new AssertionError("not refused: " + reason);
    }

    @Test("A public key has one spelling")
    void spelling() throws Exception {
        new TrustedKeys("ed25519:PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw");
        for (String text : List.of("", "ed25519:", "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw", "ed25519:PUAXw", "ed25519:" + "_".repeat(44))) {
            try {
                new TrustedKeys(text);
            } catch (IllegalArgumentException error) {
                continue;
            }
            throw new AssertionError("a key: " + text);
        }
    }

    @Test("A replica that trusts the key applies what is signed, in every store")
    void applies() throws Exception {
        Signer operator = new Signer();
        MemoryReplicaStore store = new MemoryReplicaStore();
        ScriptedTransport transport = new ScriptedTransport(
            operator.head(1, SHOP_DIGEST), first(), operator.head(2, OTHER_DIGEST), second(OTHER));
        VenueReplica replica = replica(store, transport, new Signer().key, operator.key);
        Check.same(replica.sync().to(), 1L, "the first revision");
        Check.same(replica.sync().to(), 2L, "the second revision");
        Check.same(transport.requests.get(1).values("to"), List.of("1"), "the first change set");
        Check.same(transport.requests.get(3).values("to"), List.of("2"), "the second change set");
    }

    @Test("Wrong keys and changed members are refused")
    void forged() throws Exception {
        Signer operator = new Signer();
        Signer thief = new Signer();
        ScriptedTransport transport = new ScriptedTransport(operator.head(1, SHOP_DIGEST), first());
        VenueReplica replica = replica(new MemoryReplicaStore(), transport, operator.key);
        replica.sync();
        transport.responses.add(thief.head(2, OTHER_DIGEST));
        refused(replica, "not trusted");
        transport.responses.add(thief.head(2, OTHER_DIGEST, "key_id", operator.id));
        refused(replica, "the signature of the statement is wrong");
        List<Object[]> forms = new ArrayList<>();
        forms.add(new Object[] {"protocol", 2L});
        forms.add(new Object[] {"levels", List.of()});
        forms.add(new Object[] {"levels", List.of(List.of(Pages.GROUND, SHOP_DIGEST))});
        forms.add(new Object[] {"as_of", "2026-04-01"});
        forms.add(new Object[] {"more", 1L});
        forms.add(new Object[] {"revision", "2"});
        for (Object[] form : forms) {
            transport.responses.add(operator.head(2, OTHER_DIGEST, form));
            refused(replica, "form");
        }
        String canonical = new String(CanonicalJson.bytes(operator.members(2, OTHER_DIGEST)), StandardCharsets.UTF_8);
        transport.responses.add(ScriptedTransport.PreparedResponse.of(canonical.replace(",", ", ")));
        refused(replica, "form");
        transport.responses.add(ScriptedTransport.PreparedResponse.status(404, "/problems/not-signed"));
        refused(replica, "no signature");
        Check.same(replica.state().revision(), 1L, "the revision");
    }

    @Test("Rollback and freeze are refused, also after a restart")
    void rollback() throws Exception {
        Signer operator = new Signer();
        MemoryReplicaStore store = new MemoryReplicaStore();
        ScriptedTransport transport = new ScriptedTransport(
            operator.head(1, SHOP_DIGEST), first(), operator.head(2, OTHER_DIGEST), second(OTHER));
        VenueReplica replica = replica(store, transport, operator.key);
        replica.sync();
        replica.sync();
        for (VenueReplica each : List.of(replica, replica(store, transport, operator.key))) {
            transport.responses.add(operator.head(1, SHOP_DIGEST));
            refused(each, "older than 2");
            transport.responses.add(operator.head(2, OTHER_DIGEST, "digest", SHOP_DIGEST));
            refused(each, "two digests");
            transport.responses.add(operator.head(9, OTHER_DIGEST, "epoch", "0", "as_of", "2026-04-01T08:59:00.000Z"));
            refused(each, "an earlier history");
            transport.responses.add(operator.head(3, OTHER_DIGEST, "expires", NOW));
            refused(each, "has expired");
            transport.responses.add(operator.head(3, OTHER_DIGEST, "venue", "hall"));
            refused(each, "another venue");
        }
    }

    @Test("Change sets have to be what was signed")
    void changeSets() throws Exception {
        Signer operator = new Signer();
        ScriptedTransport transport = new ScriptedTransport(operator.head(1, SHOP_DIGEST), first());
        VenueReplica replica = replica(new MemoryReplicaStore(), transport, operator.key);
        replica.sync();
        transport.responses.addAll(List.of(operator.head(2, OTHER_DIGEST), second(SHOP)));
        refused(replica, "another digest of level");
        transport.responses.addAll(List.of(operator.head(2, OTHER_DIGEST), Pages.response(1, 2, "two")));
        refused(replica, "another digest of level");
        List<Object> more = List.of(
            Arrays.asList(null, Pages.digest(FLOOR)), List.of(Pages.GROUND, OTHER_DIGEST), List.of(Pages.FIRST, SHOP_DIGEST));
        transport.responses.addAll(List.of(operator.head(2, OTHER_DIGEST, "levels", more), second(OTHER)));
        refused(replica, "leaves out level");
        transport.responses.addAll(List.of(operator.head(2, OTHER_DIGEST, "bytes", 10L), second(OTHER)));
        refused(replica, "larger than the signed");
        transport.responses.addAll(List.of(operator.head(3, OTHER_DIGEST), second(OTHER)));
        refused(replica, "signed revision 3");
        Check.same(replica.state().revision(), 1L, "the revision");
    }

    @Test("A store that was filled without trusted keys is verified, or replaced")
    void unsignedBefore() throws Exception {
        Signer operator = new Signer();
        MemoryReplicaStore store = new MemoryReplicaStore();
        ScriptedTransport transport = new ScriptedTransport(first());
        transport.replica(store).sync();
        transport.responses.addAll(List.of(operator.head(1, SHOP_DIGEST), Pages.response(1, 1, "one")));
        replica(store, transport, operator.key).sync();
        Check.that(store.state().signedHead() != null, "the statement is stored");

        MemoryReplicaStore forged = new MemoryReplicaStore();
        transport.responses.add(Pages.response(null, 1, "one", Pages.snapshot(null, FLOOR), Pages.snapshot(Pages.GROUND, OTHER)));
        transport.replica(forged).sync();
        transport.responses.addAll(List.of(operator.head(1, SHOP_DIGEST), Pages.response(1, 1, "one"), first()));
        VenueReplica replica = replica(forged, transport, operator.key);
        replica.sync();
        Check.same(replica.feature(Pages.id("a1")).name("en"), "Shop", "the name");
    }

    @Test("Following requests the head of every revision, and trusts no long poll")
    void follow() throws Exception {
        Signer operator = new Signer();
        ScriptedTransport transport = new ScriptedTransport(
            operator.head(1, SHOP_DIGEST), first(), Pages.response(1, 1, "one"), second(SHOP), operator.head(2, OTHER_DIGEST),
            second(OTHER));
        VenueReplica replica = replica(new MemoryReplicaStore(), transport, operator.key);
        replica.follow(report -> {
            if (report.to() == 2) {
                replica.close();
            }
        });
        Check.same(replica.feature(Pages.id("a1")).name("en"), "Other", "the name");
        Check.same(transport.responses.size(), 0, "the responses that are left");
    }

    @Test("The statement survives in a folder and in SQLite")
    void stores() throws Exception {
        Signer operator = new Signer();
        java.nio.file.Path folder = java.nio.file.Files.createTempDirectory("trust");
        List<TestStore> stores = new ArrayList<>(List.of(TestStore.inFolder(folder)));
        if (TestStore.hasSqlite()) {
            stores.add(TestStore.inSqlite(folder));
        }
        for (TestStore store : stores) {
            replica(store.open(), new ScriptedTransport(operator.head(1, SHOP_DIGEST), first()), operator.key).sync();
            store.reopen();
            ScriptedTransport later = new ScriptedTransport(operator.head(1, SHOP_DIGEST, "digest", SHOP_DIGEST));
            refused(replica(store.open(), later, operator.key), "two digests");
            store.close();
        }
        TestStore.delete(folder);
    }
}
