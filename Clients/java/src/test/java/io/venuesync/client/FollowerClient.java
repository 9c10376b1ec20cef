package io.venuesync.client;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The package as a client program for Tests/Clients/follower.py: reads commands and prints the state of its replica. */
public final class FollowerClient {
    private FollowerClient() {}

    /** Arguments: the store ({@code folder} or {@code sqlite}), the server's address, a key, the key of a venue, and a path. */
    public static void main(String[] arguments) throws Exception {
        ReplicaStore store = open(arguments[0], arguments[4]);
        RetryPolicy policy = new RetryPolicy(2, Duration.ofMillis(10), Duration.ofSeconds(1), Duration.ofSeconds(1));
        VenueReplica replica =
            new VenueReplica(store, arguments[1], arguments[3], arguments[2], new HttpTransport(), policy, 50_000);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String result = "ok";
            String message = "";
            SyncReport report = null;
            try {
                report = obey(replica, line.split(" "));
            } catch (SyncException error) {
                result = ConformanceTests.RESULTS.getOrDefault(error.kind(), "wrong");
                message = error.getMessage();
            }
            System.out.println("{\"result\":" + Json.quote(result) + ",\"message\":" + Json.quote(message) + ",\"report\":" + describe(report) + ","
                + describe(store, replica) + "}");
        }
        replica.close();
        store.close();
    }

    private static ReplicaStore open(String kind, String path) throws Exception {
        if (kind.equals("folder")) {
            return new FileReplicaStore(Path.of(path));
        }
        String url = "jdbc:sqlite:" + path;
        return new SqliteReplicaStore(
            new JdbcDatabase(DriverManager.getConnection(url)), new JdbcDatabase(DriverManager.getConnection(url)));
    }

    private static SyncReport obey(VenueReplica replica, String[] words) throws SyncException, InterruptedException {
        String[] names = Arrays.copyOfRange(words, 1, words.length);
        switch (words[0]) {
            case "show":
                return null;
            case "add":
                return replica.add(names);
            case "drop":
                return replica.drop(names);
            default:
                if (names.length == 0) {
                    return replica.sync();
                }
                return replica.sync(names[0].equals("*") ? LevelSelection.EVERYTHING : LevelSelection.of(names));
        }
    }

    private static String describe(SyncReport report) {
        if (report == null) {
            return "null";
        }
        return "{\"added\":" + report.added() + ",\"changed\":" + report.changed() + ",\"removed\":" + report.removed() + ",\"repaired\":"
            + list(report.repaired()) + ",\"levels_added\":" + list(report.levelsAdded().stream().map(SyncReport.LevelCount::level).toList())
            + ",\"levels_dropped\":" + list(report.levelsDropped().stream().map(SyncReport.LevelCount::level).toList()) + "}";
    }

    private static String list(List<String> levels) {
        return levels.stream().map(level -> level == null ? "\"-\"" : Json.quote(level)).collect(Collectors.joining(",", "[", "]"));
    }

    private static String describe(ReplicaStore store, VenueReplica replica) throws SyncException {
        Check.same(replica.damagedLevels(), List.of(), "damaged levels");
        String levels = store.digests().entrySet().stream()
            .map((Map.Entry<String, String> entry) ->
                Json.quote(entry.getKey().isEmpty() ? "-" : entry.getKey()) + ":" + Json.quote(entry.getValue()))
            .collect(Collectors.joining(",", "{", "}"));
        ReplicaState state = store.state();
        String cursor = state.cursor() == null ? "null" : Json.quote(state.cursor());
        return "\"revision\":" + state.revision() + ",\"cursor\":" + cursor + ",\"levels\":" + levels;
    }
}
