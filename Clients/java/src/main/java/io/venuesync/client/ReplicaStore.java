package io.venuesync.client;

import java.util.Map;

/**
 * The storage of a replica. Implementations are {@link MemoryReplicaStore}, {@link FileReplicaStore} (a folder) and
 * {@link SqliteReplicaStore}.
 *
 * <p>Readers see the last committed state, whatever is being written. A level is named by its id, the venue-wide part by {@code ""}.
 */
public interface ReplicaStore extends AutoCloseable {
    interface FeatureVisitor {
        void visit(Feature feature) throws SyncException;
    }

    ReplicaState state() throws SyncException;

    /** The verified digests by level. */
    Map<String, String> digests() throws SyncException;

    /** Visits the features of a level, or of all levels if it is null, sorted by level and id. */
    void forEach(String level, FeatureVisitor visitor) throws SyncException;

    /** Null if there is no such feature. */
    Feature feature(String id) throws SyncException;

    /** Begins a transaction. Returns null if the store is no longer in this state. */
    ReplicaTransaction begin(ReplicaState expected) throws SyncException;

    @Override
    void close() throws SyncException;
}
