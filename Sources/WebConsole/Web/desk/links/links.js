// The addresses that a venue gives to its visitors, its website and its screens.

/**
 * `{map, embed, kiosk}`.
 * @param choice `{origin, venue, floor, at, idle}`: the ordinal of a floor, a position and seconds, each an empty text for none.
 */
export function visitorLinks({ origin, venue, floor, at, idle }) {
    const query = (...parts) => (parts.some(Boolean) ? `?${parts.filter(Boolean).join("&")}` : "");
    const [onFloor, here] = [floor !== "" && `floor=${floor}`, at && `at=${at}`];
    return {
        map: `${origin}/#/${venue}${query(here, onFloor)}`,
        embed: `${origin}/embed/${venue}${query(onFloor)}`,
        kiosk: `${origin}/#/${venue}${query("kiosk", here, onFloor, idle && `idle=${idle}`)}`,
    };
}

/** The element for a page that shows the map in a frame. */
export function embedCode(address, title) {
    const text = title.replaceAll("&", "&amp;").replaceAll("\"", "&quot;");
    return `<iframe src="${address.replaceAll("&", "&amp;")}" title="${text}" width="100%" height="600" style="border: 0" loading="lazy"></iframe>`;
}
