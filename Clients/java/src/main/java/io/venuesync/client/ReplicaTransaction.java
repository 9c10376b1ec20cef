package io.venuesync.client;

/** An atomic change of a replica. Used by one thread. */
public interface ReplicaTransaction extends AutoCloseable {
    /** True if the replica was empty at the beginning. */
    boolean isFresh();

    /** The current version in this transaction; null if there is none. */
    Feature feature(String id) throws SyncException;

    /** Puts a feature and replaces the one with the same id on any level. */
    void put(Feature feature) throws SyncException;

    void delete(Feature feature) throws SyncException;

    /** Visits the features of a level, sorted by id. */
    void forEach(String level, ReplicaStore.FeatureVisitor visitor) throws SyncException;

    /** Deletes a level with all its features. */
    void clear(String level) throws SyncException;

    /** Marks a level as held and stores its digest. */
    void setDigest(String level, String digest) throws SyncException;

    void commit(ReplicaState state) throws SyncException;

    /** Rolls back unless the transaction was committed. */
    @Override
    void close() throws SyncException;
}
