package io.venuesync.client;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * A replica in a folder, and in memory while it is open.
 *
 * <p>Each level is a file whose name is its digest: its lines are the bodies in the order of their ids, so the name is the SHA-256 of the file.
 * {@code state.json} lists the levels that are held. Files are written under a temporary name, synced to disk and renamed, {@code state.json} last.
 * After a power failure the folder has the old or the new state. Only changed levels are written.
 *
 * <p>One process at a time may have the folder open.
 */
public final class FileReplicaStore extends MemoryReplicaStore {
    private static final String STATE = "state.json";
    private static final String SUFFIX = ".level";

    private final Path folder;
    private final FileChannel lockChannel;
    private boolean isDamaged;
    /** How many bytes may still be written; tests set a limit. */
    long remainingBytes = Long.MAX_VALUE;

    /** Opens or creates a folder. Damaged levels are left out and fetched by the next synchronization. */
    public FileReplicaStore(Path folder) throws SyncException {
        this.folder = folder;
        try {
            Files.createDirectories(folder);
            lockChannel = FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException error) {
            throw explain(error);
        }
        try {
            FileLock lock = tryLock();
            if (lock == null) {
                throw new SyncException(SyncException.Kind.STORE, folder + " is open in another process");
            }
            replace(load());
        } catch (IOException error) {
            close();
            throw explain(error);
        } catch (SyncException error) {
            close();
            throw error;
        }
    }

    private FileLock tryLock() throws IOException {
        try {
            return lockChannel.tryLock();
        } catch (OverlappingFileLockException error) {
            return null;
        }
    }

    /** True if damaged levels were left out when the folder was opened. */
    public boolean wasDamaged() {
        return isDamaged;
    }

    @Override
    public void close() throws SyncException {
        try {
            lockChannel.close();
        } catch (IOException error) {
            throw explain(error);
        }
    }

    private Contents load() throws IOException, SyncException {
        Map<?, ?> stored;
        try {
            stored = Json.parse(Files.readAllBytes(folder.resolve(STATE))) instanceof Map<?, ?> members ? members : Collections.emptyMap();
        } catch (NoSuchFileException error) {
            return Contents.EMPTY;
        } catch (Json.FormatException error) {
            throw new SyncException(SyncException.Kind.STORE, STATE + " is damaged: " + error.getMessage(), error);
        }
        if (!Long.valueOf(1).equals(stored.get("format"))) {
            throw new SyncException(SyncException.Kind.STORE, folder + " was written by another version of this package");
        }
        Map<String, String> digests = new TreeMap<>();
        NavigableMap<String, NavigableMap<String, Feature>> levels = new TreeMap<>();
        Map<?, ?> listed = Wire.member(stored, "levels", Map.class);
        for (Object name : listed.keySet()) {
            String level = (String) name;
            String digest = Wire.text(listed, level);
            NavigableMap<String, Feature> features = loadLevel(level, digest);
            if (features == null) {
                isDamaged = true;
            } else {
                digests.put(level, digest);
                levels.put(level, features);
            }
        }
        // Without a cursor the next synchronization replaces everything.
        boolean isComplete = !isDamaged && stored.get("revision") != null;
        ReplicaState state = new ReplicaState(
            Wire.text(stored, "venue"), Wire.integer(stored, "commits"),
            LevelSelection.stored(Wire.optionalText(stored, "selection")), isComplete ? Wire.text(stored, "cursor") : null,
            isComplete ? Wire.integer(stored, "revision") : null, Wire.optionalText(stored, "digest"),
            new About(
                Wire.optionalText(stored, "language"), Wire.optionalText(stored, "time_zone"),
                Wire.optionalText(stored, "country")),
            Wire.integer(stored, "synced_at"), Wire.optionalText(stored, "signed_head"));
        return new Contents(state, Collections.unmodifiableMap(digests), levels);
    }

    /** Null if the file does not match its name. */
    private NavigableMap<String, Feature> loadLevel(String level, String digest) throws IOException, SyncException {
        NavigableMap<String, Feature> features = new TreeMap<>();
        Digest computed = new Digest();
        byte[] text;
        try {
            text = Files.readAllBytes(file(digest));
        } catch (NoSuchFileException error) {
            return null;
        }
        int start = 0;
        for (int at = 0; at < text.length; at++) {
            if (text[at] == '\n') {
                byte[] body = new byte[at - start];
                System.arraycopy(text, start, body, 0, body.length);
                computed.add(body);
                try {
                    Feature feature = Wire.feature(ChangeSetWriter.level(level), body);
                    features.put(feature.id(), feature);
                } catch (SyncException error) {
                    return null;
                }
                start = at + 1;
            }
        }
        return start == text.length && computed.text().equals(digest) ? features : null;
    }

    private Path file(String digest) {
        return folder.resolve(digest.substring(digest.indexOf(':') + 1) + SUFFIX);
    }

    @Override
    void persist(Contents next) throws SyncException {
        try {
            for (Map.Entry<String, String> entry : next.digests().entrySet()) {
                Path file = file(entry.getValue());
                if (isDamaged || !Files.exists(file)) {
                    write(file, output -> {
                        for (Feature feature : next.level(entry.getKey()).values()) {
                            output.write(feature.body());
                            output.write('\n');
                        }
                    });
                }
            }
            // The level files have to be on disk before the state refers to them.
            forceFolder();
            write(folder.resolve(STATE), output -> output.write(describe(next).getBytes(StandardCharsets.UTF_8)));
            forceFolder();
            isDamaged = false;
        } catch (IOException error) {
            throw explain(error);
        }
        deleteUnusedFiles(next);
    }

    private interface Writer {
        void write(OutputStream output) throws IOException;
    }

    private void write(Path file, Writer writer) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            OutputStream output = new BufferedOutputStream(new LimitedOutputStream(java.nio.channels.Channels.newOutputStream(channel)), 1 << 16);
            writer.write(output);
            output.flush();
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private void forceFolder() throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (java.nio.file.AccessDeniedException error) {
            // Windows cannot open folders; there a rename is synced by the file system.
        }
    }

    private static String describe(Contents contents) {
        ReplicaState state = contents.state();
        StringBuilder text = new StringBuilder("{\"format\":1");
        add(text, "venue", state.venue());
        add(text, "selection", state.selection() == null ? null : state.selection().toString());
        add(text, "cursor", state.cursor());
        add(text, "digest", state.digest());
        add(text, "language", state.about().language());
        add(text, "time_zone", state.about().timeZone());
        add(text, "country", state.about().country());
        add(text, "signed_head", state.signedHead());
        text.append(",\"commits\":").append(state.commits()).append(",\"revision\":").append(state.revision());
        text.append(",\"synced_at\":").append(state.syncedAt()).append(",\"levels\":{");
        String separator = "";
        for (Map.Entry<String, String> entry : contents.digests().entrySet()) {
            text.append(separator).append(Json.quote(entry.getKey())).append(':').append(Json.quote(entry.getValue()));
            separator = ",";
        }
        return text.append("}}\n").toString();
    }

    private static void add(StringBuilder text, String name, String value) {
        text.append(',').append(Json.quote(name)).append(':').append(value == null ? "null" : Json.quote(value));
    }

    /** Deletes files of levels that are no longer in the state. Failures are ignored; the next commit tries again. */
    private void deleteUnusedFiles(Contents next) {
        Set<Path> kept = new HashSet<>();
        next.digests().values().forEach(digest -> kept.add(file(digest)));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX + "{,.new}")) {
            for (Path file : files) {
                if (!kept.contains(file)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | java.nio.file.DirectoryIteratorException error) {
            return;
        }
    }

    private static SyncException explain(IOException error) {
        String message = String.valueOf(error.getMessage());
        boolean isFull = message.contains("No space left") || message.contains("Disk quota") || message.contains("ENOSPC");
        return new SyncException(isFull ? SyncException.Kind.DISK_FULL : SyncException.Kind.STORE, message, error);
    }

    private final class LimitedOutputStream extends OutputStream {
        private final OutputStream output;

        private LimitedOutputStream(OutputStream output) {
            this.output = output;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (length > remainingBytes) {
                throw new IOException("No space left on device");
            }
            if (remainingBytes != Long.MAX_VALUE) {
                remainingBytes -= length;
            }
            output.write(bytes, offset, length);
        }
    }
}
