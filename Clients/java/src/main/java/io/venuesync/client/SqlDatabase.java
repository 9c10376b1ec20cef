package io.venuesync.client;

/**
 * A connection to a SQLite database, as {@link SqliteReplicaStore} needs it. {@link JdbcDatabase} implements it with any JDBC driver. On
 * Android, {@code execSQL} and {@code rawQuery} of {@code SQLiteDatabase} are these two methods.
 */
public interface SqlDatabase {
    /** Runs a statement without a result. Values are strings, {@code Long}, {@code byte[]} or null. */
    void execute(String sql, Object... values) throws Exception;

    /** Runs a query. Values are strings. */
    void query(String sql, RowVisitor visitor, String... values) throws Exception;

    interface RowVisitor {
        void visit(Row row) throws Exception;
    }

    /** One row of a result; columns count from 0. */
    interface Row {
        /** Null for NULL. */
        String text(int column) throws Exception;

        byte[] bytes(int column) throws Exception;
    }
}
