package io.venuesync.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A store that tests can reopen, and whose disk they can fill. */
final class TestStore implements AutoCloseable {
    interface Opening {
        ReplicaStore open() throws Exception;
    }

    interface Filling {
        void fill(boolean isFull) throws Exception;
    }

    private final Opening opening;
    private final Filling filling;
    private final List<JdbcDatabase> connections = new ArrayList<>();
    private ReplicaStore store;

    TestStore(Opening opening, Filling filling) throws Exception {
        this.opening = opening;
        this.filling = filling;
    }

    static TestStore inFolder(Path folder) throws Exception {
        TestStore[] made = new TestStore[1];
        made[0] = new TestStore(
            () -> new FileReplicaStore(folder.resolve("replica")),
            isFull -> ((FileReplicaStore) made[0].open()).remainingBytes = isFull ? 1000 : Long.MAX_VALUE);
        return made[0];
    }

    /** True if a JDBC driver for SQLite is available. In CI it is required. */
    static boolean hasSqlite() {
        try {
            Class.forName("org.sqlite.JDBC");
            return true;
        } catch (ClassNotFoundException error) {
            Check.that(System.getenv("CI") == null, "there is no JDBC driver for SQLite");
            System.out.println("  passed over: there is no JDBC driver for SQLite");
            return false;
        }
    }

    static TestStore inSqlite(Path folder) throws Exception {
        TestStore[] made = new TestStore[1];
        JdbcDatabase[] writer = new JdbcDatabase[1];
        made[0] = new TestStore(() -> {
            writer[0] = connect(folder);
            JdbcDatabase reader = connect(folder);
            made[0].connections.add(writer[0]);
            made[0].connections.add(reader);
            return new SqliteReplicaStore(writer[0], reader);
        }, isFull -> {
            made[0].open();
            String[] pages = new String[1];
            writer[0].query("PRAGMA page_count", row -> pages[0] = row.text(0));
            writer[0].query("PRAGMA max_page_count = " + (isFull ? pages[0] : "1073741823"), row -> {});
        });
        return made[0];
    }

    private static JdbcDatabase connect(Path folder) throws Exception {
        return new JdbcDatabase(DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("replica.sqlite")));
    }

    ReplicaStore open() throws Exception {
        if (store == null) {
            store = opening.open();
        }
        return store;
    }

    void reopen() throws SyncException {
        close();
    }

    boolean canBeFull() {
        return filling != null;
    }

    void fill(boolean isFull) throws Exception {
        if (filling != null) {
            filling.fill(isFull);
        }
    }

    @Override
    public void close() throws SyncException {
        if (store != null) {
            store.close();
            store = null;
        }
        for (JdbcDatabase connection : connections) {
            try {
                connection.close();
            } catch (java.sql.SQLException error) {
                throw new AssertionError(error);
            }
        }
        connections.clear();
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
