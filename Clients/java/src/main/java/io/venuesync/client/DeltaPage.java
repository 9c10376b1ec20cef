package io.venuesync.client;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Reads the delta form of a change set: docs/protocol/delta-form.md. */
final class DeltaPage {
    /** Bounds. The server stays far below them. */
    static final int MAX_DOCUMENT_BYTES = 48 << 20;
    private static final int MAX_BODY_BYTES = 64 << 20;
    private static final int MAX_INDEX_BYTES = 4 << 20;
    private static final int MAX_ITEMS = 100_000;
    private static final int MAX_GROUPS = 10_000;
    private static final int MAX_CONTEXT_BYTES = 24 << 10;
    private static final int WINDOW = 32 << 10;
    private static final byte[] MAGIC = {'V', 'S', 'D', 1};
    private static final Wire.Kind[] KINDS = {Wire.Kind.CHANGES, Wire.Kind.SNAPSHOT, Wire.Kind.GONE};

    /** A block without its bodies. */
    private record Block(String level, Wire.Kind kind, String digest, boolean isContinued, List<Wire.Removal> removed, int count) {}

    /** A held feature, and how many bytes a new body has in common with its beginning and its end. */
    private record Source(Feature feature, int prefix, int suffix) {
        byte[] middle() {
            return Arrays.copyOfRange(feature.body(), prefix, feature.body().length - suffix);
        }
    }

    /** What the replica held before the synchronization. */
    private final ReplicaStore store;
    /** The ids of the held levels, ascending, without the venue-wide part. */
    private final List<String> levels;
    /** The features of levels by rank. */
    private final Map<String, List<Feature>> orders = new HashMap<>();
    private int items;
    private long newBytes;
    /** The first features of a level with one type; null until they were read. */
    private List<byte[]> context;

    private DeltaPage(ReplicaStore store) throws SyncException {
        this.store = store;
        this.levels = store.digests().keySet().stream().filter(level -> !level.isEmpty()).sorted().toList();
    }

    /**
     * Throws an exception of the kind INVALID_RESPONSE for a document that is damaged or does not fit the replica. {@code since} is the
     * cursor of the request. The digests of levels in the result are only the beginnings.
     */
    static Wire.Page read(byte[] document, ReplicaStore store, String since) throws SyncException {
        return new DeltaPage(store).page(document, since == null ? "" : since);
    }

    private Wire.Page page(byte[] document, String since) throws SyncException {
        DeltaReader reader = new DeltaReader(document);
        if (document.length > MAX_DOCUMENT_BYTES || !Arrays.equals(reader.take(MAGIC.length), MAGIC)) {
            throw SyncException.invalidResponse("another format or version, or a document that is too large");
        }
        int flags = reader.next();
        if (flags > 63) {
            throw SyncException.invalidResponse("unknown flags");
        }
        String venue = reader.text(reader.count());
        Long from = (flags & 2) == 0 ? null : Long.valueOf(reader.number());
        long to = reader.number() + (from == null ? 0 : from);
        String digest = reader.digest();
        if ((flags & 4) != 0) {
            reader.number();
        }
        About about = new About(reader.optionalText(), reader.optionalText(), reader.optionalText());
        if ((flags & 16) != 0) {
            reader.text(reader.count()); // speeds for routes, which this client does not compute
        }
        int unchanged = reader.count();
        if (unchanged > since.length() / 4) {
            throw SyncException.invalidResponse("more of the cursor than the request has");
        }
        String cursor = since.substring(0, 4 * unchanged)
            + Base64.getUrlEncoder().withoutPadding().encodeToString(reader.take(reader.count()));
        byte[] index = reader.take(reader.count());
        if ((flags & 8) != 0) {
            index = inflate(index, new byte[0], MAX_INDEX_BYTES);
        }
        List<Wire.Block> blocks = blocks(new DeltaReader(index), reader, (flags & 32) != 0);
        reader.expectEnd();
        return new Wire.Page(new Wire.Frame(venue, from, to, digest, about), (flags & 1) != 0, cursor, blocks);
    }

    private List<Wire.Block> blocks(DeltaReader index, DeltaReader streams, boolean hasCompanions) throws SyncException {
        List<Block> blocks = new ArrayList<>();
        for (int left = items(index.count()); left > 0; left--) {
            blocks.add(block(index));
        }
        // The block of each body.
        List<Block> owners = new ArrayList<>();
        for (Block block : blocks) {
            for (int left = block.count; left > 0; left--) {
                owners.add(block);
            }
        }
        List<byte[]> bodies = new ArrayList<>();
        int rank = index.count() - 1;
        String contextLevel = rank < 0 ? null : level(index);
        for (int groups = 0; bodies.size() < owners.size(); groups++) {
            if (groups == MAX_GROUPS) {
                throw SyncException.invalidResponse("too many groups");
            }
            int number = index.count();
            int size = number >> 1;
            if (size == 0 || size > owners.size() - bodies.size()) {
                throw SyncException.invalidResponse("more bodies than announced");
            }
            List<Source> sources = sources(index, owners.subList(bodies.size(), bodies.size() + size));
            List<byte[]> others = new ArrayList<>((number & 1) == 0 ? List.of() : context(contextLevel, rank));
            for (int left = hasCompanions ? items(index.count()) : 0; left > 0; left--) {
                others.add(held(level(index), index.count()).body());
            }
            bodies.addAll(group(sources, others, streams.take(index.count())));
        }
        index.expectEnd();
        List<Wire.Block> result = new ArrayList<>();
        int start = 0;
        for (Block block : blocks) {
            List<Feature> features = new ArrayList<>();
            for (byte[] body : bodies.subList(start, start + block.count)) {
                features.add(Wire.feature(block.level, body));
            }
            start += block.count;
            result.add(new Wire.Block(block.level, block.kind, block.digest, block.isContinued, block.removed, features));
        }
        return result;
    }

    private int items(int count) throws SyncException {
        if (count > MAX_ITEMS - items) {
            throw SyncException.invalidResponse("too many features");
        }
        items += count;
        return count;
    }

    private Block block(DeltaReader index) throws SyncException {
        int flags = index.next();
        if (flags > 31 || (flags & 3) == 3) {
            throw SyncException.invalidResponse("a block of an unknown kind");
        }
        String level = level(index);
        String digest = (flags & 8) == 0 ? null : index.digest(8);
        List<Wire.Removal> removed = new ArrayList<>();
        long rank = -1;
        int removedCount = (flags & 16) == 0 ? 0 : items(index.count());
        if ((flags & 16) != 0 && removedCount == 0) {
            throw SyncException.invalidResponse("no removals");
        }
        for (int left = removedCount; left > 0; left--) {
            int difference = index.count();
            if (difference == 0) {
                throw SyncException.invalidResponse("ranks that do not ascend");
            }
            rank += difference;
            removed.add(new Wire.Removal(held(level, rank).id()));
        }
        return new Block(level, KINDS[flags & 3], digest, (flags & 4) != 0, removed, items(index.count()));
    }

    /** Null is the venue-wide part. */
    private String level(DeltaReader index) throws SyncException {
        int number = index.count();
        if (number == 0) {
            return null;
        }
        if (number == 1) {
            ByteBuffer id = ByteBuffer.wrap(index.take(16));
            return new UUID(id.getLong(), id.getLong()).toString();
        }
        if (number - 2 >= levels.size()) {
            throw SyncException.invalidResponse("a level that is not held");
        }
        return levels.get(number - 2);
    }

    private List<Feature> order(String level) throws SyncException {
        List<Feature> order = orders.get(ChangeSetWriter.key(level));
        if (order == null) {
            List<Feature> features = new ArrayList<>();
            store.forEach(ChangeSetWriter.key(level), features::add);
            orders.put(ChangeSetWriter.key(level), features);
            order = features;
        }
        return order;
    }

    private Feature held(String level, long rank) throws SyncException {
        List<Feature> order = order(level);
        if (rank >= order.size()) {
            throw SyncException.invalidResponse("a rank that is out of range");
        }
        return order.get((int) rank);
    }

    private List<Source> sources(DeltaReader index, List<Block> owners) throws SyncException {
        List<Source> sources = new ArrayList<>();
        Block current = null;
        long last = -1;
        for (Block owner : owners) {
            if (owner != current) {
                last = -1;
                current = owner;
            }
            int number = index.count();
            if (number == 0) {
                sources.add(null);
                continue;
            }
            Feature feature;
            if (number == 1) {
                String level = level(index);
                feature = held(level, index.count());
            } else {
                last += number - 1;
                feature = held(owner.level, last);
            }
            int prefix = index.count();
            int suffix = index.count();
            if ((long) prefix + suffix > feature.body().length) {
                throw SyncException.invalidResponse("more bytes in common than the held body has");
            }
            sources.add(new Source(feature, prefix, suffix));
        }
        return sources;
    }

    /** {@code others}: what the dictionary begins with. */
    private List<byte[]> group(List<Source> sources, List<byte[]> others, byte[] stream) throws SyncException {
        List<byte[]> parts = new ArrayList<>(others);
        for (Source source : sources) {
            if (source != null) {
                parts.add(source.feature.body());
            }
        }
        for (Source source : sources) {
            if (source != null) {
                parts.add(source.middle());
            }
        }
        byte[] text = inflate(stream, dictionary(parts), (int) (MAX_BODY_BYTES - newBytes));
        List<byte[]> bodies = new ArrayList<>();
        int start = 0;
        for (Source source : sources) {
            int end = start;
            while (end < text.length && text[end] != '\n') {
                end++;
            }
            if (end == text.length) {
                throw SyncException.invalidResponse("fewer bodies than announced");
            }
            byte[] body = body(source, text, start, end);
            newBytes += body.length;
            if (newBytes > MAX_BODY_BYTES) {
                throw SyncException.invalidResponse("a text that is too large");
            }
            bodies.add(body);
            start = end + 1;
        }
        if (start != text.length) {
            throw SyncException.invalidResponse("more bodies than announced");
        }
        return bodies;
    }

    private static byte[] body(Source source, byte[] text, int start, int end) {
        if (source == null) {
            return Arrays.copyOfRange(text, start, end);
        }
        byte[] held = source.feature.body();
        ByteArrayOutputStream body = new ByteArrayOutputStream(source.prefix + end - start + source.suffix);
        body.write(held, 0, source.prefix);
        body.write(text, start, end - start);
        body.write(held, held.length - source.suffix, source.suffix);
        return body.toByteArray();
    }

    /** The first features of a level with the type of the one with this rank. */
    private List<byte[]> context(String level, int rank) throws SyncException {
        if (rank < 0) {
            throw SyncException.invalidResponse("a document without a context");
        }
        if (context != null) {
            return context;
        }
        Feature example = held(level, rank);
        List<byte[]> bodies = new ArrayList<>();
        int left = MAX_CONTEXT_BYTES;
        for (Feature feature : order(level)) {
            if (feature.type().equals(example.type())) {
                left -= feature.body().length + 1;
                if (left < 0) {
                    break;
                }
                bodies.add(feature.body());
            }
        }
        context = bodies;
        return bodies;
    }

    /** The last 32 KiB of the parts, with a line feed after each. */
    private static byte[] dictionary(List<byte[]> parts) {
        byte[] window = new byte[WINDOW];
        int start = WINDOW;
        for (int index = parts.size() - 1; index >= 0 && start > 0; index--) {
            byte[] part = parts.get(index);
            window[--start] = '\n';
            int count = Math.min(part.length, start);
            start -= count;
            System.arraycopy(part, part.length - count, window, start, count);
        }
        return Arrays.copyOfRange(window, start, WINDOW);
    }

    private static byte[] inflate(byte[] stream, byte[] dictionary, int limit) throws SyncException {
        Inflater inflater = new Inflater(true);
        try {
            if (dictionary.length > 0) {
                inflater.setDictionary(dictionary);
            }
            inflater.setInput(stream);
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            byte[] buffer = new byte[1 << 14];
            while (!inflater.finished()) {
                int count = inflater.inflate(buffer);
                if (count == 0 && !inflater.finished()) {
                    throw SyncException.invalidResponse("a stream that is truncated");
                }
                if (count > limit - text.size()) {
                    throw SyncException.invalidResponse("a text that is too large");
                }
                text.write(buffer, 0, count);
            }
            if (inflater.getRemaining() > 0) {
                throw SyncException.invalidResponse("bytes after the end of a stream");
            }
            return text.toByteArray();
        } catch (DataFormatException error) {
            throw SyncException.invalidResponse("a stream that is damaged");
        } finally {
            inflater.end();
        }
    }
}
