package io.venuesync.client;

/** 410: the cursor cannot be continued. */
final class HistoryLostException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Wire.Restart restart;

    HistoryLostException(Wire.Restart restart) {
        super("the server lost the history that the cursor is of");
        this.restart = restart;
    }

    /** How to keep what is still right; null when the server does not say. */
    Wire.Restart restart() {
        return restart;
    }
}
