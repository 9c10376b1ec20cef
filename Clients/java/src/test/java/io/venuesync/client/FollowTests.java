package io.venuesync.client;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

final class FollowTests {
    /** Records events, and interrupts the thread after a number of them. */
    private record Listener(List<String> events, int limit, VenueReplica replica) implements FollowListener {
        private void record(String event) {
            events.add(event);
            if (events.size() >= limit) {
                replica.close();
            }
        }

        @Override
        public void onChange(SyncReport report) {
            record("changed to " + report.to());
        }

        @Override
        public void onConnected() {
            record("connected");
        }

        @Override
        public void onSetback(SyncException error, Duration pause) {
            record("setback " + error.kind());
        }
    }

    @Test("Following applies changes, retries after failures, and reports reconnection")
    void follow() throws Exception {
        ScriptedTransport transport = new ScriptedTransport(
            Pages.response(null, 1, "one", Pages.snapshot(null)), Pages.response(1, 2, "two"),
            ScriptedTransport.PreparedResponse.status(503, "x"),
            new ScriptedTransport.PreparedResponse(200, Map.of(), new byte[0], 0), Pages.response(2, 3, "three"));
        VenueReplica replica = transport.replica(new MemoryReplicaStore());
        List<String> events = new ArrayList<>();
        replica.follow(new Listener(events, 7, replica));
        Check.same(
            events, List.of(
                "connected", "changed to 1", "changed to 2", "setback UNAVAILABLE", "setback UNREACHABLE", "connected", "changed to 3"),
            "the events");
        Check.same(transport.requests.get(0).values("wait"), List.of(), "the first request");
        Check.same(transport.requests.get(1).values("wait"), List.of("25"), "the second request");
        Check.same(transport.requests.get(1).values("since"), List.of("one"), "its cursor");
        Check.same(transport.requests.get(3).values("wait"), List.of(), "the first request after a failure");
    }

    @Test("Following ends with a store that cannot be used")
    void unusable() throws Exception {
        VenueReplica replica = new ScriptedTransport(Pages.response(null, 1, "one", Pages.snapshot(null)))
            .replica(failingOnce(SyncException.Kind.STORE));
        Check.fails(SyncException.Kind.STORE, () -> replica.follow(new Listener(new ArrayList<>(), 99, replica)));
    }

    @Test("Following goes on after a full disk, and stores what was not stored")
    void fullDisk() throws Exception {
        VenueReplica replica = new ScriptedTransport(
            Pages.response(null, 1, "one", Pages.snapshot(null)), Pages.response(null, 1, "one", Pages.snapshot(null)))
            .replica(failingOnce(SyncException.Kind.DISK_FULL));
        List<String> events = new ArrayList<>();
        replica.follow(new Listener(events, 3, replica));
        Check.same(events, List.of("setback DISK_FULL", "connected", "changed to 1"), "the events");
        Check.same(replica.state().revision(), 1L, "the revision");
    }

    /** A store in memory whose first transaction fails. */
    private static ReplicaStore failingOnce(SyncException.Kind kind) {
        MemoryReplicaStore store = new MemoryReplicaStore();
        boolean[] hasFailed = new boolean[1];
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals("begin") && !hasFailed[0]) {
                hasFailed[0] = true;
                throw new SyncException(kind, "it failed");
            }
            try {
                return method.invoke(store, arguments);
            } catch (InvocationTargetException error) {
                throw error.getCause();
            }
        };
        return (ReplicaStore) Proxy.newProxyInstance(ReplicaStore.class.getClassLoader(), new Class<?>[] {ReplicaStore.class}, handler);
    }

    @Test("A pause ends as soon as another call has reached the server")
    void pause() throws Exception {
        ScriptedTransport transport = new ScriptedTransport(
            Pages.response(null, 1, "one", Pages.snapshot(null)),
            new ScriptedTransport.PreparedResponse(200, Map.of(), new byte[0], 0), Pages.response(1, 2, "two"),
            Pages.response(2, 3, "three"));
        Duration day = Duration.ofDays(1);
        VenueReplica replica = new VenueReplica(
            new MemoryReplicaStore(), ScriptedTransport.SERVER, "mall", "secret", transport, new RetryPolicy(1, day, day, day), 50_000);
        replica.sync();
        List<Thread> threads = new ArrayList<>();
        replica.follow(new FollowListener() {
            @Override
            public void onChange(SyncReport report) {
                if (report.to() == 3) {
                    replica.close();
                }
            }

            @Override
            public void onSetback(SyncException error, Duration pause) {
                Thread thread = new Thread(() -> {
                    try {
                        replica.sync();
                    } catch (SyncException | InterruptedException failure) {
                        throw new IllegalStateException(failure);
                    }
                });
                threads.add(thread);
                thread.start();
            }
        });
        for (Thread thread : threads) {
            thread.join();
        }
        Check.same(replica.state().revision(), 3L, "the revision");
    }

    @Test("Following retries after responses that are not from the server")
    void proxies() throws Exception {
        ScriptedTransport transport = new ScriptedTransport(Pages.response(null, 1, "one", Pages.snapshot(null)));
        int[] statuses = {302, 308, 400, 401, 403, 404, 408, 410};
        for (int status : statuses) {
            transport.responses.add(ScriptedTransport.PreparedResponse.ofProxy(status));
        }
        transport.responses.add(ScriptedTransport.PreparedResponse.of(401, "application/json", "{\"type\":\"about:blank\"}"));
        transport.responses.add(ScriptedTransport.PreparedResponse.of(404, "application/problem+json", "{\"title\":\"x\"}"));
        transport.responses.add(ScriptedTransport.PreparedResponse.status(400, "/problems/x"));
        transport.responses.add(Pages.response(1, 2, "two"));
        VenueReplica replica = transport.replica(new MemoryReplicaStore());
        List<String> events = new ArrayList<>();
        int failures = statuses.length + 3;
        replica.follow(new Listener(events, failures + 4, replica));
        List<String> expected = new ArrayList<>(List.of("connected", "changed to 1"));
        expected.addAll(Collections.nCopies(failures, "setback REFUSED"));
        expected.addAll(List.of("connected", "changed to 2"));
        Check.same(events, expected, "the events");
    }

    @Test("Following goes on after refusals of the server, whatever the parameters of their media type")
    void refusals() throws Exception {
        Map<Integer, SyncException.Kind> kinds = Map.of(
            401, SyncException.Kind.UNAUTHORIZED, 403, SyncException.Kind.UNAUTHORIZED, 404, SyncException.Kind.UNKNOWN_VENUE, 410,
            SyncException.Kind.VENUE_GONE);
        for (Map.Entry<Integer, SyncException.Kind> entry : kinds.entrySet()) {
            VenueReplica replica = new ScriptedTransport(
                ScriptedTransport.PreparedResponse.of(
                    entry.getKey(), "Application/Problem+JSON; charset=utf-8", "{\"type\":\"/problems/venue-gone\"}"),
                Pages.response(null, 1, "one", Pages.snapshot(null))).replica(new MemoryReplicaStore());
            List<String> events = new ArrayList<>();
            replica.follow(new Listener(events, 3, replica));
            Check.same(events, List.of("setback " + entry.getValue(), "connected", "changed to 1"), "the events");
        }
    }

    @Test("Following adds levels as soon as there is a network")
    void adding() throws Exception {
        ScriptedTransport transport = new ScriptedTransport(
            new ScriptedTransport.PreparedResponse(200, Map.of(), new byte[0], 0), ScriptedTransport.PreparedResponse.ofProxy(302),
            Pages.response(null, 1, "one", Pages.snapshot(null), Pages.snapshot(Pages.GROUND)), Pages.response(1, 2, "two"));
        VenueReplica replica = transport.replica(new MemoryReplicaStore());
        List<String> events = new ArrayList<>();
        replica.follow(LevelSelection.of("ordinal:0"), new Listener(events, 5, replica));
        Check.same(
            events, List.of("setback UNREACHABLE", "setback REFUSED", "connected", "changed to 1", "changed to 2"), "the events");
        for (ScriptedTransport.Request request : transport.requests) {
            Check.same(request.values("level"), List.of("ordinal:0"), "the levels");
        }
        Check.same(transport.requests.get(2).values("wait"), List.of(), "the third request");
        Check.same(transport.requests.get(3).values("wait"), List.of("25"), "the fourth request");
        Check.same(replica.state().selection(), LevelSelection.of("ordinal:0"), "the selection");
    }

    @Test("Following reports what another process stores before and during a poll")
    void external() throws Exception {
        MemoryReplicaStore store = new MemoryReplicaStore();
        VenueReplica[] other = new VenueReplica[1];
        // The other process stores revision 3 first when the response with it arrives.
        ScriptedTransport transport = new ScriptedTransport(
            Pages.response(null, 1, "one", Pages.snapshot(null)), Pages.response(1, 2, "two"), Pages.response(2, 3, "three"),
            Pages.response(2, 3, "three"), Pages.response(3, 4, "four"));
        Transport interleaved = (url, headers) -> {
            Transport.Call call = transport.newCall(url, headers);
            return new Transport.Call() {
                @Override
                public Transport.Response execute() throws IOException {
                    Transport.Response response = call.execute();
                    if (url.contains("since=two")) {
                        try {
                            other[0].sync();
                        } catch (SyncException | InterruptedException error) {
                            throw new IllegalStateException(error);
                        }
                    }
                    return response;
                }

                @Override
                public void cancel() {}
            };
        };
        VenueReplica replica =
            new VenueReplica(store, ScriptedTransport.SERVER, "mall", "secret", interleaved, new RetryPolicy(), 50_000);
        other[0] = transport.replica(store);
        replica.sync();
        other[0].sync();
        List<String> reports = new ArrayList<>();
        replica.follow(report -> {
            reports.add(report.from() + " to " + report.to() + " " + report.isExternal() + " " + report.hasChanges());
            if (report.to() == 4) {
                replica.close();
            }
        });
        Check.same(reports, List.of("1 to 2 true true", "2 to 3 true true", "3 to 4 false false"), "the reports");
    }

    @Test("Changing the selection cancels the long poll, and the next request has the new selection")
    void selection() throws Exception {
        ScriptedTransport transport = new ScriptedTransport(
            Pages.response(null, 1, "one", Pages.snapshot(null)), Pages.response(1, 1, "one"),
            Pages.response(1, 1, "two", Pages.snapshot(Pages.GROUND)), Pages.response(1, 2, "three"));
        CountDownLatch isWaiting = new CountDownLatch(1);
        CountDownLatch isCancelled = new CountDownLatch(1);
        // The first long poll gets no response until it is cancelled.
        Transport waiting = (url, headers) -> {
            boolean waits = url.contains("wait=") && isWaiting.getCount() > 0;
            Transport.Call call = transport.newCall(url, headers);
            return new Transport.Call() {
                @Override
                public Transport.Response execute() throws IOException {
                    if (!waits) {
                        return call.execute();
                    }
                    isWaiting.countDown();
                    try {
                        isCancelled.await();
                    } catch (InterruptedException error) {
                        Thread.currentThread().interrupt();
                    }
                    throw new IOException("cancelled");
                }

                @Override
                public void cancel() {
                    isCancelled.countDown();
                }
            };
        };
        VenueReplica replica = new VenueReplica(
            new MemoryReplicaStore(), ScriptedTransport.SERVER, "mall", "secret", waiting, new RetryPolicy(), 50_000);
        replica.sync(LevelSelection.VENUE_WIDE);
        Thread adding = new Thread(() -> {
            try {
                isWaiting.await();
                replica.add(Pages.GROUND);
            } catch (SyncException | InterruptedException error) {
                throw new IllegalStateException(error);
            }
        });
        adding.start();
        List<String> events = new ArrayList<>();
        replica.follow(new Listener(events, 2, replica));
        adding.join();
        Check.same(events, List.of("connected", "changed to 2"), "the events");
        Check.same(transport.requests.get(3).values("level"), List.of(Pages.GROUND, "venue"), "the levels of the fourth request");
    }
}
