package io.venuesync.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** The HTTP transport against a server of the JDK. */
final class HttpTransportTests {
    private interface Handler {
        void handle(HttpExchange exchange) throws IOException;
    }

    private interface Body {
        void run(String server) throws Exception;
    }

    private static void serving(Handler handler, Body body) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ExecutorService threads = Executors.newCachedThreadPool();
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                handler.handle(exchange);
            }
        });
        server.start();
        try {
            body.run("http://127.0.0.1:" + server.getAddress().getPort());
        } finally {
            server.stop(0);
            threads.shutdownNow();
        }
    }

    private static VenueReplica replica(String server) throws SyncException {
        return new VenueReplica(new MemoryReplicaStore(), server, "mall", "secret");
    }

    private static byte[] packed(byte[] text) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream output = new GZIPOutputStream(packed)) {
            output.write(text);
        }
        return packed.toByteArray();
    }

    private static void respond(HttpExchange exchange, byte[] body, boolean isCompressed) throws IOException {
        if (isCompressed) {
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
        }
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }

    @Test("Responses are requested and decompressed as gzip, and the key is sent in a header")
    void gzip() throws Exception {
        byte[] page = packed(Pages.page(null, 1, "one", Pages.snapshot(null, Pages.named("a1", "unit", "Café"))).getBytes("UTF-8"));
        serving(exchange -> {
            boolean isRight = "gzip".equals(exchange.getRequestHeaders().getFirst("Accept-Encoding"))
                && "Bearer secret".equals(exchange.getRequestHeaders().getFirst("Authorization"))
                && !exchange.getRequestURI().toString().contains("secret");
            respond(exchange, isRight ? page : new byte[0], isRight);
        }, server -> {
            VenueReplica replica = replica(server);
            replica.sync();
            Check.same(replica.feature(Pages.id("a1")).name(), "Café", "the feature");
        });
    }

    @Test("A decompression bomb is aborted at the size limit of a page")
    void bomb() throws Exception {
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (GZIPOutputStream output = new GZIPOutputStream(bomb)) {
            byte[] lines = new byte[1 << 20];
            Arrays.fill(lines, (byte) ' ');
            lines[lines.length - 1] = '\n';
            for (int count = 0; count < 200; count++) {
                output.write(lines);
            }
        }
        serving(
            exchange -> respond(exchange, bomb.toByteArray(), true),
            server -> Check.fails(SyncException.Kind.INVALID_RESPONSE, replica(server)::sync));
    }

    @Test("A redirect is not followed")
    void redirect() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        serving(exchange -> {
            requests.incrementAndGet();
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            exchange.sendResponseHeaders(302, -1);
        }, server -> {
            SyncException error = Check.raises(SyncException.class, replica(server)::sync);
            Check.same(error.kind(), SyncException.Kind.REFUSED, "the error");
            Check.same(error.location(), "/elsewhere", "the target");
            Check.that(error.getMessage().contains("302: a redirect to /elsewhere"), error.getMessage());
            Check.same(requests.get(), 1, "requests");
        });
    }

    @Test("An incomplete response and a missing server are unreachable")
    void breaksOff() throws Exception {
        byte[] page = Pages.page(null, 1, "one", Pages.snapshot(null)).getBytes("UTF-8");
        byte[] gzip = packed(page);
        for (byte[] body : new byte[][] {page, gzip}) {
            serving(exchange -> {
                if (body == gzip) {
                    exchange.getResponseHeaders().set("Content-Encoding", "gzip");
                }
                exchange.sendResponseHeaders(200, body.length);
                OutputStream output = exchange.getResponseBody();
                output.write(body, 0, body.length / 2);
                output.flush();
            }, server -> Check.fails(SyncException.Kind.UNREACHABLE, replica(server)::sync));
        }
        String[] gone = new String[1];
        serving(exchange -> {}, server -> gone[0] = server);
        Check.fails(SyncException.Kind.UNREACHABLE, replica(gone[0])::sync);
    }

    @Test("What is no response has a reason in words")
    void reasons() throws Exception {
        try (java.net.ServerSocket other = new java.net.ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> {
                try (java.net.Socket connection = other.accept()) {
                    connection.getInputStream().read();
                    connection.getOutputStream().write("SSH-2.0-OpenSSH_9.2\r\n".getBytes("UTF-8"));
                } catch (IOException error) {
                    return;
                }
            });
            thread.start();
            java.util.Map<String, String> reasons = java.util.Map.of(
                "http://127.0.0.1:1", "nothing listens at this address and port", "http://no-such-host.invalid", "there is no host of this name",
                "https://127.0.0.1:" + other.getLocalPort(), "it does not speak https");
            for (java.util.Map.Entry<String, String> entry : reasons.entrySet()) {
                SyncException error = Check.raises(SyncException.class, replica(entry.getKey())::sync);
                Check.same(error.kind(), SyncException.Kind.UNREACHABLE, entry.getKey());
                Check.same(error.getMessage(), "no response, or an incomplete one: " + entry.getValue(), entry.getKey());
            }
            thread.join();
        }
    }

    @Test("A call that waits for its response can be cancelled by another thread")
    void cancelled() throws Exception {
        // Repeated, because the moment of the cancellation decides what HttpURLConnection throws.
        CountDownLatch[] areAsked = Stream.generate(() -> new CountDownLatch(1)).limit(200).toArray(CountDownLatch[]::new);
        CountDownLatch mayEnd = new CountDownLatch(1);
        serving(exchange -> {
            areAsked[Integer.parseInt(exchange.getRequestURI().getPath().substring(1))].countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException error) {
                throw new IOException(error);
            }
        }, server -> {
            ExecutorService thread = Executors.newSingleThreadExecutor();
            for (int attempt = 0; attempt < areAsked.length; attempt++) {
                Transport.Call call = new HttpTransport().newCall(server + "/" + attempt, java.util.Map.of());
                var response = thread.submit(call::execute);
                areAsked[attempt].await();
                call.cancel();
                Throwable error = Check.raises(java.util.concurrent.ExecutionException.class, response::get).getCause();
                Check.that(error instanceof IOException, "raised " + error);
            }
            mayEnd.countDown();
            thread.shutdown();
        });
    }
}
