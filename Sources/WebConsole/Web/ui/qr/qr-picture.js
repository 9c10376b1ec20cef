// A QR code as a picture: dark on light in every colour scheme, because many readers do not find inverted ones.

import { h } from "../element.js";
import { qrModules } from "./qr-code.js";

/** The number of light modules around a QR code. */
const quietZone = 4;

/** Null if the text is too long. */
export function qrPicture(text, label) {
    const modules = modulesOf(text);
    if (!modules) return null;
    const size = modules.length + 2 * quietZone;
    const path = modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x + quietZone} ${y + quietZone}h1v1h-1z` : ""))).join("");
    return h(
        "svg", { class: "qr-code", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
        h("rect", { width: size, height: size, fill: "#ffffff" }), h("path", { d: path, fill: "#000000" }));
}

function modulesOf(text) {
    try {
        return qrModules(text);
    } catch (error) {
        if (error instanceof RangeError) return null;
        throw error;
    }
}
