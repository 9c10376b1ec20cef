package io.venuesync.client;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
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
    }

    @Test("Following ends with an error that is not retryable, and keeps the replica")
    void revoked() throws Exception {
        ScriptedTransport transport = new ScriptedTransport(
            Pages.response(null, 1, "one", Pages.snapshot(null)), ScriptedTransport.PreparedResponse.status(401, "x"));
        MemoryReplicaStore store = new MemoryReplicaStore();
        VenueReplica replica = transport.replica(store);
        List<String> events = new ArrayList<>();
        Check.fails(SyncException.Kind.UNAUTHORIZED, () -> replica.follow(new Listener(events, 99, replica)));
        Check.same(store.state().revision(), 1L, "the revision");
    }

    @Test("Changing the selection cancels the long poll, and the next request has the new selection")
    void selection() throws Exception {
        ScriptedTransport transport = new ScriptedTransport(
            Pages.response(null, 1, "one", Pages.snapshot(null)),
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
        Check.same(transport.requests.get(2).values("level"), List.of(Pages.GROUND, "venue"), "the levels of the third request");
    }
}
