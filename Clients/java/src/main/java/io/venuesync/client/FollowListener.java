package io.venuesync.client;

import java.time.Duration;

/** Receives the events of {@link VenueReplica#follow}, on the thread that calls it. */
public interface FollowListener {
    /** The replica has changed. */
    void onChange(SyncReport report);

    /** The first successful response, or the first after failures: the replica has the newest state. */
    default void onConnected() {}

    /** A request failed and is repeated after a pause. */
    default void onSetback(SyncException error, Duration pause) {}
}
