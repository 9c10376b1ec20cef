// Addresses in settings, by the rules of the server, so that a field can say at once what is wrong.

const maximumLength = 2_000;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** `{origin}` of an address that maps may load: null for a path on this server. Null for a text that is no such address. */
export function webAddress(text) {
    if (text.length > maximumLength || !/^[\x21-\x7e]+$/.test(text) || /["#<>\\^`|]/.test(text)) return null;
    // A path that begins with two slashes would name another host.
    if (text.startsWith("/")) return text.startsWith("//") ? null : { origin: null };
    const [match, name, port] = /^https:\/\/([A-Za-z0-9.-]+)(?::([0-9]{1,5}))?(?:[/?].*)?$/.exec(text) ?? [];
    const host = name?.toLowerCase();
    if (!match || !isHost(host)) return null;
    const number = Number(port ?? 443);
    if (number < 1 || number > 65_535) return null;
    return { origin: `https://${host}${number === 443 ? "" : `:${number}`}` };
}

/** Whether an address is a template of tiles. */
export const isTileTemplate = (text) => webAddress(text) !== null && ["{z}", "{x}", "{y}"].every((each) => text.includes(each))
    && !/[{}]/.test(text.replace(/\{(z|x|y|ratio)\}/g, ""));

/** Whether an address is that of a style, which has no placeholders. */
export const isStyleAddress = (text) => webAddress(text) !== null && !/[{}]/.test(text);

function isHost(host) {
    const labels = host.split(".");
    const isNumeric = /^([0-9]+|0x[0-9a-f]*)$/.test(labels.at(-1));
    return host.length <= 253 && labels.every((each) => label.test(each)) && (!isNumeric || isIPv4(labels));
}

/** Browsers read other forms, such as `2130706433`, as IPv4 addresses too, and write them as four decimal numbers: another origin. */
const isIPv4 = (labels) => labels.length === 4 && labels.every((each) => /^(0|[1-9][0-9]{0,2})$/.test(each) && Number(each) <= 255);
