package io.venuesync.client;

import java.time.Duration;

/** Receives the events of {@link VenueReplica#follow}, on the thread that calls it. What {@link #onChange} throws ends it. */
public interface FollowListener {
    /** The replica has changed, also if another process has stored the change: then {@link SyncReport#isExternal()}. */
    void onChange(SyncReport report) throws SyncException;

    /** The first successful response, or the first after failures: the replica has the newest state. */
    default void onConnected() {}

    /** A request failed and is repeated after a pause. */
    default void onSetback(SyncException error, Duration pause) {}
}
