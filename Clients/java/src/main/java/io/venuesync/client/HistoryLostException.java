package io.venuesync.client;

/** 410: the cursor cannot be continued. */
final class HistoryLostException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Wire.Restart restart;

    HistoryLostException(Wire.Restart restart) {
        super("the history of the cursor is lost");
        this.restart = restart;
    }

    /** The digests of all levels; null if the response has none. */
    Wire.Restart restart() {
        return restart;
    }
}
