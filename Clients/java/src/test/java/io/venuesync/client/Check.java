package io.venuesync.client;

import java.util.Objects;

/** Assertions. */
final class Check {
    interface Body {
        void run() throws Exception;
    }

    private Check() {}

    static void that(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }

    static void same(Object found, Object expected, String where) {
        that(Objects.equals(found, expected), where + ": found " + found + ", expected " + expected);
    }

    static <T extends Throwable> T raises(Class<T> kind, Body body) {
        try {
            body.run();
        } catch (Throwable error) {
            if (kind.isInstance(error)) {
                return kind.cast(error);
            }
            throw new AssertionError("raised " + error + " instead of " + kind.getSimpleName(), error);
        }
        throw new AssertionError("nothing was raised, instead of " + kind.getSimpleName());
    }

    static void fails(SyncException.Kind kind, Body body) {
        same(raises(SyncException.class, body).kind(), kind, "the error");
    }
}
