package io.venuesync.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A level of the venue, held or not: the level features are in the venue-wide part, which is always held.
 *
 * @param id null is the venue-wide part
 * @param ordinal null if unknown
 * @param name in the language of the venue if available; may be null
 * @param shortName the same
 * @param digest the verified digest; null if the level is not held
 */
public record Level(String id, Integer ordinal, String name, String shortName, String digest) {
    public boolean isHeld() {
        return digest != null;
    }

    /** The venue-wide part and all levels of the venue in ascending order, held or not. */
    static List<Level> all(ReplicaStore store) throws SyncException {
        Map<String, String> digests = store.digests();
        String language = store.state().about().language();
        String[] languages = language == null ? new String[0] : new String[] {language};
        Map<String, Level> levels = new TreeMap<>();
        digests.forEach((level, digest) -> levels.put(level, new Level(ChangeSetWriter.level(level), null, null, null, digest)));
        store.forEach("", feature -> {
            if (feature.type().equals("level")) {
                Map<String, Object> properties = feature.properties();
                levels.put(feature.id(), new Level(
                    feature.id(), feature.ordinal(), Feature.preferred(Feature.labels(properties, "name"), languages),
                    Feature.preferred(Feature.labels(properties, "short_name"), languages), digests.get(feature.id())));
            }
        });
        List<Level> result = new ArrayList<>(levels.values());
        result.sort(
            Comparator.comparing((Level level) -> level.id() != null)
                .thenComparing(Level::ordinal, Comparator.nullsLast(Comparator.naturalOrder())));
        return result;
    }
}
