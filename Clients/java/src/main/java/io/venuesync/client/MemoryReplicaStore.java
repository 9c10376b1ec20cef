package io.venuesync.client;

import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/** A replica in memory only. */
public class MemoryReplicaStore implements ReplicaStore {
    /** An immutable state of the replica. */
    record Contents(ReplicaState state, Map<String, String> digests, NavigableMap<String, NavigableMap<String, Feature>> levels) {
        static final Contents EMPTY =
            new Contents(ReplicaState.EMPTY, Collections.emptyMap(), Collections.emptyNavigableMap());

        Feature feature(String id) {
            for (NavigableMap<String, Feature> level : levels.values()) {
                Feature found = level.get(id);
                if (found != null) {
                    return found;
                }
            }
            return null;
        }

        NavigableMap<String, Feature> level(String level) {
            return levels.getOrDefault(level, Collections.emptyNavigableMap());
        }
    }

    private final ReentrantLock writing = new ReentrantLock();
    private volatile Contents contents = Contents.EMPTY;

    public MemoryReplicaStore() {}

    MemoryReplicaStore(Contents contents) {
        this.contents = contents;
    }

    final void replace(Contents contents) {
        this.contents = contents;
    }

    @Override
    public final ReplicaState state() {
        return contents.state();
    }

    @Override
    public final Map<String, String> digests() {
        return contents.digests();
    }

    @Override
    public final void forEach(String level, FeatureVisitor visitor) throws SyncException {
        Contents now = contents;
        for (Map.Entry<String, NavigableMap<String, Feature>> entry : now.levels().entrySet()) {
            if (level == null || level.equals(entry.getKey())) {
                for (Feature feature : entry.getValue().values()) {
                    visitor.visit(feature);
                }
            }
        }
    }

    @Override
    public final Feature feature(String id) {
        return contents.feature(id);
    }

    @Override
    public final ReplicaTransaction begin(ReplicaState expected) {
        writing.lock();
        if (contents.state().commits() != expected.commits()) {
            writing.unlock();
            return null;
        }
        return new MemoryTransaction();
    }

    /** Stores a state permanently. An exception cancels the commit. */
    void persist(Contents next) throws SyncException {}

    @Override
    public void close() throws SyncException {}

    /** A transaction that copies a level on its first change. */
    private final class MemoryTransaction implements ReplicaTransaction {
        private final NavigableMap<String, NavigableMap<String, Feature>> levels = new TreeMap<>(contents.levels());
        private final Map<String, String> digests = new TreeMap<>(contents.digests());
        private final Set<String> copied = new HashSet<>();
        private boolean isOpen = true;

        private NavigableMap<String, Feature> writable(String level) {
            if (copied.add(level)) {
                NavigableMap<String, Feature> former = levels.get(level);
                levels.put(level, former == null ? new TreeMap<>() : new TreeMap<>(former));
            }
            return levels.get(level);
        }

        @Override
        public boolean isFresh() {
            return contents.levels().isEmpty();
        }

        @Override
        public Feature feature(String id) {
            return new Contents(null, null, levels).feature(id);
        }

        @Override
        public void put(Feature feature) {
            Feature former = feature(feature.id());
            String level = ChangeSetWriter.key(feature.level());
            if (former != null && !ChangeSetWriter.key(former.level()).equals(level)) {
                delete(former);
            }
            writable(level).put(feature.id(), feature);
        }

        @Override
        public void delete(Feature feature) {
            writable(ChangeSetWriter.key(feature.level())).remove(feature.id());
        }

        @Override
        public void forEach(String level, FeatureVisitor visitor) throws SyncException {
            for (Feature feature : levels.getOrDefault(level, Collections.emptyNavigableMap()).values()) {
                visitor.visit(feature);
            }
        }

        @Override
        public void clear(String level) {
            levels.remove(level);
            copied.remove(level);
            digests.remove(level);
        }

        @Override
        public void setDigest(String level, String digest) {
            digests.put(level, digest);
            levels.computeIfAbsent(level, name -> new TreeMap<>());
        }

        @Override
        public void commit(ReplicaState state) throws SyncException {
            levels.keySet().retainAll(digests.keySet());
            Contents next = new Contents(
                state, Collections.unmodifiableMap(digests), Collections.unmodifiableNavigableMap(levels));
            persist(next);
            contents = next;
        }

        @Override
        public void close() {
            if (isOpen) {
                isOpen = false;
                writing.unlock();
            }
        }
    }
}
