package io.venuesync.client;

import java.time.Duration;

/** What {@link VenueReplica#follow} has to tell. It is told on the thread that follows. */
public interface FollowListener {
    /** The replica is another than before. */
    void onChange(SyncReport report);

    /** The server answered, for the first time or after setbacks: what is held is the newest state. */
    default void onConnected() {}

    /** The server did not answer as it should. It is asked again after a pause. */
    default void onSetback(SyncException error, Duration pause) {}
}
