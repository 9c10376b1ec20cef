// How the map is shown, by the parameters of the address: as a page, in the frame of another page, or on a kiosk.

/** Seconds without a touch after which a kiosk shows its start view again. */
const defaultIdleTime = 60;

/** The page that the server offers for frames of other sites: `/embed/mall`. */
const embedPath = /^\/embed\/([^/]+)\/?$/;

/** The venue of the address `/embed/{venue}`; null on the page of the console. */
export function embeddedVenue() {
    const [, venue] = embedPath.exec(location.pathname) ?? [];
    try {
        return venue ? decodeURIComponent(venue) : null;
    } catch {
        return null;
    }
}

/**
 * `{isEmbedded, isKiosk, isPreview, hasBar, at, idleTime, parameters}`: `hasBar` is whether the bar of the console is shown above the map, `at` the
 * position of a kiosk, `parameters` are those that the address keeps.
 */
export function mapMode(query) {
    const isKiosk = query.has("kiosk");
    const isEmbedded = query.has("embed") || embeddedVenue() !== null;
    const names = ["embed", ...(isKiosk ? ["kiosk", "at", "home", "idle"] : [])];
    const seconds = Number(query.get("idle") ?? defaultIdleTime);
    return {
        isKiosk, isEmbedded, isPreview: false, hasBar: !isKiosk && !isEmbedded,
        at: isKiosk ? parsePosition(query.get("at")) : null,
        idleTime: Number.isFinite(seconds) && seconds >= 1 ? seconds : defaultIdleTime,
        parameters: Object.fromEntries(names.filter((name) => query.has(name)).map((name) => [name, query.get(name)])),
    };
}

/**
 * The mode of a map that is not published: nothing of it has an address, can be shared or edited. `hasBar` is whether the bar shows the name of
 * the venue.
 */
export const previewMode = ({ hasBar }) => ({ ...mapMode(new URLSearchParams()), isEmbedded: false, isPreview: true, hasBar });

/** `[longitude, latitude]` of a text such as `139.767,35.681`; null if it is none. */
export function parsePosition(text) {
    const numbers = (text ?? "").split(",").map(Number);
    const isPosition = numbers.length === 2 && Math.abs(numbers[0]) <= 180 && Math.abs(numbers[1]) <= 90 && text !== ",";
    return isPosition ? numbers : null;
}
