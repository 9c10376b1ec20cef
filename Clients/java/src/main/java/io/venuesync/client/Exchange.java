package io.venuesync.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UnsupportedEncodingException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Asks one server, with the key that is for it alone, and sorts out what went wrong. */
final class Exchange {
    /** More than any page takes: bodies of 8 MiB, or one of 32, and what stands around them. */
    private static final long LARGEST_PAGE = 96L << 20;
    private static final long LARGEST_COLLECTION = 1L << 30;
    private static final long LARGEST_PROBLEM = 16L << 20;
    /** For how long a reply may trickle. */
    private static final long LONGEST_REPLY = TimeUnit.MINUTES.toNanos(15);

    interface Work<T> {
        T run() throws SyncException, HistoryLostException, InterruptedException;
    }

    private final String base;
    private final Map<String, String> headers;
    private final Transport transport;
    final RetryPolicy policy;

    Exchange(String server, String key, Transport transport, RetryPolicy policy) {
        try {
            URI uri = new URI(server);
            boolean isServer = ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())) && uri.getHost() != null
                && uri.getUserInfo() == null && uri.getQuery() == null && uri.getFragment() == null;
            if (!isServer) {
                throw new IllegalArgumentException("“" + server + "” is not the address of a server");
            }
        } catch (URISyntaxException error) {
            throw new IllegalArgumentException("“" + server + "” is not the address of a server", error);
        }
        if (key != null && !key.matches("[!-~]+")) {
            throw new IllegalArgumentException("the key has characters that no header takes");
        }
        this.base = server.replaceAll("/+$", "");
        this.headers = key == null ? Map.of() : Map.of("Authorization", "Bearer " + key);
        this.transport = transport;
        this.policy = policy;
    }

    /** @param isSent is given the call before it is sent, so that it can be cancelled; may be null */
    Wire.Page page(String path, Consumer<Transport.Call> isSent) throws SyncException, HistoryLostException {
        List<List<byte[]>> lists = new ArrayList<>();
        BodyLines lines = new BodyLines((list, body) -> {
            while (lists.size() <= list) {
                lists.add(new ArrayList<>());
            }
            lists.get(list).add(body);
        });
        read(path, lines, LARGEST_PAGE, isSent);
        Object document = lines.finish();
        while (lists.size() < lines.lists()) {
            lists.add(new ArrayList<>());
        }
        return Wire.page(document, lists);
    }

    /** Reads a FeatureCollection, whose features are handed on while they come. */
    void collection(String path, String level, ReplicaStore.FeatureVisitor visitor) throws SyncException, HistoryLostException {
        BodyLines lines = new BodyLines((list, body) -> visitor.visit(Wire.feature(level, body)));
        read(path, lines, LARGEST_COLLECTION, null);
        if (!Wire.member(lines.finish(), "features", List.class).isEmpty() || lines.lists() != 1) {
            throw SyncException.wrongReply("no FeatureCollection");
        }
    }

    /** Does work that may be done again, until it succeeds or there were so many attempts. */
    <T> T attempting(int attempts, Work<T> work) throws SyncException, HistoryLostException, InterruptedException {
        for (int failures = 1; ; failures++) {
            try {
                return work.run();
            } catch (SyncException error) {
                if (failures >= attempts || !error.isRetryable()) {
                    throw error;
                }
                Thread.sleep(policy.pause(failures, error.retryAfter()).toMillis());
            }
        }
    }

    private void read(String path, BodyLines lines, long most, Consumer<Transport.Call> isSent)
        throws SyncException, HistoryLostException {
        if (!isPath(path)) {
            throw SyncException.wrongReply("“" + path.substring(0, Math.min(path.length(), 100)) + "” leads away from the server");
        }
        Transport.Call call = transport.newCall(base + path, headers);
        if (isSent != null) {
            isSent.accept(call);
        }
        try (Transport.Response response = call.execute()) {
            if (response.status() != 200) {
                refuse(response);
            }
            byte[] buffer = new byte[1 << 16];
            long total = 0;
            long start = System.nanoTime();
            InputStream body = response.body();
            for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
                total += count;
                if (total > most) {
                    throw SyncException.wrongReply("a reply of more than " + most + " bytes");
                }
                if (System.nanoTime() - start > LONGEST_REPLY) {
                    throw new IOException("the reply takes too long");
                }
                lines.feed(buffer, count);
            }
        } catch (IOException error) {
            throw new SyncException(SyncException.Kind.UNREACHABLE, "no reply, or it broke off: " + error.getMessage(), error);
        }
    }

    private void refuse(Transport.Response response) throws SyncException, HistoryLostException {
        int status = response.status();
        if (status == 401 || status == 403) {
            throw new SyncException(
                SyncException.Kind.UNAUTHORIZED, "the key is missing, wrong or revoked, or may not read this");
        }
        if (status == 429 || status >= 500) {
            throw new SyncException(
                SyncException.Kind.UNAVAILABLE, "the server answered " + status,
                policy.wish(response.header("Retry-After"), Instant.now()), null);
        }
        if (status == 404) {
            throw new SyncException(SyncException.Kind.UNKNOWN_VENUE, "there is no such venue, or the key may not see it");
        }
        if (status == 410) {
            Object problem = problem(response);
            if (problem instanceof Map<?, ?> members && "/problems/venue-gone".equals(members.get("type"))) {
                throw new SyncException(SyncException.Kind.VENUE_GONE, "the venue was deleted");
            }
            throw new HistoryLostException(Wire.restart(problem));
        }
        throw new SyncException(SyncException.Kind.REFUSED, "the server answered " + status);
    }

    /** Null when there is none that can be read. */
    private static Object problem(Transport.Response response) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 14];
        try {
            InputStream body = response.body();
            for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
                text.write(buffer, 0, count);
                if (text.size() > LARGEST_PROBLEM) {
                    return null;
                }
            }
            return Json.parse(text.toByteArray());
        } catch (IOException | Json.FormatException error) {
            return null;
        }
    }

    /** {@code //host}, and what a lenient reader takes for it, is another server. Only visible ASCII has a place in a path. */
    private static boolean isPath(String path) {
        return path.matches("/(?!/)[!-~]*") && path.indexOf('\\') < 0 && path.indexOf('#') < 0;
    }

    static String escape(String value) {
        try {
            return URLEncoder.encode(value, "UTF-8").replace("+", "%20");
        } catch (UnsupportedEncodingException error) {
            throw new IllegalStateException("every Java has UTF-8", error);
        }
    }
}
