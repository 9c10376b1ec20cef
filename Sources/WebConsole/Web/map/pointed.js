// What an address points at, such as the place of a finding: `feature=` an id, `at=` longitude and latitude, `level=` an id.
// Unlike `place=`, it may be anything of the venue, or nothing but a spot.

import { askJSON } from "../api.js";
import { h, icon } from "../ui/element.js";
import { pointOf } from "./geometry.js";
import { word } from "../words/words.js";

const closest = 20;

/** `{at, ordinal}`; `ordinal` is null when no floor is meant. Null when the address points at nothing that is anywhere. */
export async function pointedAt(venue, about, query, signal) {
    const id = query.get("feature");
    const version = /^[0-9a-f-]{36}$/i.test(id ?? "") ? await newest(venue, id, signal) : null;
    const at = position(query.get("at")) ?? (version ? pointOf(version.body) : null);
    const level = query.get("level") ?? version?.level_id;
    const ordinal = about.levels.find(({ level_id: id }) => id !== null && id === level)?.ordinal ?? null;
    return at || ordinal !== null ? { at, ordinal } : null;
}

/** The version of a feature that held last: the store knows its floor, which the body may not say. */
async function newest(venue, id, signal) {
    try {
        const { versions } = await askJSON(`/venues/${encodeURIComponent(venue)}/features/${id}/history?limit=1`, { signal });
        return versions[0] ?? null;
    } catch (error) {
        if (error.status === 404) return null; // of an archive that is not published
        throw error;
    }
}

function position(text) {
    const numbers = (text ?? "").split(",").map(Number);
    const isPlace = numbers.length === 2 && Math.abs(numbers[0]) <= 180 && Math.abs(numbers[1]) <= 90 && text !== ",";
    return isPlace ? numbers : null;
}

/** Puts a pin into a map and brings it into view. Who has seen it clicks it away. */
export function pin(map, at) {
    const element = h("button", {
        type: "button", class: "pointed", "aria-label": word("map.pointed"), title: word("map.pointed"), onclick: () => remove(),
    }, icon("pin"));
    const place = () => {
        const { x, y } = map.project(at);
        element.style.translate = `${x}px ${y}px`;
    };
    const remove = () => {
        map.off("render", place);
        element.remove();
    };
    map.getContainer().append(element);
    map.on("render", place);
    map.jumpTo({ center: at, zoom: Math.max(map.getZoom(), closest) });
    place();
}
