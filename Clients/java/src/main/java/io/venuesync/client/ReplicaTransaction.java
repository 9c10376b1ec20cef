package io.venuesync.client;

/** A change to a replica of which everything becomes visible at once, or nothing. Belongs to one thread. */
public interface ReplicaTransaction extends AutoCloseable {
    /** Whether nothing was held when it began. */
    boolean isFresh();

    /** As the transaction has it by now; null when there is none. */
    Feature feature(String id) throws SyncException;

    /** Replaces what is held under the feature's id, on whichever level. */
    void put(Feature feature) throws SyncException;

    void delete(Feature feature) throws SyncException;

    /** Goes through the features under a level in the order of ids. */
    void forEach(String level, ReplicaStore.FeatureVisitor visitor) throws SyncException;

    /** Deletes all features under a level, which is not held any more. */
    void forget(String level) throws SyncException;

    /** Notes that a level is held, and its digest. */
    void hold(String level, String digest) throws SyncException;

    void commit(ReplicaState state) throws SyncException;

    /** Undoes everything unless it was committed. */
    @Override
    void close() throws SyncException;
}
