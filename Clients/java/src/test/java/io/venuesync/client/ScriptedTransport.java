package io.venuesync.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** Returns responses from a list. */
final class ScriptedTransport implements Transport {
    static final String SERVER = "https://maps.example";

    /** @param reset after how many bytes the connection is reset; negative for never */
    record PreparedResponse(int status, Map<String, String> headers, byte[] body, int reset) {
        static PreparedResponse of(String body) {
            return new PreparedResponse(200, Map.of(), body.getBytes(StandardCharsets.UTF_8), -1);
        }

        /** What something between client and server responds, such as the sign-in page of a hotel. */
        static PreparedResponse ofProxy(int status) {
            byte[] page = "<html>Sign in</html>".getBytes(StandardCharsets.UTF_8);
            return new PreparedResponse(status, Map.of("Content-Type", "text/html", "Location", "https://hotel.example/"), page, -1);
        }

        static PreparedResponse of(int status, String mediaType, String body) {
            return new PreparedResponse(status, Map.of("Content-Type", mediaType), body.getBytes(StandardCharsets.UTF_8), -1);
        }

        static PreparedResponse status(int status, String type) {
            return new PreparedResponse(status, Map.of(), ("{\"type\":\"" + type + "\"}\n").getBytes(StandardCharsets.UTF_8), -1);
        }
    }

    record Request(String url, Map<String, String> headers) {
        String path() {
            String path = url.substring(SERVER.length());
            return path.contains("?") ? path.substring(0, path.indexOf('?')) : path;
        }

        List<String> values(String name) {
            List<String> values = new ArrayList<>();
            if (url.contains("?")) {
                for (String pair : url.substring(url.indexOf('?') + 1).split("&")) {
                    if (pair.startsWith(name + "=")) {
                        values.add(java.net.URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8));
                    }
                }
            }
            values.sort(null);
            return values;
        }
    }

    final Deque<PreparedResponse> responses = new ArrayDeque<>();
    final List<Request> requests = new ArrayList<>();

    ScriptedTransport(PreparedResponse... responses) {
        this.responses.addAll(Arrays.asList(responses));
    }

    VenueReplica replica(ReplicaStore store) throws SyncException {
        RetryPolicy policy = new RetryPolicy(1, Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofHours(1));
        return new VenueReplica(store, SERVER, "mall", "secret", this, policy, 50_000);
    }

    @Override
    public Call newCall(String url, Map<String, String> headers) {
        return new Call() {
            @Override
            public Response execute() throws IOException {
                requests.add(new Request(url, headers));
                PreparedResponse response = responses.poll();
                if (response == null) {
                    throw new AssertionError("one request too many: " + url);
                }
                if (response.reset == 0) {
                    throw new IOException("there is no network");
                }
                return new ScriptedResponse(response);
            }

            @Override
            public void cancel() {}
        };
    }

    private record ScriptedResponse(PreparedResponse response) implements Response {
        @Override
        public int status() {
            return response.status;
        }

        @Override
        public String header(String name) {
            return response.headers.entrySet().stream().filter(entry -> entry.getKey().equalsIgnoreCase(name)).findFirst()
                .map(Map.Entry::getValue).orElse(null);
        }

        @Override
        public InputStream body() {
            if (response.reset < 0) {
                return new ByteArrayInputStream(response.body);
            }
            InputStream begun = new ByteArrayInputStream(response.body, 0, response.reset);
            return new InputStream() {
                @Override
                public int read() throws IOException {
                    int value = begun.read();
                    if (value < 0) {
                        throw new IOException("the connection broke");
                    }
                    return value;
                }
            };
        }

        @Override
        public void close() {}
    }
}
