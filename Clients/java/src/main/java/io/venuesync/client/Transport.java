package io.venuesync.client;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * The interface to the network. The default is {@link HttpTransport}; apps can provide their own, for example with OkHttp. A transport
 * must not follow redirects, keep cookies or retry.
 */
public interface Transport {
    /** A GET request that has not been sent yet. */
    Call newCall(String url, Map<String, String> headers);

    interface Call {
        /** Sends the request. Throws if there is no response. */
        Response execute() throws IOException;

        /** Cancels the call; a thread that waits for the response or reads it gets an IOException. May be called from any thread. */
        void cancel();
    }

    interface Response extends Closeable {
        int status();

        /** The value of a header field, ignoring case; null if it is missing. */
        String header(String name);

        /** The decompressed body. Throws if it is incomplete. */
        InputStream body() throws IOException;
    }
}
