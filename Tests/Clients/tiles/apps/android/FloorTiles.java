import com.google.android.gms.maps.model.UrlTileProvider;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Scanner;
import java.util.Set;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;

/** A floor as a tile overlay of Google Maps. */
final class FloorTiles extends UrlTileProvider {
    /** A revision that changes tiles of the floor: names such as 18/232753/103432, or null for all. */
    private record Update(String version, Set<String> tiles) {}

    private final String venue;
    private final int ordinal;
    private final String token;
    private final List<Update> updates = new ArrayList<>(); // newest first
    private int revision;
    private String edition = "";

    FloorTiles(String venue, int ordinal, String token, int revision) {
        super(512, 512);
        this.venue = venue;
        this.ordinal = ordinal;
        this.token = token;
        this.revision = revision;
    }

    /** Called on any thread. */
    @Override
    public synchronized URL getTileUrl(int x, int y, int zoom) {
        if (zoom < 14 || zoom > 22) return null;
        String name = zoom + "/" + x + "/" + y;
        String address = venue + "/tiles/L" + ordinal + "_" + zoom + "_" + x + "_" + y + "@2x.png?lang=en&theme=light&token=" + token;
        for (Update update : updates) {
            if (update.tiles != null && !update.tiles.contains(name)) continue;
            address += "&version=" + update.version;
            break;
        }
        try {
            return new URL(address);
        } catch (MalformedURLException error) {
            throw new IllegalStateException(error);
        }
    }

    /** Whether a new revision changes tiles of this floor. Not for the main thread, which must then call {@code clearTileCache}. */
    synchronized boolean update() throws IOException, JSONException {
        String query = "since=" + revision + "&format=png&lang=en&theme=light&token=" + token;
        if (!edition.isEmpty()) query += "&edition=" + edition;
        HttpURLConnection connection = (HttpURLConnection) new URL(venue + "/tiles/changes?" + query).openConnection();
        JSONObject changes;
        try (InputStream body = connection.getInputStream()) { // throws for 401, 404 and 410: start again with a new token and revision
            changes = new JSONObject(new Scanner(body, "UTF-8").useDelimiter("\\A").next());
        }
        revision = changes.getInt("to");
        edition = changes.getString("edition");
        boolean changed = false;
        JSONArray floors = changes.getJSONArray("floors");
        for (int index = 0; index < floors.length(); index++) {
            JSONObject floor = floors.getJSONObject(index);
            if (floor.isNull("ordinal") || floor.getInt("ordinal") != ordinal) continue;
            updates.add(0, new Update(revision + "-" + edition.substring(0, 8), names(floor.optJSONArray("tiles"))));
            changed = true;
        }
        return changed;
    }

    private static Set<String> names(JSONArray tiles) throws JSONException {
        if (tiles == null) return null;
        Set<String> names = new HashSet<>();
        for (int index = 0; index < tiles.length(); index++) names.add(tiles.getString(index));
        return names;
    }
}
