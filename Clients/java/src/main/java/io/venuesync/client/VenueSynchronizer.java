package io.venuesync.client;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Requests change sets, verifies them, and applies them to a store. Its methods are called by one thread at a time. */
final class VenueSynchronizer {
    interface SelectionChange {
        LevelSelection of(ReplicaState state) throws SyncException;
    }

    private final ReplicaStore store;
    private final String venue;
    private final ServerConnection connection;
    private final int pageLimit;
    private final ExternalCommits externalCommits;
    /** Null to apply unsigned revisions. */
    private final TrustedKeys trust;
    /** The last signed head that was verified. */
    private volatile SignedHead newestHead;
    /** When a server last confirmed the replica without a change, in milliseconds since 1970. */
    volatile long confirmedAt;
    /** Tests replace it. */
    Clock clock = Clock.systemUTC();

    VenueSynchronizer(
        ReplicaStore store, String venue, ServerConnection connection, int pageLimit, ExternalCommits externalCommits, TrustedKeys trust) {
        this.store = store;
        this.venue = venue;
        this.connection = connection;
        this.pageLimit = pageLimit;
        this.externalCommits = externalCommits;
        this.trust = trust;
    }

    /** Whether the response to a long poll is that nothing has changed, and the last head still counts. */
    boolean isConfirmed(Wire.Page page, ReplicaState state) {
        SignedHead head = newestHead;
        boolean isConfirmed = head != null && head.isRecent(clock.instant()) && state.revision() != null
            && head.revision() == state.revision() && page.isComplete() && page.blocks().isEmpty() && page.cursor().equals(state.cursor())
            && page.frame().to() == state.revision() && page.frame().about().equals(state.about());
        if (isConfirmed) {
            confirmedAt = clock.millis();
        }
        return isConfirmed;
    }

    /** Requests the signed head of the venue and verifies it; null if no keys are trusted. */
    private SignedHead signedHead(ReplicaState state) throws SyncException, HistoryLostException {
        if (trust == null) {
            return null;
        }
        SignedHead head = trust.head(connection.bytes("/venues/" + venue + "/head", SignedHead.MAX_DOCUMENT_BYTES), venue);
        head.checkTime(clock.instant());
        SignedHead stored = storedHead(state);
        if (stored != null) {
            head.checkSuccession(stored);
        }
        if (newestHead != null) {
            head.checkSuccession(newestHead);
        }
        newestHead = head;
        return head;
    }

    /** Null if there is none, or one of a key that is not trusted any more. */
    private SignedHead storedHead(ReplicaState state) {
        if (state.signedHead() == null) {
            return null;
        }
        try {
            return trust.head(state.signedHead().getBytes(StandardCharsets.UTF_8), venue);
        } catch (SyncException error) {
            return null;
        }
    }

    /** Null if the store was written meanwhile. */
    SyncReport pullOnce(SelectionChange selection) throws SyncException, HistoryLostException, InterruptedException {
        ReplicaState state = store.state();
        LevelSelection wanted = selection.of(state);
        SyncReport report;
        SignedHead head = signedHead(state);
        try {
            return apply(page(state.cursor(), state, wanted, head), state, wanted, false, head);
        } catch (SyncException error) {
            if (error.kind() != SyncException.Kind.UNTRUSTED || head == null || state.revision() == null || state.signedHead() != null) {
                throw error;
            }
            // The store was filled without trusted keys, and what it holds is not what was signed.
            return apply(connection.page(path(null, wanted, 0, head), null), state, wanted, true, head);
        } catch (HistoryLostException lost) {
            // The history may have been lost since the head was requested.
            report = startOver(state, wanted, lost.restart(), signedHead(state));
        }
        if (report == null) {
            return null;
        }
        // A 410 has no `about`, and newer revisions may exist by now. The replica is already complete, so if this request fails, the next
        // synchronization gets the rest.
        try {
            ReplicaState next = store.state();
            SignedHead nextHead = signedHead(next);
            SyncReport rest = apply(page(next.cursor(), next, wanted, nextHead), next, wanted, false, nextHead);
            return rest == null ? report : report.and(rest);
        } catch (SyncException | HistoryLostException error) {
            return report;
        }
    }

    /** A page, in the delta form if the selection is the same as in the state before the synchronization. */
    private Wire.Page page(String cursor, ReplicaState state, LevelSelection wanted, SignedHead head)
        throws SyncException, HistoryLostException {
        String path = path(cursor, wanted, 0, head);
        boolean isSame = state.cursor() != null && wanted.equals(state.selection());
        return isSame ? connection.deltaPage(path, cursor, store, null) : connection.page(path, null);
    }

    String path(String cursor, LevelSelection wanted, int wait, SignedHead head) {
        return ServerConnection.syncPath(venue, pageLimit, cursor, wanted, wait, head);
    }

    /** Applies a change set, given its first page; null if the store is no longer in this state. */
    SyncReport apply(Wire.Page first, ReplicaState state, LevelSelection wanted, boolean isFromScratch, SignedHead head)
        throws SyncException, HistoryLostException, InterruptedException {
        PageRules rules = new PageRules(venue, isFromScratch ? null : state.revision(), isFromScratch ? null : state.cursor());
        SignedHead.Limit limit = head == null ? null : new SignedHead.Limit(head, first.isComplete() ? 0 : featureCount());
        check(first, rules, head, limit);
        Wire.Frame frame = first.frame();
        boolean hasChanges = !first.isComplete() || !first.blocks().isEmpty() || !first.cursor().equals(state.cursor())
            || !wanted.equals(state.selection()) || !frame.digest().equals(state.digest()) || !frame.about().equals(state.about());
        if (!hasChanges) {
            if (head != null && !confirm(state, wanted, head)) {
                return null;
            }
            confirmedAt = clock.millis();
            return SyncReport.unchanged(frame.to());
        }
        try (ChangeSetWriter writer = begin(state)) {
            if (writer == null) {
                return null;
            }
            if (isFromScratch || state.revision() == null) {
                writer.clearAll(List.of());
            }
            writer.apply(first.blocks());
            int requests = 1;
            String cursor = first.cursor();
            for (Wire.Page page = first; !page.isComplete(); requests++) {
                String next = cursor;
                // Retried, because the pages read so far would be lost otherwise.
                page = connection.attempting(
                    connection.policy.attempts(),
                    () -> isFromScratch ? connection.page(path(next, wanted, 0, head), null) : page(next, state, wanted, head));
                check(page, rules, head, limit);
                writer.apply(page.blocks());
                cursor = page.cursor();
            }
            List<String> repaired = writer.mismatches();
            for (String level : repaired) {
                String name = level.isEmpty() ? "venue" : level;
                fetch(writer, level, "/venues/" + venue + "/revisions/" + frame.to() + "/features?level=" + name, head);
            }
            return finish(writer, new ChangeSetWriter.Outcome(
                venue, wanted, cursor, frame.to(), frame.digest(), frame.about(), repaired, requests + repaired.size(), isFromScratch,
                head));
        }
    }

    private static void check(Wire.Page page, PageRules rules, SignedHead head, SignedHead.Limit limit)
        throws SyncException, HistoryLostException {
        rules.check(page);
        if (head != null) {
            head.checkPage(page);
            limit.receive(page);
        }
    }

    private long featureCount() throws SyncException {
        long[] count = {0};
        store.forEach(null, feature -> count[0]++);
        return count[0];
    }

    /** Checks what is held if it was stored without a statement, and stores the statement; false if the store was written meanwhile. */
    private boolean confirm(ReplicaState state, LevelSelection wanted, SignedHead head) throws SyncException {
        if (state.revision() == null || head.revision() != state.revision() || !head.digest().equals(state.digest())) {
            throw SyncException.untrusted("the server sends no newer revision than " + state.revision());
        }
        if (state.signedHead() != null) {
            return true;
        }
        head.checkHeld(store.digests(), wanted, ChangeSetWriter.ordinals(store::forEach));
        try (ChangeSetWriter writer = begin(state)) {
            if (writer == null) {
                return false;
            }
            finish(writer, new ChangeSetWriter.Outcome(
                venue, wanted, state.cursor(), state.revision(), state.digest(), null, List.of(), 1, false, head));
            return true;
        }
    }

    private ChangeSetWriter begin(ReplicaState state) throws SyncException {
        ReplicaTransaction transaction = store.begin(state);
        return transaction == null ? null : new ChangeSetWriter(transaction, state, store.digests());
    }

    private SyncReport finish(ChangeSetWriter writer, ChangeSetWriter.Outcome outcome) throws SyncException {
        boolean isCommitted = false;
        externalCommits.count();
        try {
            SyncReport report = writer.finish(outcome);
            externalCommits.store(outcome.to());
            isCommitted = true;
            return report;
        } finally {
            if (!isCommitted) {
                externalCommits.uncount();
            }
        }
    }

    /** Replaces the features of a level by those of the server. */
    private void fetch(ChangeSetWriter writer, String level, String path, SignedHead head)
        throws SyncException, HistoryLostException, InterruptedException {
        connection.attempting(connection.policy.attempts(), () -> {
            writer.clear(level);
            connection.collection(path, ChangeSetWriter.level(level), head, writer::put);
            return null;
        });
    }

    /** Starts over after the history was lost, and keeps levels whose digest still matches. */
    private SyncReport startOver(ReplicaState state, LevelSelection wanted, Wire.Restart restart, SignedHead head)
        throws SyncException, HistoryLostException, InterruptedException {
        if (restart == null) {
            return apply(connection.page(path(null, wanted, 0, head), null), state, wanted, true, head);
        }
        if (head != null && head.revision() != restart.to()) {
            throw SyncException.untrusted("the history starts over at revision " + restart.to() + ", which is not the signed one");
        }
        Map<String, Wire.RestartLevel> entries = new TreeMap<>();
        for (Wire.RestartLevel entry : restart.levels()) {
            if (entries.put(ChangeSetWriter.key(entry.level()), entry) != null) {
                throw SyncException.invalidResponse("a duplicate level");
            }
        }
        try (ChangeSetWriter writer = begin(state)) {
            if (writer == null) {
                return null;
            }
            writer.clearAll(entries.keySet());
            entries.forEach((level, entry) -> writer.expect(level, entry.digest()));
            List<String> wrong = writer.mismatches();
            for (String level : wrong) {
                fetch(writer, level, Objects.requireNonNull(entries.get(level)).href(), head);
            }
            return finish(writer, new ChangeSetWriter.Outcome(
                venue, wanted, restart.cursor(), restart.to(), null, null, List.of(), 1 + wrong.size(), true, head));
        }
    }
}
