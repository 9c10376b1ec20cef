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

/** Sends requests with a key to one server only, and turns failures into exceptions. */
final class ServerConnection {
    /** More than any page needs: 8 MiB of bodies, or one body of 32 MiB, and the rest of the document. */
    private static final long MAX_PAGE_BYTES = 96L << 20;
    private static final long MAX_COLLECTION_BYTES = 1L << 30;
    private static final long MAX_PROBLEM_BYTES = 16L << 20;
    /** The maximum time for reading a response. */
    private static final long MAX_RESPONSE_NANOS = TimeUnit.MINUTES.toNanos(15);

    interface Operation<T> {
        T run() throws SyncException, HistoryLostException, InterruptedException;
    }

    private final String base;
    private final Map<String, String> headers;
    private final Transport transport;
    final RetryPolicy policy;

    ServerConnection(String server, String key, Transport transport, RetryPolicy policy) {
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
            throw new IllegalArgumentException("the key has characters that are not allowed in a header");
        }
        this.base = server.replaceAll("/+$", "");
        this.headers = key == null ? Map.of() : Map.of("Authorization", "Bearer " + key);
        this.transport = transport;
        this.policy = policy;
    }

    /** @param onCall receives the call before it is sent, so that it can be cancelled; may be null */
    Wire.Page page(String path, Consumer<Transport.Call> onCall) throws SyncException, HistoryLostException {
        PageSink sink = new PageSink();
        read(path, sink, MAX_PAGE_BYTES, onCall);
        if (sink.isDelta()) {
            throw SyncException.invalidResponse("the delta form, although the plain form was requested");
        }
        return sink.plain();
    }

    /**
     * A page in either form. If one in the delta form cannot be read, the page is requested once in the plain form.
     *
     * @param since the cursor in the path
     * @param store what the replica held before the synchronization
     */
    Wire.Page deltaPage(String path, String since, ReplicaStore store, Consumer<Transport.Call> onCall)
        throws SyncException, HistoryLostException {
        PageSink sink = new PageSink();
        read(path + "&form=delta", sink, MAX_PAGE_BYTES, onCall);
        if (!sink.isDelta()) {
            return sink.plain();
        }
        try {
            return DeltaPage.read(sink.delta(), store, since);
        } catch (SyncException error) {
            if (error.kind() != SyncException.Kind.INVALID_RESPONSE) {
                throw error;
            }
            return page(path.replaceAll("&wait=[0-9]+", ""), onCall);
        }
    }

    private interface Sink {
        void feed(byte[] bytes, int count) throws SyncException;
    }

    /** Collects a page. The first byte tells the forms apart. */
    private static final class PageSink implements Sink {
        private final List<List<byte[]>> lists = new ArrayList<>();
        private final BodyLines lines = new BodyLines((list, body) -> {
            while (lists.size() <= list) {
                lists.add(new ArrayList<>());
            }
            lists.get(list).add(body);
        });
        private final ByteArrayOutputStream delta = new ByteArrayOutputStream();
        private Boolean isDelta;

        boolean isDelta() {
            return Boolean.TRUE.equals(isDelta);
        }

        byte[] delta() {
            return delta.toByteArray();
        }

        @Override
        public void feed(byte[] bytes, int count) throws SyncException {
            if (isDelta == null && count > 0) {
                isDelta = bytes[0] == 'V';
            }
            if (!isDelta()) {
                lines.feed(bytes, count);
                return;
            }
            if (delta.size() + count > DeltaPage.MAX_DOCUMENT_BYTES) {
                throw SyncException.invalidResponse("a response of more than " + DeltaPage.MAX_DOCUMENT_BYTES + " bytes");
            }
            delta.write(bytes, 0, count);
        }

        Wire.Page plain() throws SyncException {
            Object document = lines.finish();
            while (lists.size() < lines.lists()) {
                lists.add(new ArrayList<>());
            }
            return Wire.page(document, lists);
        }
    }

    /** A whole response. */
    byte[] bytes(String path, long maxBytes) throws SyncException, HistoryLostException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        read(path, (buffer, count) -> bytes.write(buffer, 0, count), maxBytes, null);
        return bytes.toByteArray();
    }

    /**
     * Reads a FeatureCollection and passes its features on while they arrive.
     *
     * @param head the signed revision, which bounds the size; null if no keys are trusted
     */
    void collection(String path, String level, SignedHead head, ReplicaStore.FeatureVisitor visitor)
        throws SyncException, HistoryLostException {
        BodyLines lines = new BodyLines((list, body) -> visitor.visit(Wire.feature(level, body)));
        long maxBytes = head == null ? MAX_COLLECTION_BYTES : Math.min(MAX_COLLECTION_BYTES, 2 * head.bytes() + (1 << 20));
        read(path, lines::feed, maxBytes, null);
        if (!Wire.member(lines.finish(), "features", List.class).isEmpty() || lines.lists() != 1) {
            throw SyncException.invalidResponse("not a FeatureCollection");
        }
    }

    /** Repeats an operation until it succeeds or the number of attempts is reached. */
    <T> T attempting(int attempts, Operation<T> operation) throws SyncException, HistoryLostException, InterruptedException {
        for (int failures = 1; ; failures++) {
            try {
                return operation.run();
            } catch (SyncException error) {
                if (failures >= attempts || !error.isRetryable()) {
                    throw error;
                }
                Thread.sleep(policy.pause(failures, error.retryAfter()).toMillis());
            }
        }
    }

    private void read(String path, Sink sink, long maxBytes, Consumer<Transport.Call> onCall)
        throws SyncException, HistoryLostException {
        if (!isPath(path)) {
            throw SyncException.invalidResponse("“" + path.substring(0, Math.min(path.length(), 100)) + "” is not a path on the server");
        }
        Transport.Call call = transport.newCall(base + path, headers);
        if (onCall != null) {
            onCall.accept(call);
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
                if (total > maxBytes) {
                    throw SyncException.invalidResponse("a response of more than " + maxBytes + " bytes");
                }
                if (System.nanoTime() - start > MAX_RESPONSE_NANOS) {
                    throw new IOException("the response takes too long");
                }
                sink.feed(buffer, count);
            }
        } catch (IOException error) {
            throw new SyncException(SyncException.Kind.UNREACHABLE, "no response, or an incomplete one: " + reason(error), error);
        }
    }

    /** What the exceptions of the platform mean. Their messages are those of libraries, or none. */
    private static String reason(IOException error) {
        if (error instanceof java.net.UnknownHostException) {
            return "there is no host of this name";
        } else if (error instanceof java.net.NoRouteToHostException) {
            return "no network leads to this address";
        } else if (error instanceof java.net.ConnectException) {
            return "nothing listens at this address and port";
        } else if (error instanceof java.net.SocketTimeoutException) {
            return "it did not respond in time";
        } else if (error instanceof javax.net.ssl.SSLException) {
            boolean isCertificate = false;
            for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) {
                isCertificate |= cause instanceof java.security.cert.CertificateException;
            }
            return isCertificate ? "its certificate is not trusted here, or has expired" : "it does not speak https";
        } else if (error instanceof java.net.SocketException || error instanceof java.io.EOFException) {
            return "the connection ended before the response";
        }
        return String.valueOf(error.getMessage());
    }

    private void refuse(Transport.Response response) throws SyncException, HistoryLostException {
        int status = response.status();
        if (status == 429 || status >= 500) {
            throw new SyncException(
                SyncException.Kind.UNAVAILABLE, "the server responded with status " + status,
                policy.retryAfter(response.header("Retry-After"), Instant.now()), null);
        }
        if (status < 400) {
            throw SyncException.redirect(status, response.header("Location"));
        }
        Map<?, ?> problem = problem(response);
        if (problem == null) {
            throw new SyncException(
                SyncException.Kind.REFUSED, "the server responded with status " + status + ": the response is not from VenueSync");
        }
        switch (status) {
            case 401, 403 -> throw new SyncException(
                SyncException.Kind.UNAUTHORIZED, "the key is missing, wrong or revoked, or may not read this");
            case 404 -> {
                if ("/problems/not-signed".equals(problem.get("type"))) {
                    throw SyncException.untrusted("the server has no signature of the newest revision");
                }
                throw new SyncException(SyncException.Kind.UNKNOWN_VENUE, "there is no such venue, or the key may not see it");
            }
            case 400 -> {
                // Only what the client holds decides on these, and nothing that it holds may keep it from the next revision.
                if ("/problems/invalid-cursor".equals(problem.get("type")) || "/problems/target-before-cursor".equals(problem.get("type"))) {
                    throw new HistoryLostException(null);
                }
                throw new SyncException(SyncException.Kind.REFUSED, "the server responded with status " + status);
            }
            case 410 -> {
                if ("/problems/venue-gone".equals(problem.get("type"))) {
                    throw new SyncException(SyncException.Kind.VENUE_GONE, "the venue was deleted");
                }
                throw new HistoryLostException(Wire.restart(problem));
            }
            default -> throw new SyncException(SyncException.Kind.REFUSED, "the server responded with status " + status);
        }
    }

    /** The problem document of a refusal; null if the response is from something between client and server, such as a proxy. */
    private static Map<?, ?> problem(Transport.Response response) {
        return document(response) instanceof Map<?, ?> members && members.get("type") instanceof String type
            && type.startsWith("/problems/") ? members : null;
    }

    /** Null if the body is not readable JSON. */
    private static Object document(Transport.Response response) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 14];
        try {
            InputStream body = response.body();
            for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
                text.write(buffer, 0, count);
                if (text.size() > MAX_PROBLEM_BYTES) {
                    return null;
                }
            }
            return Json.parse(text.toByteArray());
        } catch (IOException | Json.FormatException error) {
            return null;
        }
    }

    /** {@code //host}, and variants that lenient parsers accept, name another server. Only visible ASCII is allowed in a path. */
    private static boolean isPath(String path) {
        return path.matches("/(?!/)[!-~]*") && path.indexOf('\\') < 0 && path.indexOf('#') < 0;
    }

    /**
     * The address of a change set.
     *
     * @param wait in seconds; 0 not to wait
     * @param head the revision to synchronize to; null for the newest
     */
    static String syncPath(String venue, int limit, String cursor, LevelSelection selection, int wait, SignedHead head) {
        StringBuilder path = new StringBuilder("/venues/" + venue + "/sync?limit=" + limit);
        if (cursor != null) {
            path.append("&since=").append(escape(cursor));
        }
        if (selection.names() != null) {
            selection.names().forEach(name -> path.append("&level=").append(escape(name)));
        }
        if (head != null) {
            path.append("&to=").append(head.revision());
        }
        return (wait > 0 ? path.append("&wait=").append(wait) : path).toString();
    }

    static String escape(String value) {
        try {
            return URLEncoder.encode(value, "UTF-8").replace("+", "%20");
        } catch (UnsupportedEncodingException error) {
            throw new IllegalStateException("UTF-8 is not available", error);
        }
    }
}
