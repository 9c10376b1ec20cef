// A small picture of a venue: the units of the floor that the map shows first, in the colours of the map.

import { requestJSON } from "../api.js";
import { initialFloor } from "../map/floors.js";
import { boundingBox, isArea, labelPosition, path } from "../desk/diff/shapes.js";
import { groupsOf } from "../desk/diff/unit-groups.js";
import { Plane } from "../desk/diff/plane.js";
import { svg } from "../desk/diff/svg.js";

/** The picture of a floor with more features is its outline, because the units would take too long to load. */
const maximumFeatures = 4_000;

/** Draws the picture into a container when it comes into view. Without a floor, or if it cannot be loaded, the container stays empty. */
export function drawWhenVisible(container, venue, signal) {
    const observer = new IntersectionObserver((changes) => {
        if (!changes.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        draw(container, venue, signal).catch(() => {});
    }, { rootMargin: "200px" });
    observer.observe(container);
    signal.addEventListener("abort", () => observer.disconnect(), { once: true });
}

async function draw(container, { venue, head, levels }, signal) {
    const floor = initialFloor(levels.filter(({ ordinal }) => Number.isInteger(ordinal)));
    const features = levels.filter(({ ordinal }) => ordinal === floor?.ordinal).reduce((sum, level) => sum + level.features, 0);
    if (!floor) return;
    const types = features > maximumFeatures ? ["level"] : ["level", "unit", "anchor", "occupant"];
    const query = new URLSearchParams([["level", "venue"], ["level", `ordinal:${floor.ordinal}`], ...types.map((type) => ["type", type])]);
    const document = await requestJSON(`/venues/${encodeURIComponent(venue)}/revisions/${head}/features?${query}`, { signal });
    const shown = document.features.filter(({ feature_type: type, geometry, properties }) =>
        isArea(geometry) && (type === "unit" || properties.ordinal === floor.ordinal));
    const picture = pictureOf(shown, groupsOf(document.features));
    if (picture) container.replaceChildren(picture);
}

function pictureOf(features, groupOf) {
    const center = features.map(labelPosition).find((position) => position !== null);
    if (!center) return null;
    const plane = new Plane(center);
    const isLevel = ({ feature_type: type }) => type === "level";
    const box = boundingBox(features.map(({ geometry }) => geometry), plane);
    const margin = Math.max(box.right - box.left, box.bottom - box.top) * 0.04;
    const groups = Map.groupBy(features.filter((feature) => !isLevel(feature)), groupOf);
    const shape = (name, list) => svg("path", { class: name, d: list.map(({ geometry }) => path(geometry, plane)).join("") });
    return svg(
        "svg", {
            class: "venue-picture", "aria-hidden": "true", focusable: "false", preserveAspectRatio: "xMidYMid meet",
            viewBox: [box.left - margin, box.top - margin, box.right - box.left + 2 * margin, box.bottom - box.top + 2 * margin].join(" "),
        },
        shape("floor-level", features.filter(isLevel)),
        ...[...groups].map(([group, list]) => shape(`floor-unit floor-${group}`, list)),
        shape("floor-facade", features.filter(isLevel)));
}
