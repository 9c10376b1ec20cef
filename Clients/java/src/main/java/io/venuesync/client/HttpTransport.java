package io.venuesync.client;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.net.URLConnection;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/** An HTTP transport with {@link HttpURLConnection}, which the JDK and Android include. */
public final class HttpTransport implements Transport {
    private final int timeout;

    public HttpTransport() {
        this(90_000);
    }

    /** @param timeout maximum milliseconds without a byte; must be more than the 25 seconds of a long poll */
    public HttpTransport(int timeout) {
        this.timeout = timeout;
    }

    @Override
    public Call newCall(String url, Map<String, String> headers) {
        return new HttpCall(url, headers);
    }

    private final class HttpCall implements Call {
        private final String url;
        private final Map<String, String> headers;
        private HttpURLConnection connection;
        private boolean isCancelled;

        private HttpCall(String url, Map<String, String> headers) {
            this.url = url;
            this.headers = headers;
        }

        @Override
        public Response execute() throws IOException {
            HttpURLConnection connection = open();
            int status;
            try {
                status = connection.getResponseCode();
            } catch (RuntimeException error) {
                // HttpURLConnection throws a NullPointerException if it is disconnected at certain moments.
                throw new IOException("cancelled, or an invalid HTTP response", error);
            }
            if (status < 0) {
                throw new IOException("invalid HTTP response");
            }
            return new HttpResponse(connection, status);
        }

        private synchronized HttpURLConnection open() throws IOException {
            if (isCancelled) {
                throw new IOException("cancelled");
            }
            URLConnection opened = new URL(url).openConnection();
            if (!(opened instanceof HttpURLConnection http)) {
                throw new IOException("not the address of a server");
            }
            http.setInstanceFollowRedirects(false);
            http.setUseCaches(false);
            http.setConnectTimeout(timeout);
            http.setReadTimeout(timeout);
            http.setRequestProperty("Accept-Encoding", "gzip");
            headers.forEach(http::setRequestProperty);
            connection = http;
            return http;
        }

        @Override
        public synchronized void cancel() {
            isCancelled = true;
            if (connection != null) {
                connection.disconnect();
            }
        }
    }

    private static final class HttpResponse implements Response {
        private final HttpURLConnection connection;
        private final int status;
        private InputStream body;

        private HttpResponse(HttpURLConnection connection, int status) {
            this.connection = connection;
            this.status = status;
        }

        @Override
        public int status() {
            return status;
        }

        @Override
        public String header(String name) {
            return connection.getHeaderField(name);
        }

        @Override
        public InputStream body() throws IOException {
            if (body == null) {
                InputStream raw = status >= 400 ? connection.getErrorStream() : connection.getInputStream();
                if (raw == null) {
                    raw = new ByteArrayInputStream(new byte[0]);
                }
                long length = connection.getContentLengthLong();
                if (length >= 0) {
                    raw = new CheckedLengthStream(raw, length);
                }
                String encoding = connection.getContentEncoding();
                if (encoding == null || encoding.equalsIgnoreCase("identity")) {
                    body = raw;
                } else if (encoding.equalsIgnoreCase("gzip")) {
                    body = new GZIPInputStream(raw, 1 << 16);
                } else {
                    throw new IOException("the body has an unsupported content encoding");
                }
            }
            return body;
        }

        /** Closes the connection if the body was not read; otherwise the connection can be reused. */
        @Override
        public void close() throws IOException {
            if (body == null) {
                connection.disconnect();
            } else {
                body.close();
            }
        }
    }

    /** Throws if the body is shorter than its Content-Length, which {@link HttpURLConnection} does not. */
    private static final class CheckedLengthStream extends FilterInputStream {
        private long left;

        private CheckedLengthStream(InputStream stream, long length) {
            super(stream);
            left = length;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 255;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = super.read(bytes, offset, length);
            if (count < 0 && left > 0) {
                throw new IOException("the body is incomplete");
            }
            left -= Math.max(count, 0);
            return count;
        }
    }
}
