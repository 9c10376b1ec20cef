package io.venuesync.client;

/**
 * The state of a replica, without its features. All members may be null before the first synchronization.
 *
 * @param venue the key of the venue
 * @param commits how often the replica was changed
 * @param selection the selection of levels
 * @param cursor the cursor for the next request
 * @param revision the revision of the replica
 * @param digest of that revision, as sent by the server; null after starting over
 * @param syncedAt when this was stored, in milliseconds since 1970
 * @param signedHead the statement that the content was verified with, as received; null if no keys were trusted
 */
public record ReplicaState(
    String venue, long commits, LevelSelection selection, String cursor, Long revision, String digest, About about, long syncedAt,
    String signedHead) {
    static final ReplicaState EMPTY = new ReplicaState(null, 0, null, null, null, null, new About(null, null, null), 0, null);
}
