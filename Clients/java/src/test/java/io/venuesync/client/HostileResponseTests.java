package io.venuesync.client;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;

/** Malicious responses with matching digests. */
final class HostileResponseTests {
    private static final String ID = Pages.id("a1");

    @Test("An invalid body is refused, and nothing is stored")
    void noFeature() throws Exception {
        for (String line : List.of(
                "{", "{}", "{\"id\":\"" + ID + "\"}", "{\"feature_type\":\"unit\"}", "{\"feature_type\":\"unit\",\"id\":\"a1\"}",
                "{\"feature_type\":1,\"id\":\"" + ID + "\"}", "{\"feature_type\":\"unit\",\"id\":[\"" + ID + "\"]}",
                "{\"feature_type\":\"unit\",\"id\":\"" + ID + "\"", "{\"feature_type\":\"unit\",\"id\":\"" + ID + "\"}}",
                "{\"feature_type\":\"unit\",\"id\":\"" + ID.toUpperCase().replace('0', 'A') + "\"}", "{\"feature_type\":\"unit\\",
                "{\"feature_type\":\"unit\",,\"id\":\"" + ID + "\"}", "{\"properties\":" + "[".repeat(300_000))) {
            MemoryReplicaStore store = new MemoryReplicaStore();
            VenueReplica replica = new ScriptedTransport(Pages.response(null, 1, "one", Pages.snapshot(null, line))).replica(store);
            Check.fails(SyncException.Kind.INVALID_RESPONSE, replica::sync);
            Check.same(store.state().revision(), null, "the revision");
            Check.same(store.digests(), Map.of(), "the levels");
        }
    }

    @Test("Values from a response are escaped in requests")
    void cursorIsEscaped() throws Exception {
        ScriptedTransport transport = new ScriptedTransport(
            Pages.response(null, 1, "one&level=x#/é", Pages.snapshot(null)), Pages.response(1, 1, "two"));
        VenueReplica replica = transport.replica(new MemoryReplicaStore());
        replica.sync();
        replica.sync();
        Check.that(transport.requests.get(1).url().endsWith("&since=one%26level%3Dx%23%2F%C3%A9&form=delta"), transport.requests.get(1).url());
    }

    @Test("An endless response is aborted, whether it is one line, a document or many bodies")
    void endless() throws Exception {
        String head = Pages.page(null, 1, "one", Pages.snapshot(null)).replaceAll("(?s)\"features\":\\[\n.*", "\"features\":[\n");
        String body = Pages.feature("a1", "unit", "\"x\":\"" + "x".repeat(100_000) + "\"") + ",\n";
        Map<String, String> parts = Map.of(
            "x".repeat(1 << 16), "a line that is too long", "y".repeat(1 << 16) + "\n", "too much data besides features", body,
            "a response of more than");
        for (String part : parts.keySet()) {
            Transport transport = (url, headers) -> new EndlessCall(head, part);
            VenueReplica replica = new VenueReplica(
                new MemoryReplicaStore(), ScriptedTransport.SERVER, "mall", null, transport, new RetryPolicy(), 50_000);
            SyncException error = Check.raises(SyncException.class, replica::sync);
            Check.same(error.kind(), SyncException.Kind.INVALID_RESPONSE, "the error");
            Check.that(error.getMessage().startsWith(parts.get(part)), error.getMessage());
        }
    }

    @Test("A delta that decompresses to too much is refused in bounded memory")
    void bomb() throws Exception {
        byte[] stream = bombOf(400);
        ByteArrayOutputStream index = new ByteArrayOutputStream();
        // One block with one body, which has no source.
        index.writeBytes(new byte[] {1, 0, 0, 1, 0, 2, 0});
        index.writeBytes(number(stream.length));
        // All bodies may have 64 MiB and the index 4 MiB; all buffers are counted until they have grown to this.
        checkBomb(1, index.toByteArray(), stream, 256L << 20);
        checkBomb(9, stream, new byte[0], 32L << 20);
    }

    private static void checkBomb(int flags, byte[] index, byte[] stream, long limit) throws Exception {
        ByteArrayOutputStream document = new ByteArrayOutputStream();
        document.writeBytes(new byte[] {'V', 'S', 'D', 1, (byte) flags, 1, 'm', 2});
        document.writeBytes(new byte[32 + 5]);
        document.writeBytes(number(index.length));
        document.writeBytes(index);
        document.writeBytes(stream);
        byte[] bytes = document.toByteArray();
        var threads = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        SyncException error = Check.raises(SyncException.class, () -> DeltaPage.read(bytes, new MemoryReplicaStore(), null));
        long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        Check.that(error.getMessage().contains("too large"), error.getMessage());
        Check.that(allocated < limit, allocated + " bytes");
    }

    /** A stream that decompresses to zeros. */
    private static byte[] bombOf(int mebibytes) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 16];
        for (int round = 0; round <= mebibytes; round++) {
            if (round < mebibytes) {
                deflater.setInput(new byte[1 << 20]);
            } else {
                deflater.finish();
            }
            for (int count = deflater.deflate(buffer); count > 0; count = deflater.deflate(buffer)) {
                stream.write(buffer, 0, count);
            }
        }
        deflater.end();
        return stream.toByteArray();
    }

    private static byte[] number(int value) {
        ByteArrayOutputStream number = new ByteArrayOutputStream();
        for (; value >= 0x80; value >>= 7) {
            number.write(value & 0x7f | 0x80);
        }
        number.write(value);
        return number.toByteArray();
    }

    @Test("Redirects, other statuses and addresses of other servers are refused")
    void elsewhere() throws Exception {
        ScriptedTransport redirect = new ScriptedTransport(ScriptedTransport.PreparedResponse.status(302, "x"));
        Check.fails(SyncException.Kind.REFUSED, redirect.replica(new MemoryReplicaStore())::sync);
        for (String server : List.of("ftp://maps.example", "maps.example", "https://a:b@maps.example", "https://maps.example?x=1", "")) {
            Check.raises(IllegalArgumentException.class, () -> new VenueReplica(new MemoryReplicaStore(), server, "mall", null));
        }
        for (String venue : List.of("", "Mall", "a/b", "a..b", "a".repeat(65), "../keys")) {
            Check.raises(
                IllegalArgumentException.class, () -> new VenueReplica(new MemoryReplicaStore(), ScriptedTransport.SERVER, venue, null));
        }
        Check.raises(
            IllegalArgumentException.class,
            () -> new VenueReplica(new MemoryReplicaStore(), ScriptedTransport.SERVER, "mall", "a\r\nX: y"));
    }

    /** A response with a head, followed by endless repetitions of a part. */
    private record EndlessCall(String head, String part) implements Transport.Call {
        @Override
        public Transport.Response execute() {
            ByteArrayOutputStream first = new ByteArrayOutputStream();
            first.writeBytes(head.getBytes(java.nio.charset.StandardCharsets.UTF_8));
            byte[] again = part.getBytes(java.nio.charset.StandardCharsets.UTF_8);
            InputStream body = new InputStream() {
                private byte[] current = first.toByteArray();
                private int index;

                @Override
                public int read() {
                    throw new UnsupportedOperationException();
                }

                @Override
                public int read(byte[] bytes, int offset, int length) {
                    if (index == current.length) {
                        current = again;
                        index = 0;
                    }
                    int count = Math.min(length, current.length - index);
                    System.arraycopy(current, index, bytes, offset, count);
                    index += count;
                    return count;
                }
            };
            return new Transport.Response() {
                @Override
                public int status() {
                    return 200;
                }

                @Override
                public String header(String name) {
                    return null;
                }

                @Override
                public InputStream body() {
                    return body;
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public void cancel() {}
    }
}
