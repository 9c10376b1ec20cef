package io.venuesync.client;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** SQLite through JDBC. Statements are prepared once. */
public final class JdbcDatabase implements SqlDatabase, AutoCloseable {
    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    /** Takes over a connection in auto-commit mode. */
    public JdbcDatabase(Connection connection) {
        this.connection = connection;
    }

    @Override
    public void execute(String sql, Object... values) throws SQLException {
        try {
            prepare(sql, values).executeUpdate();
        } catch (SQLException error) {
            discard(sql);
            throw error;
        }
    }

    @Override
    public void query(String sql, RowVisitor visitor, String... values) throws Exception {
        try (ResultSet result = prepare(sql, (Object[]) values).executeQuery()) {
            while (result.next()) {
                visitor.visit(new ResultRow(result));
            }
        } catch (SQLException error) {
            discard(sql);
            throw error;
        }
    }

    /** Discards a statement that failed: drivers differ in whether it can be used again. */
    private void discard(String sql) {
        try {
            PreparedStatement failed = statements.remove(sql);
            if (failed != null) {
                failed.close();
            }
        } catch (SQLException error) {
            return;
        }
    }

    private PreparedStatement prepare(String sql, Object... values) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            statements.put(sql, statement);
        }
        for (int index = 0; index < values.length; index++) {
            if (values[index] instanceof byte[] bytes) {
                statement.setBytes(index + 1, bytes);
            } else {
                statement.setObject(index + 1, values[index]);
            }
        }
        return statement;
    }

    @Override
    public void close() throws SQLException {
        for (PreparedStatement statement : statements.values()) {
            statement.close();
        }
        connection.close();
    }

    private record ResultRow(ResultSet result) implements Row {
        @Override
        public String text(int column) throws SQLException {
            return result.getString(column + 1);
        }

        @Override
        public byte[] bytes(int column) throws SQLException {
            return result.getBytes(column + 1);
        }
    }
}
