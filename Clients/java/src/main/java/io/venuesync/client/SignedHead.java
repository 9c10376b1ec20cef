package io.venuesync.client;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A verified statement about the newest revision of a venue.
 *
 * @param document as received
 * @param levels the digests of all levels, by id; that of the venue-wide part by {@code ""}
 * @param bytes the size of all bodies
 * @param asOf from when, and until {@code expires}, the revision counts as the newest
 */
record SignedHead(
    String document, String venue, String epoch, long revision, String digest, Map<String, String> levels, long bytes, Instant asOf,
    Instant expires) {
    /** More than the statement about a venue with 100,000 levels. */
    static final long MAX_DOCUMENT_BYTES = 16L << 20;

    private static final Duration LIFETIME = Duration.ofMinutes(10);
    private static final Set<String> TEXTS = Set.of(
        "digest", "epoch", "key_id", "published_at", "signature", "venue", "as_of", "expires");
    private static final Set<String> NUMBERS = Set.of("bytes", "protocol", "revision");
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z");
    private static final Pattern DIGEST = Pattern.compile("sha-256:[0-9a-f]{64}");

    /** The members of a statement in the canonical form: no other reader can understand the signed bytes differently. */
    static Map<String, Object> members(byte[] document) throws SyncException {
        try {
            if (Json.parse(document) instanceof Map<?, ?> members) {
                Map<String, Object> found = new TreeMap<>();
                members.forEach((name, value) -> found.put((String) name, value));
                if (isStatement(found) && Arrays.equals(CanonicalJson.bytes(found), document)) {
                    return found;
                }
            }
        } catch (Json.FormatException error) {
            throw SyncException.untrusted("the statement is not JSON");
        }
        throw SyncException.untrusted("the statement has an unknown form");
    }

    private static boolean isStatement(Map<String, Object> members) {
        boolean hasKinds = members.size() == TEXTS.size() + NUMBERS.size() + 2 && members.containsKey("manifest_digest")
            && TEXTS.stream().allMatch(name -> members.get(name) instanceof String)
            && NUMBERS.stream().allMatch(name -> members.get(name) instanceof Long);
        if (!hasKinds || !(members.get("levels") instanceof List<?> levels)) {
            return false;
        }
        Object manifest = members.get("manifest_digest");
        return (Long) members.get("protocol") == 1 && (Long) members.get("revision") > 0 && (Long) members.get("bytes") >= 0
            && isDigest(members.get("digest")) && (manifest == null || isDigest(manifest))
            && List.of("published_at", "as_of", "expires").stream().allMatch(name -> TIME.matcher((String) members.get(name)).matches())
            && areLevels(levels);
    }

    /** The venue-wide part first, then the levels in ascending order, each once. */
    private static boolean areLevels(List<?> entries) {
        String last = null;
        for (Object entry : entries) {
            if (!(entry instanceof List<?> pair) || pair.size() != 2 || !isDigest(pair.get(1))) {
                return false;
            }
            String id = pair.get(0) == null ? "" : pair.get(0) instanceof String text && Wire.isUuid(text) ? text : null;
            if (id == null || (last == null ? !id.isEmpty() : last.compareTo(id) >= 0)) {
                return false;
            }
            last = id;
        }
        return last != null;
    }

    private static boolean isDigest(Object value) {
        return value instanceof String text && DIGEST.matcher(text).matches();
    }

    /** @param members those of {@link #members} */
    static SignedHead of(String document, Map<String, Object> members) throws SyncException {
        Map<String, String> levels = new TreeMap<>();
        for (Object entry : (List<?>) members.get("levels")) {
            List<?> pair = (List<?>) entry;
            levels.put(ChangeSetWriter.key((String) pair.get(0)), (String) pair.get(1));
        }
        try {
            return new SignedHead(
                document, (String) members.get("venue"), (String) members.get("epoch"), (Long) members.get("revision"),
                (String) members.get("digest"), levels, (Long) members.get("bytes"), Instant.parse((String) members.get("as_of")),
                Instant.parse((String) members.get("expires")));
        } catch (DateTimeException error) {
            throw SyncException.untrusted("the statement has an invalid time");
        }
    }

    void checkTime(Instant now) throws SyncException {
        require(now.isBefore(expires), "the statement about the newest revision has expired");
    }

    /** Whether the statement counts for another while, so that a long poll without changes needs no other one. */
    boolean isRecent(Instant now) {
        Duration left = Duration.between(now, expires);
        return left.compareTo(LIFETIME.dividedBy(2)) >= 0 && left.compareTo(LIFETIME.multipliedBy(2)) <= 0;
    }

    /** Refuses an older revision of the same epoch, and an earlier epoch. */
    void checkSuccession(SignedHead known) throws SyncException {
        if (!epoch.equals(known.epoch)) {
            require(asOf.isAfter(known.asOf), "the statement is about an earlier history");
            return;
        }
        require(revision >= known.revision, "the statement is about revision " + revision + ", which is older than " + known.revision);
        require(revision > known.revision || digest.equals(known.digest), "revision " + revision + " has two digests");
    }

    /** Checks a page before anything of it is stored. */
    void checkPage(Wire.Page page) throws SyncException {
        require(
            page.frame().to() == revision && page.frame().digest().equals(digest),
            "the change set does not lead to the signed revision " + revision);
        for (Wire.Block block : page.blocks()) {
            String signed = levels.getOrDefault(ChangeSetWriter.key(block.level()), "");
            require(
                block.digest() == null || signed.startsWith(block.digest()),
                "the statement has another digest of " + name(ChangeSetWriter.key(block.level())));
        }
    }

    /**
     * Checks that exactly the selected levels are held, as they were signed.
     *
     * @param ordinals of all levels of the revision, by id
     */
    void checkHeld(Map<String, String> held, LevelSelection selection, Map<String, Integer> ordinals) throws SyncException {
        for (Map.Entry<String, String> entry : held.entrySet()) {
            require(
                Objects.equals(levels.get(entry.getKey()), entry.getValue()),
                "the statement has another digest of " + name(entry.getKey()));
        }
        for (String level : levels.keySet()) {
            boolean isSelected = level.isEmpty() || selection.names() == null || selection.names().contains(level)
                || selection.names().contains("ordinal:" + ordinals.get(level));
            require(!isSelected || held.containsKey(level), "the server leaves out " + name(level));
        }
    }

    private static void require(boolean condition, String message) throws SyncException {
        if (!condition) {
            throw SyncException.untrusted(message);
        }
    }

    private static String name(String level) {
        return level.isEmpty() ? "the venue-wide part" : "level " + level;
    }

    /** Ends a download that is larger than the signed revision. */
    static final class Limit {
        private final long bytes;
        private final long held;
        private long received;
        private long removed;

        /** @param held the number of held features, which bounds what can be removed */
        Limit(SignedHead head, long held) {
            this.bytes = head.bytes;
            this.held = held;
        }

        void receive(Wire.Page page) throws SyncException {
            boolean isEmpty = true;
            for (Wire.Block block : page.blocks()) {
                for (Feature feature : block.features()) {
                    received += feature.body().length;
                }
                removed += block.removed().size();
                isEmpty = isEmpty && block.features().isEmpty() && block.removed().isEmpty();
            }
            // A feature that moves to another level is removed from one, and may be removed from the other later.
            require(received <= bytes && (page.isComplete() || removed <= 2 * held), "the response is larger than the signed revision");
            require(page.isComplete() || !isEmpty, "a page without content that is not the last one");
        }
    }
}
