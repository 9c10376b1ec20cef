package io.venuesync.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The tables that all libraries share: resources of this package. */
final class SearchTables {
    private SearchTables() {}

    static byte[] read(String name) {
        // The whole path, because tools for Android may rename packages of classes.
        try (InputStream resource = SearchTables.class.getResourceAsStream("/io/venuesync/client/" + name)) {
            if (resource == null) {
                throw new IllegalStateException("the resource " + name + " is missing");
            }
            ByteArrayOutputStream read = new ByteArrayOutputStream();
            byte[] buffer = new byte[16_384];
            for (int count = resource.read(buffer); count >= 0; count = resource.read(buffer)) {
                read.write(buffer, 0, count);
            }
            return read.toByteArray();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
