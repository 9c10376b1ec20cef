package io.venuesync.client;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * How requests reach the server: the one seam between this package and the network. {@link HttpTransport} is the one that is used unless
 * an app has its own, with OkHttp for instance. A transport sends what it is given and judges nothing: it follows no redirect, keeps
 * no cookie, and tries nothing twice.
 */
public interface Transport {
    /** A GET request that has not been sent yet. */
    Call newCall(String url, Map<String, String> headers);

    interface Call {
        /** Sends the request. Throws when there is no reply. */
        Response execute() throws IOException;

        /** Ends the call; a thread that waits for its reply or reads it gets an IOException. May be called from any thread. */
        void cancel();
    }

    interface Response extends Closeable {
        int status();

        /** The value of a header, in whatever case its name is; null when it is not there. */
        String header(String name);

        /** The body, unpacked if it was compressed. Throws when it breaks off before its end. */
        InputStream body() throws IOException;
    }
}
