package io.venuesync.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A replica in a SQLite database. A commit is one transaction of SQLite.
 *
 * <p>The file is verified when the store is opened, which reads all of it.
 */
public final class SqliteReplicaStore implements ReplicaStore {
    private static final String FORMAT = "1";
    private static final String[] SCHEMA = {
        "CREATE TABLE IF NOT EXISTS state (one INTEGER PRIMARY KEY CHECK (one = 1), format TEXT NOT NULL, venue TEXT,"
            + " commits INTEGER NOT NULL, selection TEXT, cursor TEXT, revision INTEGER, digest TEXT, language TEXT, time_zone TEXT,"
            + " country TEXT, synced_at INTEGER NOT NULL)",
        "CREATE TABLE IF NOT EXISTS signed_head (one INTEGER PRIMARY KEY CHECK (one = 1), document TEXT)",
        "CREATE TABLE IF NOT EXISTS level (level TEXT PRIMARY KEY, digest TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE IF NOT EXISTS feature (level TEXT NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, body BLOB NOT NULL)",
        "CREATE UNIQUE INDEX IF NOT EXISTS feature_level_id ON feature (level, id)",
        "CREATE UNIQUE INDEX IF NOT EXISTS feature_id ON feature (id)",
    };
    private static final String INITIAL_STATE =
        "INSERT OR IGNORE INTO state (one, format, commits, synced_at) VALUES (1, '" + FORMAT + "', 0, 0)";

    private final SqlDatabase writer;
    private final SqlDatabase reader;
    private final ReentrantLock writing = new ReentrantLock();
    private final ReentrantLock reading = new ReentrantLock();
    private final boolean isDamaged;

    /**
     * Creates the tables if they do not exist. Damaged levels are deleted and fetched by the next synchronization.
     *
     * @param writer the connection for writing
     * @param reader another connection to the same file, so that readers see the last commit while a change is being written. If a
     *     database object has a connection for every thread, as on Android with write-ahead logging, both may be the same object
     * @throws SyncException of the kind {@link SyncException.Kind#STORE} if SQLite cannot read the file. The program may then delete it, and
     *     the next synchronization fetches everything
     */
    public SqliteReplicaStore(SqlDatabase writer, SqlDatabase reader) throws SyncException {
        this.writer = writer;
        this.reader = reader;
        query(writer, "PRAGMA journal_mode = WAL", row -> {});
        for (String statement : SCHEMA) {
            execute(statement);
        }
        // An undamaged file is only read: another process may hold the write lock for as long as a download takes.
        List<String> formats = new ArrayList<>(1);
        query(writer, "SELECT format FROM state", row -> formats.add(row.text(0)));
        if (formats.isEmpty()) {
            execute(INITIAL_STATE);
        } else if (!FORMAT.equals(formats.get(0))) {
            throw new SyncException(SyncException.Kind.STORE, "the file was written by another version of this package");
        }
        query(writer, "PRAGMA integrity_check(1)", row -> {
            if (!"ok".equals(row.text(0))) {
                throw new SyncException(SyncException.Kind.STORE, "the file is damaged: " + row.text(0));
            }
        });
        isDamaged = hasDamagedLevels() && !deleteDamagedLevels().isEmpty();
    }

    /** True if damaged levels were deleted when the store was opened. */
    public boolean wasDamaged() {
        return isDamaged;
    }

    /** Reads in one transaction: of two states that another process wrote, the digests of one are not those of the other. */
    private boolean hasDamagedLevels() throws SyncException {
        execute("BEGIN");
        try {
            return !damagedLevels(writer).isEmpty();
        } finally {
            execute("ROLLBACK");
        }
    }

    /** The levels whose features do not have their digest, are not what their bodies say, or belong to a level that is not held. */
    private static Set<String> damagedLevels(SqlDatabase database) throws SyncException {
        Map<String, String> expected = new TreeMap<>();
        query(database, "SELECT level, digest FROM level", row -> expected.put(row.text(0), row.text(1)));
        Map<String, Digest> computed = new TreeMap<>();
        expected.keySet().forEach(level -> computed.put(level, new Digest()));
        Set<String> damaged = new TreeSet<>();
        query(database, "SELECT id, type, level, body FROM feature ORDER BY level, id", row -> {
            String level = row.text(2);
            byte[] body = row.bytes(3);
            Digest digest = computed.get(level);
            if (digest == null || !isFeature(body, row.text(0), row.text(1))) {
                damaged.add(level);
            } else {
                digest.add(body);
            }
        });
        expected.forEach((level, digest) -> {
            if (!computed.get(level).text().equals(digest)) {
                damaged.add(level);
            }
        });
        return damaged;
    }

    private static boolean isFeature(byte[] body, String id, String type) {
        try {
            Feature feature = Wire.feature(null, body);
            return feature.id().equals(id) && feature.type().equals(type);
        } catch (SyncException error) {
            return false;
        }
    }

    /** Returns the levels that it deleted. */
    private Set<String> deleteDamagedLevels() throws SyncException {
        execute("BEGIN IMMEDIATE");
        boolean isCommitted = false;
        try {
            // Another process may have written since.
            Set<String> damaged = damagedLevels(writer);
            for (String level : damaged) {
                execute("DELETE FROM feature WHERE level = ?", level);
                execute("DELETE FROM level WHERE level = ?", level);
            }
            if (!damaged.isEmpty()) {
                // Without a revision and a cursor the next synchronization replaces everything.
                execute("UPDATE state SET commits = commits + 1, revision = NULL, cursor = NULL");
            }
            execute("COMMIT");
            isCommitted = true;
            return damaged;
        } finally {
            if (!isCommitted) {
                execute("ROLLBACK");
            }
        }
    }

    @Override
    public ReplicaState state() throws SyncException {
        reading.lock();
        try {
            return state(reader);
        } finally {
            reading.unlock();
        }
    }

    private static ReplicaState state(SqlDatabase database) throws SyncException {
        List<ReplicaState> found = new ArrayList<>();
        query(
            database,
            "SELECT venue, commits, selection, cursor, revision, digest, language, time_zone, country, synced_at,"
                + " (SELECT document FROM signed_head) FROM state",
            row -> found.add(new ReplicaState(
                row.text(0), Long.parseLong(row.text(1)), LevelSelection.stored(row.text(2)), row.text(3),
                row.text(4) == null ? null : Long.valueOf(row.text(4)), row.text(5),
                new About(row.text(6), row.text(7), row.text(8)), Long.parseLong(row.text(9)), row.text(10))));
        return found.get(0);
    }

    @Override
    public Map<String, String> digests() throws SyncException {
        Map<String, String> digests = new TreeMap<>();
        reading.lock();
        try {
            query(reader, "SELECT level, digest FROM level", row -> digests.put(row.text(0), row.text(1)));
        } finally {
            reading.unlock();
        }
        return digests;
    }

    @Override
    public void forEach(String level, FeatureVisitor visitor) throws SyncException {
        reading.lock();
        try {
            visit(reader, level, visitor);
        } finally {
            reading.unlock();
        }
    }

    private static void visit(SqlDatabase database, String level, FeatureVisitor visitor) throws SyncException {
        String[] values = level == null ? new String[0] : new String[] {level};
        query(
            database,
            "SELECT id, type, level, body FROM feature" + (level == null ? "" : " WHERE level = ?") + " ORDER BY level, id",
            row -> visitor.visit(new Feature(row.text(0), row.text(1), ChangeSetWriter.level(row.text(2)), row.bytes(3))), values);
    }

    @Override
    public Feature feature(String id) throws SyncException {
        reading.lock();
        try {
            return feature(reader, id);
        } finally {
            reading.unlock();
        }
    }

    private static Feature feature(SqlDatabase database, String id) throws SyncException {
        List<Feature> found = new ArrayList<>(1);
        query(
            database, "SELECT id, type, level, body FROM feature WHERE id = ?",
            row -> found.add(new Feature(row.text(0), row.text(1), ChangeSetWriter.level(row.text(2)), row.bytes(3))), id);
        return found.isEmpty() ? null : found.get(0);
    }

    @Override
    public ReplicaTransaction begin(ReplicaState expected) throws SyncException {
        writing.lock();
        SqliteTransaction transaction = null;
        try {
            execute("BEGIN IMMEDIATE");
            transaction = new SqliteTransaction();
        } finally {
            if (transaction == null) {
                writing.unlock();
            }
        }
        try {
            if (state(writer).commits() != expected.commits()) {
                transaction.close();
                return null;
            }
            transaction.isFresh = true;
            SqliteTransaction begun = transaction;
            query(writer, "SELECT id FROM feature LIMIT 1", row -> begun.isFresh = false);
            return begun;
        } catch (SyncException error) {
            transaction.close();
            throw error;
        }
    }

    private void execute(String sql, Object... values) throws SyncException {
        try {
            writer.execute(sql, values);
        } catch (Exception error) {
            throw explain(error);
        }
    }

    private static void query(SqlDatabase database, String sql, SqlDatabase.RowVisitor visitor, String... values)
        throws SyncException {
        try {
            database.query(sql, visitor, values);
        } catch (Exception error) {
            throw explain(error);
        }
    }

    private static SyncException explain(Exception error) {
        if (error instanceof SyncException known) {
            return known;
        }
        String message = String.valueOf(error.getMessage());
        boolean isFull = message.contains("SQLITE_FULL") || message.contains("is full");
        if (isFull) {
            return new SyncException(SyncException.Kind.DISK_FULL, message, error);
        }
        boolean isBusy = message.contains("SQLITE_BUSY") || message.contains("is locked");
        return new SyncException(isBusy ? SyncException.Kind.BUSY : SyncException.Kind.STORE, message, error);
    }

    /** Does not close the connections. */
    @Override
    public void close() {}

    private final class SqliteTransaction implements ReplicaTransaction {
        private boolean isFresh;
        private boolean isOpen = true;

        @Override
        public boolean isFresh() {
            return isFresh;
        }

        @Override
        public Feature feature(String id) throws SyncException {
            return SqliteReplicaStore.feature(writer, id);
        }

        @Override
        public void put(Feature feature) throws SyncException {
            execute(
                "INSERT OR REPLACE INTO feature (level, id, type, body) VALUES (?, ?, ?, ?)", ChangeSetWriter.key(feature.level()), feature.id(),
                feature.type(), feature.body());
        }

        @Override
        public void delete(Feature feature) throws SyncException {
            execute("DELETE FROM feature WHERE id = ?", feature.id());
        }

        @Override
        public void forEach(String level, FeatureVisitor visitor) throws SyncException {
            visit(writer, level, visitor);
        }

        @Override
        public void clear(String level) throws SyncException {
            execute("DELETE FROM feature WHERE level = ?", level);
            execute("DELETE FROM level WHERE level = ?", level);
        }

        @Override
        public void setDigest(String level, String digest) throws SyncException {
            execute("INSERT OR REPLACE INTO level (level, digest) VALUES (?, ?)", level, digest);
        }

        @Override
        public void commit(ReplicaState state) throws SyncException {
            execute(
                "UPDATE state SET venue = ?, commits = ?, selection = ?, cursor = ?, revision = ?, digest = ?, language = ?,"
                    + " time_zone = ?, country = ?, synced_at = ?",
                state.venue(), state.commits(), String.valueOf(state.selection()), state.cursor(), state.revision(), state.digest(),
                state.about().language(), state.about().timeZone(), state.about().country(), state.syncedAt());
            execute("INSERT OR REPLACE INTO signed_head (one, document) VALUES (1, ?)", state.signedHead());
            execute("COMMIT");
            end();
        }

        @Override
        public void close() throws SyncException {
            if (isOpen) {
                try {
                    execute("ROLLBACK");
                } catch (SyncException error) {
                    // SQLite rolls back by itself when the disk is full. If it did not, the next transaction could not begin.
                    return;
                } finally {
                    end();
                }
            }
        }

        private void end() {
            isOpen = false;
            writing.unlock();
        }
    }
}
