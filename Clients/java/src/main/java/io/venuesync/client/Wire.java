package io.venuesync.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The documents that the server sends, checked member by member. Members that nobody knows yet are passed over. */
final class Wire {
    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final int MAX_CURSOR = 65_536;
    private static final Pattern DIGEST = Pattern.compile("sha-256:[0-9a-f]{64}");

    /** What has to be the same on every page of a change set. */
    record Frame(String venue, Long from, long to, String digest, About about) {}

    record Removal(String id) {}

    enum Kind { CHANGES, SNAPSHOT, GONE }

    /** What a page says of one level; null is the venue-wide part. */
    record Block(
        String level, Kind kind, String digest, boolean isContinued, List<Removal> removed, List<Feature> features) {}

    record Page(Frame frame, boolean isComplete, String cursor, List<Block> blocks) {}

    record RestartLevel(String level, String digest, String href) {}

    /** What to hold in the end, when the server cannot continue from a cursor. */
    record Restart(long to, String cursor, List<RestartLevel> levels) {}

    private Wire() {}

    static Page page(Object document, List<List<byte[]>> bodies) throws SyncException {
        if (integer(document, "protocol") != 1) {
            throw SyncException.invalidResponse("a change set of another protocol");
        }
        Object about = member(document, "about", Map.class);
        Frame frame = new Frame(
            text(document, "venue"), isNull(document, "from") ? null : integer(document, "from"), integer(document, "to"),
            digest(document, "digest"),
            new About(optionalText(about, "language"), optionalText(about, "time_zone"), optionalText(about, "country")));
        List<?> levels = member(document, "levels", List.class);
        if (levels.size() != bodies.size()) {
            throw SyncException.invalidResponse("features that do not stand on lines of their own");
        }
        List<Block> blocks = new ArrayList<>();
        for (int index = 0; index < levels.size(); index++) {
            blocks.add(block(levels.get(index), bodies.get(index)));
        }
        return new Page(frame, bool(document, "complete"), cursor(document), blocks);
    }

    private static Block block(Object document, List<byte[]> bodies) throws SyncException {
        if (!member(document, "features", List.class).isEmpty()) {
            throw SyncException.invalidResponse("features that do not stand on lines of their own");
        }
        Kind kind;
        switch (text(document, "kind")) {
            case "changes" -> kind = Kind.CHANGES;
            case "snapshot" -> kind = Kind.SNAPSHOT;
            case "gone" -> kind = Kind.GONE;
            default -> throw SyncException.invalidResponse("a level of an unknown kind");
        }
        String level = levelId(document, "level_id");
        List<Removal> removed = new ArrayList<>();
        for (Object removal : member(document, "removed", List.class)) {
            removed.add(new Removal(uuid(text(removal, "id"))));
        }
        List<Feature> features = new ArrayList<>(bodies.size());
        for (byte[] body : bodies) {
            features.add(feature(level, body));
        }
        boolean isContinued = !isNull(document, "continued") && bool(document, "continued");
        return new Block(
            level, kind, isNull(document, "digest") ? null : digest(document, "digest"), isContinued, removed, features);
    }

    /** A feature as it was received; a body that is none is refused, whatever its digest says. */
    static Feature feature(String level, byte[] body) throws SyncException {
        try {
            String[] found = Json.strings(body, "id", "feature_type");
            if (found[0] != null && found[1] != null) {
                return new Feature(uuid(found[0]), found[1], level, body);
            }
        } catch (Json.FormatException error) {
            throw SyncException.invalidResponse("a body that is no JSON: " + error.getMessage());
        }
        throw SyncException.invalidResponse("a body that is no feature");
    }

    /** The members of a 410 that say how to go on; null when it does not say so. */
    static Restart restart(Object problem) {
        try {
            List<RestartLevel> levels = new ArrayList<>();
            for (Object entry : member(problem, "levels", List.class)) {
                levels.add(new RestartLevel(levelId(entry, "level_id"), digest(entry, "digest"), text(entry, "href")));
            }
            long to = integer(problem, "to");
            return to < 1 ? null : new Restart(to, cursor(problem), levels);
        } catch (SyncException error) {
            return null;
        }
    }

    static <T> T member(Object document, String name, Class<T> kind) throws SyncException {
        Object value = document instanceof Map<?, ?> members ? members.get(name) : null;
        if (!kind.isInstance(value)) {
            throw SyncException.invalidResponse("no “" + name + "” where one has to be");
        }
        return kind.cast(value);
    }

    private static boolean isNull(Object document, String name) {
        return !(document instanceof Map<?, ?> members) || members.get(name) == null;
    }

    static String text(Object document, String name) throws SyncException {
        return member(document, name, String.class);
    }

    /** A cursor, which has to fit into the address of a request. */
    private static String cursor(Object document) throws SyncException {
        String cursor = text(document, "cursor");
        if (cursor.length() > MAX_CURSOR) {
            throw SyncException.invalidResponse("a cursor that is too long");
        }
        return cursor;
    }

    static String optionalText(Object document, String name) throws SyncException {
        return isNull(document, name) ? null : text(document, name);
    }

    private static boolean bool(Object document, String name) throws SyncException {
        return member(document, name, Boolean.class);
    }

    static long integer(Object document, String name) throws SyncException {
        long value = member(document, name, Long.class);
        if (value < 0) {
            throw SyncException.invalidResponse("“" + name + "” is negative");
        }
        return value;
    }

    private static String digest(Object document, String name) throws SyncException {
        String value = text(document, name);
        if (!DIGEST.matcher(value).matches()) {
            throw SyncException.invalidResponse("“" + name + "” is no digest");
        }
        return value;
    }

    /** Null is the venue-wide part, which has to be said. */
    private static String levelId(Object document, String name) throws SyncException {
        if (!(document instanceof Map<?, ?> members) || !members.containsKey(name)) {
            throw SyncException.invalidResponse("no “" + name + "” where one has to be");
        }
        return isNull(document, name) ? null : uuid(text(document, name));
    }

    static boolean isUuid(String text) {
        return UUID.matcher(text).matches();
    }

    private static String uuid(String text) throws SyncException {
        if (!isUuid(text)) {
            throw SyncException.invalidResponse("an id that is no UUID in lower case");
        }
        return text;
    }
}
