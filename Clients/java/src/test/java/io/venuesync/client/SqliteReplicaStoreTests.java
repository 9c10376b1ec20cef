package io.venuesync.client;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;

final class SqliteReplicaStoreTests {
    @Test("Readers of a SQLite store see the previous state until a commit, and the new one afterwards")
    void isolation() throws Exception {
        if (!TestStore.hasSqlite()) {
            return;
        }
        Path folder = Files.createTempDirectory("venuesync-java");
        try (TestStore test = TestStore.inSqlite(folder)) {
            ReplicaStore store = test.open();
            String shop = Pages.named("a1", "unit", "Shop");
            ScriptedTransport transport = new ScriptedTransport(Pages.response(null, 1, "one", Pages.snapshot(Pages.GROUND, shop)));
            transport.replica(store).sync();
            ReplicaState state = store.state();
            try (ReplicaTransaction transaction = store.begin(state)) {
                transaction.delete(transaction.feature(Pages.id("a1")));
                Check.same(transaction.feature(Pages.id("a1")), null, "in the transaction");
                Check.same(store.feature(Pages.id("a1")).json(), shop, "for readers");
            }
            Check.same(store.feature(Pages.id("a1")).json(), shop, "after it was undone");
            Check.same(
                store.begin(new ReplicaState("mall", 99, null, null, null, null, state.about(), 0, null)), null, "from another state");
            Check.same(transport.replica(store).damagedLevels(), List.of(), "damage");
        } finally {
            TestStore.delete(folder);
        }
    }

    @Test("Following a SQLite file reports what another store on the same file commits")
    void shared() throws Exception {
        if (!TestStore.hasSqlite()) {
            return;
        }
        Path folder = Files.createTempDirectory("venuesync-java");
        try (TestStore first = TestStore.inSqlite(folder); TestStore second = TestStore.inSqlite(folder)) {
            ScriptedTransport transport = new ScriptedTransport(
                Pages.response(null, 1, "one", Pages.snapshot(null)), Pages.response(1, 2, "two"), Pages.response(2, 3, "three"));
            VenueReplica replica = transport.replica(first.open());
            VenueReplica other = transport.replica(second.open());
            replica.sync();
            other.sync();
            List<String> reports = new ArrayList<>();
            replica.follow(report -> {
                reports.add(report.from() + " to " + report.to() + " " + report.isExternal());
                if (report.to() == 3) {
                    replica.close();
                }
            });
            Check.same(reports, List.of("1 to 2 true", "2 to 3 false"), "the reports");
        } finally {
            TestStore.delete(folder);
        }
    }

    @Test("A SQLite file that another process writes is busy and unchanged")
    void busy() throws Exception {
        if (!TestStore.hasSqlite()) {
            return;
        }
        Path folder = Files.createTempDirectory("venuesync-java");
        String url = "jdbc:sqlite:" + folder.resolve("replica.sqlite");
        try (JdbcDatabase writer = new JdbcDatabase(DriverManager.getConnection(url));
                JdbcDatabase other = new JdbcDatabase(DriverManager.getConnection(url))) {
            ReplicaStore store = new SqliteReplicaStore(writer, other);
            writer.query("PRAGMA busy_timeout = 0", row -> {});
            ScriptedTransport.PreparedResponse response = Pages.response(null, 1, "one", Pages.snapshot(null));
            VenueReplica replica = new ScriptedTransport(response, response).replica(store);
            other.execute("BEGIN IMMEDIATE");
            Check.fails(SyncException.Kind.BUSY, replica::sync);
            other.execute("ROLLBACK");
            Check.same(replica.levels(), List.of(), "the levels");
            Check.same(replica.sync().to(), 1L, "the revision");
        } finally {
            TestStore.delete(folder);
        }
    }

    /** A connection that lets another one act before or after one of its statements. */
    private record InterruptedDatabase(SqlDatabase database, String sql, Check.Body before, Check.Body after) implements SqlDatabase {
        @Override
        public void execute(String statement, Object... values) throws Exception {
            run(statement, () -> database.execute(statement, values));
        }

        @Override
        public void query(String statement, RowVisitor visitor, String... values) throws Exception {
            run(statement, () -> database.query(statement, visitor, values));
        }

        private void run(String statement, Check.Body body) throws Exception {
            if (statement.equals(sql)) {
                before.run();
            }
            body.run();
            if (statement.equals(sql)) {
                after.run();
            }
        }
    }

    @Test("An intact SQLite file that another process writes while it is verified is not damaged")
    void writtenWhileVerified() throws Exception {
        if (!TestStore.hasSqlite()) {
            return;
        }
        Path folder = Files.createTempDirectory("venuesync-java");
        String url = "jdbc:sqlite:" + folder.resolve("replica.sqlite");
        String shop = Pages.named("a1", "unit", "Shop");
        String baker = Pages.named("a1", "unit", "Baker");
        try (TestStore test = TestStore.inSqlite(folder);
                JdbcDatabase writer = new JdbcDatabase(DriverManager.getConnection(url));
                JdbcDatabase reader = new JdbcDatabase(DriverManager.getConnection(url))) {
            VenueReplica replica = new ScriptedTransport(
                Pages.response(null, 1, "one", Pages.snapshot(Pages.GROUND, shop)),
                Pages.response(1, 2, "two", Pages.block(Pages.GROUND, "changes", Pages.digest(baker), List.of(baker)))).replica(test.open());
            replica.sync();
            SqlDatabase interrupted = new InterruptedDatabase(writer, "SELECT level, digest FROM level", () -> {}, replica::sync);
            SqliteReplicaStore store = new SqliteReplicaStore(interrupted, reader);
            Check.that(!store.wasDamaged(), "a commit between two queries is no damage");
            Check.same(store.state().revision(), 2L, "the revision");
            Check.same(store.feature(Pages.id("a1")).json(), baker, "the feature");

            try (JdbcDatabase other = new JdbcDatabase(DriverManager.getConnection(url))) {
                String digest = store.digests().get(Pages.GROUND);
                other.execute("UPDATE level SET digest = 'sha-256:0' WHERE level = ?", Pages.GROUND);
                Check.Body mending = () -> other.execute("UPDATE level SET digest = ? WHERE level = ?", digest, Pages.GROUND);
                store = new SqliteReplicaStore(new InterruptedDatabase(writer, "BEGIN IMMEDIATE", mending, () -> {}), reader);
                Check.that(!store.wasDamaged(), "what another process mended is no damage");
                Check.same(store.state().revision(), 2L, "the revision");
            }
        } finally {
            TestStore.delete(folder);
        }
    }

    @Test("An intact SQLite file opens while another process holds the write lock")
    void opensWhileWritten() throws Exception {
        if (!TestStore.hasSqlite()) {
            return;
        }
        Path folder = Files.createTempDirectory("venuesync-java");
        String url = "jdbc:sqlite:" + folder.resolve("replica.sqlite");
        try (TestStore test = TestStore.inSqlite(folder);
                JdbcDatabase writer = new JdbcDatabase(DriverManager.getConnection(url));
                JdbcDatabase other = new JdbcDatabase(DriverManager.getConnection(url))) {
            new ScriptedTransport(Pages.response(null, 1, "one", Pages.snapshot(null))).replica(test.open()).sync();
            writer.query("PRAGMA busy_timeout = 0", row -> {});
            other.execute("BEGIN IMMEDIATE");
            SqliteReplicaStore store = new SqliteReplicaStore(writer, writer);
            Check.same(store.state().revision(), 1L, "the revision");
            other.execute("ROLLBACK");
        } finally {
            TestStore.delete(folder);
        }
    }

    @Test("Damaged levels of a SQLite file are not read, and the next synchronization fetches them")
    void damaged() throws Exception {
        if (!TestStore.hasSqlite()) {
            return;
        }
        String shop = Pages.named("a1", "unit", "Shop");
        String level = Pages.feature("f0", "level", "");
        for (String statement : List.of(
                "UPDATE feature SET body = CAST(replace(CAST(body AS TEXT), 'Shop', 'Shob') AS BLOB)", "UPDATE feature SET type = 'vnit' WHERE type = 'unit'",
                "UPDATE feature SET id = '" + Pages.id("a0") + "' WHERE type = 'unit'", "DELETE FROM feature WHERE type = 'unit'",
                "UPDATE feature SET level = 'x' WHERE type = 'unit'", "UPDATE level SET digest = 'sha-256:0' WHERE level <> ''")) {
            Path folder = Files.createTempDirectory("venuesync-java");
            try (TestStore test = TestStore.inSqlite(folder)) {
                ScriptedTransport.PreparedResponse everything =
                    Pages.response(null, 1, "one", Pages.snapshot(null, level), Pages.snapshot(Pages.GROUND, shop));
                new ScriptedTransport(everything).replica(test.open()).sync();
                test.reopen();
                try (JdbcDatabase database =
                        new JdbcDatabase(DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("replica.sqlite")))) {
                    database.execute(statement);
                }
                SqliteReplicaStore store = (SqliteReplicaStore) test.open();
                Check.that(store.wasDamaged(), "the damage is found: " + statement);
                VenueReplica replica = new ScriptedTransport(everything).replica(store);
                Check.same(replica.allFeatures("unit"), List.of(), statement);
                Check.same(replica.features(null).get(0).json(), level, "what is left");
                Check.same(store.state().revision(), null, "the revision");
                Check.same(store.state().cursor(), null, "the cursor");
                SyncReport report = replica.sync();
                Check.same(replica.allFeatures("unit").get(0).json(), shop, "what is fetched");
                Check.same(replica.features(null).size(), 1, "the venue-wide part");
                Check.same(report.levelsAdded().size(), 1, "the levels that are added");
                test.reopen();
                Check.that(!((SqliteReplicaStore) test.open()).wasDamaged(), "the damage is mended");
            } finally {
                TestStore.delete(folder);
            }
        }
    }
}
