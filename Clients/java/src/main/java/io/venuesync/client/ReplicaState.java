package io.venuesync.client;

/**
 * What is known of a replica, its features apart. Everything may be null before the first synchronization.
 *
 * @param venue the key of the venue
 * @param commits how often the replica was changed
 * @param selection what is wanted
 * @param cursor what to ask the server with
 * @param revision what is held
 * @param digest of that revision, as the server said; null after starting over
 * @param syncedAt when this was stored, in milliseconds since 1970
 */
public record ReplicaState(
    String venue, long commits, LevelSelection selection, String cursor, Long revision, String digest, About about, long syncedAt) {
    static final ReplicaState EMPTY = new ReplicaState(null, 0, null, null, null, null, new About(null, null, null), 0);
}
