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

/** A change set in the making, in a transaction of the store. */
final class Draft implements AutoCloseable {
    private static final int LISTED = 10_000;

    private final ReplicaTransaction transaction;
    private final ReplicaState state;
    private final Map<String, String> before;
    /** What levels have to be in the end; null: not held. */
    private final Map<String, String> expected = new TreeMap<>();
    /** What features were before; those that are looked for again in the end. */
    private final Map<String, Feature> former = new HashMap<>();
    private final Set<String> added = new LinkedHashSet<>();
    private final Map<String, Integer> lost = new HashMap<>();

    Draft(ReplicaTransaction transaction, ReplicaState state, Map<String, String> before) {
        this.transaction = transaction;
        this.state = state;
        this.before = before;
    }

    /** The name of a level in a store. */
    static String key(String level) {
        return level == null ? "" : level;
    }

    static String level(String key) {
        return key.isEmpty() ? null : key;
    }

    /** The first three steps, for the blocks of one page. */
    void apply(List<Wire.Block> blocks) throws SyncException {
        for (Wire.Block block : blocks) {
            if (block.kind() != Wire.Kind.CHANGES && !block.isContinued()) {
                forget(key(block.level()));
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

    /** Replaces what is held of a feature, wherever. */
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

    /** Deletes a feature if it is still held under this level; it may have moved. */
    private void remove(String level, String id) throws SyncException {
        Feature held = transaction.feature(id);
        if (held != null && key(held.level()).equals(level)) {
            retire(held);
            transaction.delete(held);
        }
    }

    void forget(String level) throws SyncException {
        if (!transaction.isFresh()) {
            transaction.forEach(level, this::retire);
        }
        transaction.forget(level);
    }

    void forgetAll(Collection<String> but) throws SyncException {
        for (String level : before.keySet()) {
            if (!but.contains(level)) {
                forget(level);
                expect(level, null);
            }
        }
    }

    /** What the level has to be in the end; null: it is not held then. */
    void expect(String level, String digest) {
        expected.put(level, digest);
    }

    /** A level that loses a feature without a word about it has to be what it was; so it will differ, and be fetched. */
    private void expectAsBefore(String level) {
        if (!expected.containsKey(level) && before.containsKey(level)) {
            expected.put(level, before.get(level));
        }
    }

    private void retire(Feature held) {
        // What was put by this very draft was not there before.
        if (!added.contains(held.id()) && former.putIfAbsent(held.id(), held) == null) {
            lost.merge(key(held.level()), 1, Integer::sum);
        }
    }

    /** Levels that differ from their digests, which are computed from what is held now. */
    List<String> mismatches() throws SyncException {
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, String> entry : expected.entrySet()) {
            if (entry.getValue() != null && !digest(entry.getKey()).equals(entry.getValue())) {
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

    /** Proves every level and commits. A digest that differs undoes everything. */
    SyncReport finish(Outcome outcome) throws SyncException {
        for (String level : mismatches()) {
            throw SyncException.wrongReply(
                "the digest of " + (level.isEmpty() ? "the venue-wide part" : "level " + level) + " differs");
        }
        Map<String, String> after = new TreeMap<>(before);
        for (Map.Entry<String, String> entry : expected.entrySet()) {
            if (entry.getValue() == null) {
                after.remove(entry.getKey());
            } else {
                after.put(entry.getKey(), entry.getValue());
                transaction.hold(entry.getKey(), entry.getValue());
            }
        }
        SyncReport report = report(outcome, after.keySet());
        transaction.commit(new ReplicaState(
            outcome.venue, state.commits() + 1, outcome.selection, outcome.cursor, outcome.to, outcome.digest,
            outcome.about == null ? state.about() : outcome.about, System.currentTimeMillis()));
        return report;
    }

    /** What is known when all has been received. {@code about}: null leaves it as it was. */
    record Outcome(
        String venue, LevelSelection selection, String cursor, long to, String digest, About about, List<String> repaired,
        int requests, boolean hasStartedOver) {}

    private SyncReport report(Outcome outcome, Set<String> after) throws SyncException {
        List<SyncReport.LevelCount> came = new ArrayList<>();
        List<SyncReport.LevelCount> went = new ArrayList<>();
        for (String level : after) {
            if (!before.containsKey(level)) {
                int[] count = {0};
                transaction.forEach(level, feature -> count[0]++);
                came.add(new SyncReport.LevelCount(level(level), count[0]));
            }
        }
        for (String level : before.keySet()) {
            if (!after.contains(level)) {
                went.add(new SyncReport.LevelCount(level(level), lost.getOrDefault(level, 0)));
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
                if (changes.size() < LISTED) {
                    changes.add(change);
                }
            }
        }
        List<String> repaired = new ArrayList<>();
        outcome.repaired.forEach(level -> repaired.add(level(level)));
        return new SyncReport(
            state.revision(), outcome.to, counts[Change.Kind.ADDED.ordinal()], counts[Change.Kind.CHANGED.ordinal()],
            counts[Change.Kind.REMOVED.ordinal()], changes, came, went, repaired, outcome.requests, outcome.hasStartedOver, true);
    }

    /** Null when there is none, or when it came or went with its level. */
    private Change change(Feature was, Feature is, Set<String> after) {
        if (is == null) {
            return was == null || !after.contains(key(was.level())) ? null : new Change(Change.Kind.REMOVED, was, null);
        }
        if (was == null) {
            return before.containsKey(key(is.level())) ? new Change(Change.Kind.ADDED, null, is) : null;
        }
        boolean isSame = key(was.level()).equals(key(is.level())) && Arrays.equals(was.body(), is.body());
        return isSame ? null : new Change(Change.Kind.CHANGED, was, is);
    }

    @Override
    public void close() throws SyncException {
        transaction.close();
    }
}
