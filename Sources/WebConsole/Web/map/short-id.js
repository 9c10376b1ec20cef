// Ids in links: the 16 bytes of a UUID in the URL-safe alphabet of Base64 (RFC 4648 §5), 22 characters.

/** The short form of a UUID. */
export function shortID(id) {
    const bytes = id.replaceAll("-", "").match(/../g).map((digits) => Number.parseInt(digits, 16));
    return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The UUID of a short form; null for other texts. */
export function idOfShort(text) {
    if (!/^[\w-]{22}$/.test(text)) return null;
    const bytes = [...atob(text.replaceAll("-", "+").replaceAll("_", "/"))].map((byte) => byte.charCodeAt(0));
    const digits = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return digits.replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
