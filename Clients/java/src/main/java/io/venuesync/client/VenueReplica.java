package io.venuesync.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A venue on this device: a verified copy of the levels that an app chose, kept up to date.
 *
 * <p>What is held can be read with or without a network; draw first, then {@link #sync()}. A change set is applied in one transaction of
 * the store together with its cursor, so a replica is at one revision or at the next, and never between them.
 *
 * <p>Calls may come from any thread; those that write go one after the other.
 */
public final class VenueReplica implements AutoCloseable {
    /** How often to begin again when something else wrote to the store meanwhile. */
    private static final int BEGINNINGS = 5;
    /** Seconds for which the server may hold a reply back until there is news. */
    private static final int WAIT = 25;

    private interface Wish {
        LevelSelection of(ReplicaState state) throws SyncException;
    }

    private final ReplicaStore store;
    private final String venue;
    private final Exchange exchange;
    private final int pageLimit;
    private final ReentrantLock writing = new ReentrantLock();
    private final SearchIndex index = new SearchIndex();
    private volatile Transport.Call waiting;
    private volatile boolean isClosed;
    private volatile long confirmedAt;

    /**
     * @param server such as {@code https://maps.example.com}
     * @param venue the key of the venue
     * @param key a key with the role {@code read}; null for a public venue. It is sent to this server and to no other
     * @throws IllegalArgumentException for what is no address or no key of a venue
     * @throws SyncException when the store holds another venue
     */
    public VenueReplica(ReplicaStore store, String server, String venue, String key) throws SyncException {
        this(store, server, venue, key, new HttpTransport(), new RetryPolicy(), 50_000);
    }

    /** @param pageLimit how many features and removals a page has at most; the server ends one at 8 MiB in any case */
    public VenueReplica(
        ReplicaStore store, String server, String venue, String key, Transport transport, RetryPolicy policy, int pageLimit)
        throws SyncException {
        if (!venue.matches("(?=.{1,64}$)[a-z0-9-]+(\\.[a-z0-9-]+)*")) {
            throw new IllegalArgumentException("“" + venue + "” is no key of a venue");
        }
        String held = store.state().venue();
        if (held != null && !held.equals(venue)) {
            throw new SyncException(SyncException.Kind.STORE, "the store holds the venue " + held);
        }
        this.store = store;
        this.venue = venue;
        this.exchange = new Exchange(server, key, transport, policy);
        this.pageLimit = pageLimit;
    }

    // Reading what is held. None of this asks the server.

    public ReplicaState state() throws SyncException {
        return store.state();
    }

    /** When a server last said that what is held is the newest state, in milliseconds since 1970; 0 when none ever did. */
    public long syncedAt() throws SyncException {
        return Math.max(store.state().syncedAt(), confirmedAt);
    }

    /** The venue-wide part, then every level of the venue from the lowest up, whether it is held or not. */
    public List<Level> levels() throws SyncException {
        Map<String, String> digests = store.digests();
        String language = store.state().about().language();
        String[] languages = language == null ? new String[0] : new String[] {language};
        Map<String, Level> levels = new TreeMap<>();
        digests.forEach((level, digest) -> levels.put(level, new Level(Draft.level(level), null, null, null, digest)));
        store.forEach("", feature -> {
            if (feature.type().equals("level")) {
                Map<String, Object> properties = feature.properties();
                levels.put(feature.id(), new Level(
                    feature.id(), feature.ordinal(), Feature.preferred(Feature.labels(properties, "name"), languages),
                    Feature.preferred(Feature.labels(properties, "short_name"), languages), digests.get(feature.id())));
            }
        });
        List<Level> result = new ArrayList<>(levels.values());
        result.sort(
            Comparator.comparing((Level level) -> level.id() != null)
                .thenComparing(Level::ordinal, Comparator.nullsLast(Comparator.naturalOrder())));
        return result;
    }

    /** Features held under a level; null is the venue-wide part. Types: none means all. */
    public List<Feature> features(String level, String... types) throws SyncException {
        return collect(Draft.key(level), types);
    }

    /** Everything that is held. */
    public List<Feature> allFeatures(String... types) throws SyncException {
        return collect(null, types);
    }

    private List<Feature> collect(String level, String... types) throws SyncException {
        Collection<String> wanted = Arrays.asList(types);
        List<Feature> features = new ArrayList<>();
        store.forEach(level, feature -> {
            if (types.length == 0 || wanted.contains(feature.type())) {
                features.add(feature);
            }
        });
        return features;
    }

    /** Null when it is not held. */
    public Feature feature(String id) throws SyncException {
        return store.feature(id.toLowerCase(java.util.Locale.ROOT));
    }

    /** Features by their names in any language and by their categories, the best first. Without a text, all that have one. */
    public List<SearchResult> search(String text, int limit, String... types) throws SyncException {
        return index.search(store, text, limit, Arrays.asList(types));
    }

    /** Computes every digest again from what is held; levels that differ, the venue-wide part as null. */
    public List<String> damagedLevels() throws SyncException {
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, String> entry : store.digests().entrySet()) {
            Digest digest = new Digest();
            store.forEach(entry.getKey(), feature -> digest.add(feature.body()));
            if (!digest.text().equals(entry.getValue())) {
                wrong.add(Draft.level(entry.getKey()));
            }
        }
        return wrong;
    }

    // Bringing it up to date.

    /** Brings the replica up to date with the newest revision, and keeps the selection; without one yet, that is everything. */
    public SyncReport sync() throws SyncException, InterruptedException {
        return pull(state -> state.selection() == null ? LevelSelection.EVERYTHING : state.selection());
    }

    /** The same with another selection from now on. Levels that were not wanted come whole, others go. */
    public SyncReport sync(LevelSelection selection) throws SyncException, InterruptedException {
        return pull(state -> selection);
    }

    /** Wants more levels, and brings the replica up to date. */
    public SyncReport add(String... levels) throws SyncException, InterruptedException {
        LevelSelection added = LevelSelection.of(levels);
        return pull(state -> state.selection() == null ? added : state.selection().adding(added));
    }

    /** Wants levels no longer, brings the replica up to date, and forgets them. */
    public SyncReport drop(String... levels) throws SyncException, InterruptedException {
        LevelSelection dropped = LevelSelection.of(levels);
        return pull(state -> {
            List<Level> held = new ArrayList<>(levels());
            held.removeIf(level -> !level.isHeld());
            return (state.selection() == null ? LevelSelection.EVERYTHING : state.selection()).dropping(dropped, held);
        });
    }

    /**
     * Keeps the replica up to date until the thread is interrupted or the replica is closed: a revision is applied moments after it was
     * published. Setbacks that waiting may mend are waited for.
     *
     * @throws SyncException what waiting does not mend: a key that was revoked, a venue that was deleted, a full disk
     */
    public void follow(FollowListener listener) throws SyncException, InterruptedException {
        int failures = 0;
        boolean isConnected = false;
        while (!isClosed) {
            long start = System.nanoTime();
            SyncReport report;
            try {
                report = news();
            } catch (SyncException error) {
                if (isClosed) {
                    return;
                }
                if (!error.isRetryable()) {
                    throw error;
                }
                isConnected = false;
                java.time.Duration pause = exchange.policy.pause(++failures, error.retryAfter());
                listener.onSetback(error, pause);
                Thread.sleep(pause.toMillis());
                continue;
            }
            failures = 0;
            if (!isConnected && report != null) {
                isConnected = true;
                listener.onConnected();
            }
            if (report != null && report.hasCommitted()) {
                listener.onChange(report);
            } else if (report != null && System.nanoTime() - start < exchange.policy.shortest().toNanos()) {
                // A server that does not wait is not asked without a pause.
                Thread.sleep(exchange.policy.pause(1, exchange.policy.shortest()).toMillis());
            }
        }
    }

    /** Waits for news and applies them; null when the replica moved on meanwhile. While it waits, others may write. */
    private SyncReport news() throws SyncException, InterruptedException {
        ReplicaState state = store.state();
        if (state.cursor() == null || state.selection() == null) {
            return sync();
        }
        try {
            Wire.Page first = exchange.page(
                path(state.cursor(), state.selection(), WAIT), call -> {
                    waiting = call;
                    if (isClosed) {
                        call.cancel();
                    }
                });
            writing.lockInterruptibly();
            try {
                return apply(first, state, state.selection(), false);
            } finally {
                writing.unlock();
            }
        } catch (HistoryLostException lost) {
            return sync();
        } catch (SyncException error) {
            // Whoever changed the replica has ended the call.
            if (!isClosed && store.state().commits() != state.commits()) {
                return null;
            }
            throw error;
        } finally {
            waiting = null;
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    /** Ends {@link #follow}. The store is the caller's. */
    @Override
    public void close() {
        isClosed = true;
        cancelWaiting();
    }

    private void cancelWaiting() {
        Transport.Call call = waiting;
        if (call != null) {
            call.cancel();
        }
    }

    private SyncReport pull(Wish wish) throws SyncException, InterruptedException {
        writing.lockInterruptibly();
        try {
            for (int beginning = 0; beginning < BEGINNINGS; beginning++) {
                SyncReport report = pullOnce(wish);
                if (report != null) {
                    if (report.hasCommitted()) {
                        cancelWaiting();
                    }
                    return report;
                }
            }
            throw new SyncException(SyncException.Kind.BUSY, "something else keeps writing to the store");
        } catch (HistoryLostException lost) {
            throw SyncException.wrongReply("the history was lost twice");
        } finally {
            writing.unlock();
        }
    }

    /** Null when something else wrote to the store meanwhile. */
    private SyncReport pullOnce(Wish wish) throws SyncException, HistoryLostException, InterruptedException {
        ReplicaState state = store.state();
        LevelSelection wanted = wish.of(state);
        SyncReport report;
        try {
            return apply(exchange.page(path(state.cursor(), wanted, 0), null), state, wanted, false);
        } catch (HistoryLostException lost) {
            report = startOver(state, wanted, lost.restart());
        }
        if (report == null) {
            return null;
        }
        // A 410 says less of its revision than a change set, and time has gone by. The replica is whole already, so what cannot be had
        // of that now can be had with the next synchronization.
        try {
            ReplicaState next = store.state();
            SyncReport rest = apply(exchange.page(path(next.cursor(), wanted, 0), null), next, wanted, false);
            return rest == null ? report : report.and(rest);
        } catch (SyncException | HistoryLostException error) {
            return report;
        }
    }

    private String path(String cursor, LevelSelection wanted, int wait) {
        StringBuilder path = new StringBuilder("/venues/" + venue + "/sync?limit=" + pageLimit);
        if (cursor != null) {
            path.append("&since=").append(Exchange.escape(cursor));
        }
        if (wanted.names() != null) {
            wanted.names().forEach(name -> path.append("&level=").append(Exchange.escape(name)));
        }
        return (wait > 0 ? path.append("&wait=").append(wait) : path).toString();
    }

    /** Applies a change set whose first page is there; null when the store is not in this state any more. */
    private SyncReport apply(Wire.Page first, ReplicaState state, LevelSelection wanted, boolean isFromNothing)
        throws SyncException, HistoryLostException, InterruptedException {
        PageRules rules = new PageRules(venue, isFromNothing ? null : state.revision(), isFromNothing ? null : state.cursor());
        rules.check(first);
        Wire.Frame frame = first.frame();
        boolean isNews = !first.isComplete() || !first.blocks().isEmpty() || !first.cursor().equals(state.cursor())
            || !wanted.equals(state.selection()) || !frame.digest().equals(state.digest()) || !frame.about().equals(state.about());
        if (!isNews) {
            confirmedAt = System.currentTimeMillis();
            return SyncReport.unchanged(frame.to());
        }
        try (Draft draft = begin(state)) {
            if (draft == null) {
                return null;
            }
            if (isFromNothing || state.revision() == null) {
                draft.forgetAll(List.of());
            }
            draft.apply(first.blocks());
            int requests = 1;
            String cursor = first.cursor();
            for (Wire.Page page = first; !page.isComplete(); requests++) {
                String path = path(cursor, wanted, 0);
                // Asked for more than once if need be: what was read already would be lost.
                page = exchange.attempting(exchange.policy.attempts(), () -> exchange.page(path, null));
                rules.check(page);
                draft.apply(page.blocks());
                cursor = page.cursor();
            }
            List<String> repaired = draft.mismatches();
            for (String level : repaired) {
                String name = level.isEmpty() ? "venue" : level;
                fetch(draft, level, "/venues/" + venue + "/revisions/" + frame.to() + "/features?level=" + name);
            }
            return draft.finish(new Draft.Outcome(
                venue, wanted, cursor, frame.to(), frame.digest(), frame.about(), repaired, requests + repaired.size(), isFromNothing));
        }
    }

    private Draft begin(ReplicaState state) throws SyncException {
        ReplicaTransaction transaction = store.begin(state);
        return transaction == null ? null : new Draft(transaction, state, store.digests());
    }

    /** Replaces what is held under a level by what the server has. */
    private void fetch(Draft draft, String level, String path) throws SyncException, HistoryLostException, InterruptedException {
        exchange.attempting(exchange.policy.attempts(), () -> {
            draft.forget(level);
            exchange.collection(path, Draft.level(level), draft::put);
            return null;
        });
    }

    /** The server has lost the history that the replica comes from. Levels that are still right are kept. */
    private SyncReport startOver(ReplicaState state, LevelSelection wanted, Wire.Restart restart)
        throws SyncException, HistoryLostException, InterruptedException {
        if (restart == null) {
            return apply(exchange.page(path(null, wanted, 0), null), state, wanted, true);
        }
        Map<String, Wire.RestartLevel> entries = new TreeMap<>();
        for (Wire.RestartLevel entry : restart.levels()) {
            if (entries.put(Draft.key(entry.level()), entry) != null) {
                throw SyncException.wrongReply("a level twice");
            }
        }
        try (Draft draft = begin(state)) {
            if (draft == null) {
                return null;
            }
            draft.forgetAll(entries.keySet());
            entries.forEach((level, entry) -> draft.expect(level, entry.digest()));
            List<String> wrong = draft.mismatches();
            for (String level : wrong) {
                fetch(draft, level, Objects.requireNonNull(entries.get(level)).href());
            }
            return draft.finish(new Draft.Outcome(
                venue, wanted, restart.cursor(), restart.to(), null, null, List.of(), 1 + wrong.size(), true));
        }
    }
}
