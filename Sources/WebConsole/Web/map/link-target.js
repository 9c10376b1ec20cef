// Links to a position on the map, such as those of findings. Query parameters: `feature=` a feature id, `at=` longitude and latitude,
// `level=` a level id. Unlike `place=`, they can name any feature, or a position without a feature.

import { requestJSON } from "../api.js";
import { h, icon } from "../ui/element.js";
import { labelPointOf } from "../client/map/label-point.js";
import { localized } from "../localization/localization.js";

const pinZoom = 20;

const isFeatureID = (text) => /^[0-9a-f-]{36}$/i.test(text ?? "");

/** The ordinal of the floor that a feature is on now; null if there is no such feature, or it is on no floor. */
export async function floorOfFeature(venue, levels, id, signal) {
    const version = isFeatureID(id) ? await newestVersion(venue, id, signal) : null;
    return levels.find(({ level_id: level }) => level !== null && level === version?.level_id)?.ordinal ?? null;
}

/** The target of a link: `{at, ordinal}`, `ordinal` null if it has no floor. Null if the link names no known position or floor. */
export async function linkTarget(venue, about, query, signal) {
    const id = query.get("feature");
    const version = isFeatureID(id) ? await newestVersion(venue, id, signal) : null;
    const at = parsePosition(query.get("at")) ?? (version ? (labelPointOf(version.body)?.position ?? null) : null);
    const level = query.get("level") ?? version?.level_id;
    const ordinal = about.levels.find(({ level_id: id }) => id !== null && id === level)?.ordinal ?? null;
    return at || ordinal !== null ? { at, ordinal } : null;
}

/** The newest version of a feature. It has the level id, which the body may not contain. */
async function newestVersion(venue, id, signal) {
    try {
        const { versions } = await requestJSON(`/venues/${encodeURIComponent(venue)}/features/${id}/history?limit=1`, { signal });
        return versions[0] ?? null;
    } catch (error) {
        if (error.status === 404) return null; // The feature is in an upload that is not published.
        throw error;
    }
}

function parsePosition(text) {
    const numbers = (text ?? "").split(",").map(Number);
    const isPosition = numbers.length === 2 && Math.abs(numbers[0]) <= 180 && Math.abs(numbers[1]) <= 90 && text !== ",";
    return isPosition ? numbers : null;
}

/** Shows a pin on the map and brings it into view. A click removes it. */
export function showPin(map, at) {
    const element = h("button", {
        type: "button", class: "map-pin", "aria-label": localized("map.pin"), title: localized("map.pin"), onclick: () => remove(),
    }, icon("pin"));
    const update = () => {
        const { x, y } = map.project(at);
        element.style.translate = `${x}px ${y}px`;
    };
    const remove = () => {
        map.off("render", update);
        element.remove();
    };
    map.getContainer().append(element);
    map.on("render", update);
    map.jumpTo({ center: at, zoom: Math.max(map.getZoom(), pinZoom) });
    update();
}
