package io.venuesync.client;

import java.util.Map;

/**
 * Where a replica is kept. {@link MemoryReplicaStore}, {@link FileReplicaStore} (a folder) and {@link SqliteReplicaStore} are there.
 *
 * <p>Readers see the last state that was committed, whatever is being written. Levels are written by their id, and {@code ""} stands
 * for the venue-wide part.
 */
public interface ReplicaStore extends AutoCloseable {
    interface FeatureVisitor {
        void visit(Feature feature) throws SyncException;
    }

    ReplicaState state() throws SyncException;

    /** By level, the digests that were proved when they were stored. */
    Map<String, String> digests() throws SyncException;

    /** Goes through the features under a level, or under all when it is null, by level and in the order of ids. */
    void forEach(String level, FeatureVisitor visitor) throws SyncException;

    /** Null when there is none. */
    Feature feature(String id) throws SyncException;

    /** Begins a transaction. Returns null when the store is not in this state any more. */
    ReplicaTransaction begin(ReplicaState expected) throws SyncException;

    @Override
    void close() throws SyncException;
}
