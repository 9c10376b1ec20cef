package io.venuesync.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The conformance cases for all clients (Tests/Conformance), with each of the stores. */
final class ConformanceTests {
    static final Map<SyncException.Kind, String> RESULTS = Map.of(
        SyncException.Kind.UNREACHABLE, "unreachable", SyncException.Kind.UNAVAILABLE, "unavailable",
        SyncException.Kind.UNAUTHORIZED, "unauthorized", SyncException.Kind.UNKNOWN_VENUE, "unknown",
        SyncException.Kind.VENUE_GONE, "gone", SyncException.Kind.DISK_FULL, "disk-full", SyncException.Kind.STORE, "file", SyncException.Kind.BUSY, "file");

    @Test("a replica in memory passes all cases that do not fill the disk")
    void memory() throws Exception {
        runAll(folder -> {
            MemoryReplicaStore store = new MemoryReplicaStore();
            return new TestStore(() -> store, null);
        });
    }

    @Test("a replica in a folder passes all cases")
    void files() throws Exception {
        runAll(TestStore::inFolder);
    }

    @Test("a replica in SQLite passes all cases")
    void sqlite() throws Exception {
        if (TestStore.hasSqlite()) {
            runAll(TestStore::inSqlite);
        }
    }

    private interface Stores {
        TestStore make(Path folder) throws Exception;
    }

    private static void runAll(Stores stores) throws Exception {
        Path cases = Path.of(System.getProperty("venue.conformance"), "cases");
        List<Path> files;
        try (Stream<Path> found = Files.list(cases)) {
            files = found.filter(file -> file.toString().endsWith(".json")).sorted().toList();
        }
        Check.that(files.size() > 40, "there are cases");
        List<String> passed = new ArrayList<>();
        List<String> passedOver = new ArrayList<>();
        for (Path file : files) {
            Map<?, ?> test = (Map<?, ?>) Json.parse(Files.readAllBytes(file));
            String name = (String) test.get("name");
            Path folder = Files.createTempDirectory("venuesync-java");
            try (TestStore store = stores.make(folder)) {
                if (((List<?>) test.get("needs")).contains("disk-full") && !store.canBeFull()) {
                    passedOver.add(name);
                    continue;
                }
                run(test, store);
                passed.add(name);
            } catch (AssertionError error) {
                throw new AssertionError(name + ": " + error.getMessage(), error);
            } finally {
                TestStore.delete(folder);
            }
        }
        System.out.printf("  %d conformance cases, passed over: %s%n", passed.size(), passedOver);
    }

    private static void run(Map<?, ?> test, TestStore store) throws Exception {
        ScriptedTransport transport = new ScriptedTransport();
        VenueReplica replica = transport.replica(store.open());
        int number = 0;
        Object last = null;
        boolean checksForm = ((List<?>) test.get("needs")).contains("delta");
        for (Object step : (List<?>) test.get("steps")) {
            last = ((Map<?, ?>) step).get("replica");
            step((Map<?, ?>) step, "step " + ++number, transport, replica, store, checksForm);
        }
        // The stored replica is the same after it is opened again.
        store.reopen();
        Check.same(held(store.open(), transport.replica(store.open())), last, "opened again");
    }

    private static void step(
        Map<?, ?> step, String where, ScriptedTransport transport, VenueReplica replica, TestStore store, boolean checksForm)
        throws Exception {
        List<?> exchanges = (List<?>) step.get("exchanges");
        transport.requests.clear();
        for (Object exchange : exchanges) {
            transport.responses.add(response((Map<?, ?>) ((Map<?, ?>) exchange).get("reply")));
        }
        store.fill("full".equals(step.get("disk")));
        String result = "ok";
        Long retryAfter = null;
        SyncException failure = null;
        try {
            if (!step.containsKey("levels")) {
                replica.sync();
            } else if (step.get("levels") instanceof List<?> levels) {
                replica.sync(LevelSelection.of(levels.stream().map(String::valueOf).toList()));
            } else {
                replica.sync(LevelSelection.EVERYTHING);
            }
        } catch (SyncException error) {
            failure = error;
            result = RESULTS.getOrDefault(error.kind(), "wrong");
            retryAfter = error.retryAfter() == null ? null : Long.valueOf(error.retryAfter().toSeconds());
        }
        store.fill(false);
        Check.same(result, step.get("result"), where + (failure == null ? "" : " (" + failure.getMessage() + ")"));
        Check.same(retryAfter, step.get("retry_after"), where);
        Check.same(transport.requests.size(), exchanges.size(), where + ", requests");
        for (int index = 0; index < exchanges.size(); index++) {
            Map<?, ?> expected = (Map<?, ?>) ((Map<?, ?>) exchanges.get(index)).get("request");
            ScriptedTransport.Request request = transport.requests.get(index);
            Check.that(request.url().startsWith(ScriptedTransport.SERVER + "/"), where + " goes to another server");
            Check.same(request.headers().get("Authorization"), "Bearer secret", where);
            Check.same(request.path(), expected.get("path"), where);
            Check.same(request.values("since").stream().findFirst().orElse(null), expected.get("since"), where);
            if (checksForm) {
                Check.same(request.values("form").stream().findFirst().orElse(null), expected.get("form"), where);
            }
            Check.same(request.values("level"), ((List<?>) expected.get("level")).stream().map(String::valueOf).sorted().toList(), where);
        }
        Check.same(held(store.open(), replica), step.get("replica"), where);
    }

    private static ScriptedTransport.PreparedResponse response(Map<?, ?> response) throws IOException {
        StringBuilder text = new StringBuilder();
        ((List<?>) response.get("body")).forEach(line -> text.append(line).append('\n'));
        byte[] body = response.get("base64") instanceof String encoded
            ? java.util.Base64.getDecoder().decode(encoded) : text.toString().getBytes(StandardCharsets.UTF_8);
        Map<?, ?> fault = response.get("fault") instanceof Map<?, ?> members ? members : Map.of();
        if (fault.get("cut") instanceof Long cut) {
            body = java.util.Arrays.copyOf(body, Math.min(body.length, cut.intValue()));
        }
        Map<String, String> headers = new HashMap<>();
        ((Map<?, ?>) response.get("headers")).forEach((name, value) -> headers.put((String) name, (String) value));
        int reset = fault.get("reset") instanceof Long after ? after.intValue() : -1;
        return new ScriptedTransport.PreparedResponse(((Long) response.get("status")).intValue(), headers, body, reset);
    }

    /** The replica in the form of a case. */
    private static Map<String, Object> held(ReplicaStore store, VenueReplica replica) throws SyncException {
        Map<String, Object> levels = new TreeMap<>();
        for (String level : store.digests().keySet()) {
            Digest digest = new Digest();
            List<String> bodies = new ArrayList<>();
            store.forEach(level, feature -> {
                digest.add(feature.body());
                bodies.add(feature.json());
            });
            levels.put(level.isEmpty() ? "-" : level, Map.of("digest", digest.text(), "bodies", bodies));
        }
        Check.same(replica.damagedLevels(), List.of(), "damaged levels");
        Map<String, Object> held = new HashMap<>();
        held.put("revision", store.state().revision());
        held.put("cursor", store.state().cursor());
        held.put("levels", levels);
        return held;
    }
}
