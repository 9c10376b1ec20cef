package io.venuesync.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A verified local copy of a venue or of some of its levels.
 *
 * <p>The replica can be read with or without a network; read first, then {@link #sync()}. A change set is applied in one transaction of the
 * store together with its cursor, so the replica always has exactly one revision.
 *
 * <p>All methods may be called from any thread; writers wait for each other.
 */
public final class VenueReplica implements AutoCloseable {
    /** How often a synchronization is started again because the store has been written meanwhile. */
    private static final int MAX_ATTEMPTS = 5;
    /** Seconds for which the server may delay a response until something changes. */
    private static final int WAIT = 25;

    private final ReplicaStore store;
    private final ServerConnection connection;
    private final ReentrantLock writing = new ReentrantLock();
    private final SearchIndex index = new SearchIndex();
    private final ExternalCommits externalCommits;
    private volatile Transport.Call waiting;
    private volatile boolean isClosed;
    /** Notified after a success and when the replica is closed, for those that pause. */
    private final Object pauses = new Object();
    /** How many calls have brought the replica up to date. */
    private long successes;
    private final boolean isTrusting;
    final VenueSynchronizer synchronizer;

    /**
     * @param server such as {@code https://maps.example.com}
     * @param venue the key of the venue
     * @param key a key with the role {@code read}; null for a public venue. It is sent only to this server
     * @throws IllegalArgumentException for an invalid address or venue key
     * @throws SyncException if the store contains another venue
     */
    public VenueReplica(ReplicaStore store, String server, String venue, String key) throws SyncException {
        this(store, server, venue, key, (TrustedKeys) null);
    }

    /**
     * The same with trusted keys: a revision is applied only if one of them has signed it, if the statement about it has not expired, and if
     * it is not older than what is held. The program then does not have to trust the server, a cache, or the network.
     */
    public VenueReplica(ReplicaStore store, String server, String venue, String key, TrustedKeys trust) throws SyncException {
        this(store, server, venue, key, trust, new HttpTransport(), new RetryPolicy(), 50_000);
    }

    /** The same as the next one without trusted keys. */
    public VenueReplica(
        ReplicaStore store, String server, String venue, String key, Transport transport, RetryPolicy policy, int pageLimit)
        throws SyncException {
        this(store, server, venue, key, null, transport, policy, pageLimit);
    }

    /** @param pageLimit the maximum number of features and removals on a page; the server also ends a page at 8 MiB */
    public VenueReplica(
        ReplicaStore store, String server, String venue, String key, TrustedKeys trust, Transport transport, RetryPolicy policy,
        int pageLimit) throws SyncException {
        if (!venue.matches("(?=.{1,64}$)[a-z0-9-]+(\\.[a-z0-9-]+)*")) {
            throw new IllegalArgumentException("“" + venue + "” is not a venue key");
        }
        ReplicaState opened = store.state();
        String held = opened.venue();
        if (held != null && !held.equals(venue)) {
            throw new SyncException(SyncException.Kind.STORE, "the store holds the venue " + held);
        }
        this.store = store;
        this.externalCommits = new ExternalCommits(opened);
        this.connection = new ServerConnection(server, key, transport, policy);
        this.isTrusting = trust != null;
        this.synchronizer = new VenueSynchronizer(store, venue, connection, pageLimit, externalCommits, trust);
    }

    // Reading. These methods send no requests.

    public ReplicaState state() throws SyncException {
        return store.state();
    }

    /** When a server last confirmed that this is the newest state, in milliseconds since 1970; 0 if never. */
    public long syncedAt() throws SyncException {
        return Math.max(store.state().syncedAt(), synchronizer.confirmedAt);
    }

    /** The venue-wide part and all levels of the venue in ascending order, held or not. */
    public List<Level> levels() throws SyncException {
        return Level.all(store);
    }

    /** The features of a level; null is the venue-wide part. Without types, all features. */
    public List<Feature> features(String level, String... types) throws SyncException {
        return collect(ChangeSetWriter.key(level), types);
    }

    /** All features. */
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

    /** Null if there is no such feature. */
    public Feature feature(String id) throws SyncException {
        return store.feature(id.toLowerCase(java.util.Locale.ROOT));
    }

    /** Searches names in all languages and categories; best matches first. An empty text matches all names. */
    public List<SearchResult> search(String text, int limit, String... types) throws SyncException {
        return index.search(store, text, limit, Arrays.asList(types), false);
    }

    /**
     * The results of {@link #search}, followed by features that match without spaces, by the names of their category or by synonyms, in
     * English and Japanese; if nothing is found then, together with the names of their floor and building, such as {@code room 102 L1}; and
     * if nothing is found then, with one spelling mistake, but never with another digit.
     */
    public List<SearchResult> searchRelated(String text, int limit, String... types) throws SyncException {
        return index.search(store, text, limit, Arrays.asList(types), true);
    }

    /** Verifies all digests; returns the levels that differ, the venue-wide part as null. */
    public List<String> damagedLevels() throws SyncException {
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, String> entry : store.digests().entrySet()) {
            Digest digest = new Digest();
            store.forEach(entry.getKey(), feature -> digest.add(feature.body()));
            if (!digest.text().equals(entry.getValue())) {
                wrong.add(ChangeSetWriter.level(entry.getKey()));
            }
        }
        return wrong;
    }

    // Synchronization.

    /** Brings the replica up to date with the newest revision. Uses the stored selection, which initially is everything. */
    public SyncReport sync() throws SyncException, InterruptedException {
        return pull(state -> state.selection() == null ? LevelSelection.EVERYTHING : state.selection());
    }

    /** The same with a new selection: new levels are downloaded, others dropped. */
    public SyncReport sync(LevelSelection selection) throws SyncException, InterruptedException {
        return pull(state -> selection);
    }

    /** Adds levels to the selection and brings the replica up to date. */
    public SyncReport add(String... levels) throws SyncException, InterruptedException {
        return add(LevelSelection.of(levels));
    }

    private SyncReport add(LevelSelection added) throws SyncException, InterruptedException {
        return pull(state -> state.selection() == null ? added : state.selection().adding(added));
    }

    /** Removes levels from the selection and brings the replica up to date, which deletes them. */
    public SyncReport drop(String... levels) throws SyncException, InterruptedException {
        LevelSelection dropped = LevelSelection.of(levels);
        return pull(state -> {
            List<Level> held = new ArrayList<>(levels());
            held.removeIf(level -> !level.isHeld());
            return (state.selection() == null ? LevelSelection.EVERYTHING : state.selection()).dropping(dropped, held);
        });
    }

    /** The same as {@link #follow(LevelSelection, FollowListener)} without levels to add. */
    public void follow(FollowListener listener) throws SyncException, InterruptedException {
        follow(null, listener);
    }

    /**
     * Keeps the replica up to date with long polls until the thread is interrupted or the replica is closed. Retries after every failure,
     * also after a refused key, which may be granted again, a venue that does not exist, and a full disk. A pause ends as soon as another
     * call has reached the server.
     *
     * @param adding levels to add to the selection with the first synchronization that succeeds, so a floor can be chosen without a
     *     network; null for none. If nothing is selected yet and none is given, all levels are selected
     * @throws SyncException of the kind {@link SyncException.Kind#STORE} if the store cannot be used
     */
    public void follow(LevelSelection adding, FollowListener listener) throws SyncException, InterruptedException {
        new FollowLoop(connection.policy, adding, listener, new FollowLoop.Source() {
            @Override
            public boolean isClosed() {
                return isClosed;
            }

            @Override
            public SyncReport externalChanges() throws SyncException {
                return externalCommits.report(store.state());
            }

            @Override
            public SyncReport poll(LevelSelection missing, boolean waits) throws SyncException, InterruptedException {
                return missing == null ? requestAndApply(waits) : add(missing);
            }

            @Override
            public long successes() {
                synchronized (pauses) {
                    return successes;
                }
            }

            @Override
            public void pause(Duration duration, long count) throws InterruptedException {
                long end = System.nanoTime() + duration.toNanos();
                synchronized (pauses) {
                    for (long rest = end - System.nanoTime(); rest > 0 && successes == count && !isClosed; rest = end - System.nanoTime()) {
                        TimeUnit.NANOSECONDS.timedWait(pauses, rest);
                    }
                }
            }
        }).run();
    }

    /** Requests changes, waits for them, and applies them. Others may write meanwhile; then it returns null. */
    private SyncReport requestAndApply(boolean waits) throws SyncException, InterruptedException {
        ReplicaState state = store.state();
        if (state.cursor() == null || state.selection() == null) {
            return sync();
        }
        try {
            Wire.Page first = connection.deltaPage(
                synchronizer.path(state.cursor(), state.selection(), waits ? WAIT : 0, null), state.cursor(), store, call -> {
                    waiting = call;
                    if (isClosed) {
                        call.cancel();
                    }
                });
            if (isTrusting) {
                // The response is only the signal to request the next head.
                if (!synchronizer.isConfirmed(first, state)) {
                    return sync();
                }
                return SyncReport.unchanged(first.frame().to());
            }
            writing.lockInterruptibly();
            try {
                return synchronizer.apply(first, state, state.selection(), false, null);
            } finally {
                writing.unlock();
            }
        } catch (HistoryLostException lost) {
            return sync();
        } catch (SyncException error) {
            // The call was cancelled because the replica was changed.
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

    /** Ends {@link #follow}. Does not close the store. */
    @Override
    public void close() {
        isClosed = true;
        cancelWaiting();
        synchronized (pauses) {
            pauses.notifyAll();
        }
    }

    private void cancelWaiting() {
        Transport.Call call = waiting;
        if (call != null) {
            call.cancel();
        }
    }

    private SyncReport pull(VenueSynchronizer.SelectionChange selection) throws SyncException, InterruptedException {
        writing.lockInterruptibly();
        try {
            for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
                SyncReport report = synchronizer.pullOnce(selection);
                if (report != null) {
                    if (report.hasCommitted()) {
                        cancelWaiting();
                    }
                    synchronized (pauses) {
                        successes++;
                        pauses.notifyAll();
                    }
                    return report;
                }
            }
            throw new SyncException(SyncException.Kind.BUSY, "other processes keep writing to the store");
        } catch (HistoryLostException lost) {
            throw SyncException.invalidResponse("the history was lost twice");
        } finally {
            writing.unlock();
        }
    }
}
