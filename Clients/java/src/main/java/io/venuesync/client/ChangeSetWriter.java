package io.venuesync.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Applies a change set in a transaction of the store. */
final class ChangeSetWriter implements AutoCloseable {
    private static final int MAX_LISTED_CHANGES = 10_000;

    private final ReplicaTransaction transaction;
    private final ReplicaState state;
    private final Map<String, String> before;
    /** The digests that levels must have at the end; null if they are not held then. */
    private final Map<String, String> expected = new TreeMap<>();
    /** The previous versions of features, for the report. */
    private final Map<String, Feature> former = new HashMap<>();
    private final Set<String> added = new LinkedHashSet<>();
    private final Map<String, Integer> lost = new HashMap<>();

    ChangeSetWriter(ReplicaTransaction transaction, ReplicaState state, Map<String, String> before) {
        this.transaction = transaction;
        this.state = state;
        this.before = before;
    }

    /** The key of a level in a store. */
    static String key(String level) {
        return level == null ? "" : level;
    }

    static String level(String key) {
        return key.isEmpty() ? null : key;
    }

    /** Applies the blocks of one page: the first three of the five steps. */
    void apply(List<Wire.Block> blocks) throws SyncException {
        for (Wire.Block block : blocks) {
            if (block.kind() != Wire.Kind.CHANGES && !block.isContinued()) {
                clear(key(block.level()));
            }
        }
        for (Wire.Block block : blocks) {
            for (Feature feature : block.features()) {
                put(feature);
            }
        }
        for (Wire.Block block : blocks) {
            for (Wire.Removal removal : block.removed()) {
                remove(key(block.level()), removal.id());
            }
            if (block.kind() == Wire.Kind.GONE || block.digest() != null) {
                expect(key(block.level()), block.digest());
            }
        }
    }

    /** Puts a feature and replaces its previous version on any level. */
    void put(Feature feature) throws SyncException {
        if (!transaction.isFresh()) {
            Feature held = transaction.feature(feature.id());
            if (held == null) {
                added.add(feature.id());
            } else {
                String level = key(held.level());
                if (!level.equals(key(feature.level()))) {
                    expectAsBefore(level);
                } else if (Arrays.equals(held.body(), feature.body())) {
                    return;
                }
                retire(held);
            }
        }
        transaction.put(feature);
    }

    /** Deletes a feature if it is still on this level; it may have moved. */
    private void remove(String level, String id) throws SyncException {
        Feature held = transaction.feature(id);
        if (held != null && key(held.level()).equals(level)) {
            retire(held);
            transaction.delete(held);
        }
    }

    void clear(String level) throws SyncException {
        if (!transaction.isFresh()) {
            transaction.forEach(level, this::retire);
        }
        transaction.clear(level);
    }

    void clearAll(Collection<String> but) throws SyncException {
        for (String level : before.keySet()) {
            if (!but.contains(level)) {
                clear(level);
                expect(level, null);
            }
        }
    }

    /** Sets the digest that the level must have at the end, or its beginning; null if the level is not held then. */
    void expect(String level, String digest) {
        expected.put(level, digest);
    }

    /** A level that loses a feature without being mentioned must keep its digest. So it will differ, and be fetched again. */
    private void expectAsBefore(String level) {
        if (!expected.containsKey(level) && before.containsKey(level)) {
            expected.put(level, before.get(level));
        }
    }

    private void retire(Feature held) {
        // A feature that this change set added has no previous version.
        if (!added.contains(held.id()) && former.putIfAbsent(held.id(), held) == null) {
            lost.merge(key(held.level()), 1, Integer::sum);
        }
    }

    /** The levels whose stored features do not have the expected digest. The others then expect the computed one. */
    List<String> mismatches() throws SyncException {
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, String> entry : expected.entrySet()) {
            if (entry.getValue() == null) {
                continue;
            }
            String digest = digest(entry.getKey());
            if (digest.startsWith(entry.getValue())) {
                entry.setValue(digest);
            } else {
                wrong.add(entry.getKey());
            }
        }
        return wrong;
    }

    private String digest(String level) throws SyncException {
        Digest digest = new Digest();
        transaction.forEach(level, feature -> digest.add(feature.body()));
        return digest.text();
    }

    /** Verifies all digests and commits. If one differs, nothing is committed. */
    SyncReport finish(Outcome outcome) throws SyncException {
        for (String level : mismatches()) {
            throw SyncException.invalidResponse(
                "the digest of " + (level.isEmpty() ? "the venue-wide part" : "level " + level) + " differs");
        }
        Map<String, String> after = new TreeMap<>(before);
        for (Map.Entry<String, String> entry : expected.entrySet()) {
            if (entry.getValue() == null) {
                after.remove(entry.getKey());
            } else {
                after.put(entry.getKey(), entry.getValue());
                transaction.setDigest(entry.getKey(), entry.getValue());
            }
        }
        if (outcome.head != null) {
            if (outcome.to != outcome.head.revision()) {
                throw SyncException.untrusted("the server sends revision " + outcome.to + ", which is not the signed one");
            }
            outcome.head.checkHeld(after, outcome.selection, ordinals(transaction::forEach));
        }
        SyncReport report = report(outcome, after.keySet());
        transaction.commit(new ReplicaState(
            outcome.venue, state.commits() + 1, outcome.selection, outcome.cursor, outcome.to, outcome.digest,
            outcome.about == null ? state.about() : outcome.about, System.currentTimeMillis(),
            outcome.head == null ? null : outcome.head.document()));
        return report;
    }

    /**
     * The result after all pages.
     *
     * @param about null keeps the previous value
     * @param head what the replica has to be; null if no keys are trusted
     */
    record Outcome(
        String venue, LevelSelection selection, String cursor, long to, String digest, About about, List<String> repaired,
        int requests, boolean hasStartedOver, SignedHead head) {}

    interface Features {
        void forEach(String level, ReplicaStore.FeatureVisitor visitor) throws SyncException;
    }

    /** The ordinals of all levels of the revision, also of those that are not held. */
    static Map<String, Integer> ordinals(Features features) throws SyncException {
        Map<String, Integer> ordinals = new HashMap<>();
        features.forEach("", feature -> {
            if (feature.type().equals("level")) {
                ordinals.put(feature.id(), feature.ordinal());
            }
        });
        return ordinals;
    }

    private SyncReport report(Outcome outcome, Set<String> after) throws SyncException {
        List<SyncReport.LevelCount> addedLevels = new ArrayList<>();
        List<SyncReport.LevelCount> droppedLevels = new ArrayList<>();
        for (String level : after) {
            if (!before.containsKey(level)) {
                int[] count = {0};
                transaction.forEach(level, feature -> count[0]++);
                addedLevels.add(new SyncReport.LevelCount(level(level), count[0]));
            }
        }
        for (String level : before.keySet()) {
            if (!after.contains(level)) {
                droppedLevels.add(new SyncReport.LevelCount(level(level), lost.getOrDefault(level, 0)));
            }
        }
        List<Change> changes = new ArrayList<>();
        int[] counts = new int[Change.Kind.values().length];
        Set<String> touched = new TreeSet<>(former.keySet());
        touched.addAll(added);
        for (String id : touched) {
            Change change = change(former.get(id), transaction.feature(id), after);
            if (change != null) {
                counts[change.kind().ordinal()]++;
                if (changes.size() < MAX_LISTED_CHANGES) {
                    changes.add(change);
                }
            }
        }
        List<String> repaired = new ArrayList<>();
        outcome.repaired.forEach(level -> repaired.add(level(level)));
        return new SyncReport(
            state.revision(), outcome.to, counts[Change.Kind.ADDED.ordinal()], counts[Change.Kind.CHANGED.ordinal()],
            counts[Change.Kind.REMOVED.ordinal()], changes, addedLevels, droppedLevels, repaired, outcome.requests, outcome.hasStartedOver, true,
            false);
    }

    /** Null if there is no change, or if the whole level was added or dropped. */
    private Change change(Feature old, Feature current, Set<String> after) {
        if (current == null) {
            return old == null || !after.contains(key(old.level())) ? null : new Change(Change.Kind.REMOVED, old, null);
        }
        if (old == null) {
            return before.containsKey(key(current.level())) ? new Change(Change.Kind.ADDED, null, current) : null;
        }
        boolean isSame = key(old.level()).equals(key(current.level())) && Arrays.equals(old.body(), current.body());
        return isSame ? null : new Change(Change.Kind.CHANGED, old, current);
    }

    @Override
    public void close() throws SyncException {
        transaction.close();
    }
}
