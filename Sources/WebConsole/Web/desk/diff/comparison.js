// A difference as people look at it: in sentences, in numbers floor by floor, and of one floor on the map beside a list.

import { ask, askAll, askJSON } from "../../api.js";
import { changeList } from "./change-list.js";
import { DiffMap } from "./diff-map.js";
import { errorState, loadingState } from "../../ui/states.js";
import { fill, h } from "../../ui/element.js";
import { floorsOf } from "../floors.js";
import { language } from "../upload/follow-upload.js";
import { levelTable } from "./level-table.js";
import { scene } from "./scene.js";
import { wordList } from "./word-list.js";
import { word } from "../../words/words.js";

const pageSize = 1000;

/**
 * @param summary the numbers: `{words, levels, added, changed, removed}`.
 * @param source the address of the difference.
 * @param surroundings the revision whose features are drawn around the changes; 0 for none.
 * @param sides what the two states are called: `{before, after}`.
 */
export function comparison(desk, { summary, source, surroundings, sides }) {
    if (summary.levels.length === 0) {
        return h("p", { class: "desk-none" }, summary.words[0] ?? word("desk.changes.none"));
    }
    const place = h("div", { class: "comparison" });
    const tablePlace = h("div");
    let known = desk.venue?.levels ?? [];
    let table;
    let wanted;
    const name = () => {
        table = levelTable(summary.levels, known, (level) => show(level));
        fill(tablePlace, table.element);
        if (wanted !== undefined) table.mark(wanted);
    };
    const floors = new Map();
    const show = async (level) => {
        wanted = level;
        table.mark(level);
        if (!place.hasChildNodes()) fill(place, loadingState());
        place.setAttribute("aria-busy", "true");
        try {
            if (!floors.has(level)) floors.set(level, await loadFloor(desk, source, surroundings, level));
            if (wanted === level && !desk.signal.aborted) fill(place, floorView(floors.get(level), () => known, sides));
        } catch (error) {
            if (wanted === level && !desk.signal.aborted) fill(place, errorState(error, { retry: () => show(level) }));
        }
        if (wanted === level) place.removeAttribute("aria-busy");
    };
    name();
    show(busiest(summary.levels).level_id);
    allFloors(desk, source, summary.levels).then((floors) => {
        known = floors;
        name();
    }, () => {}); // some are called by their ordinals then
    return [wordList(summary.words), tablePlace, place];
}

/** A floor rather than the venue-wide part, and the one with the most to see. */
function busiest(levels) {
    const size = ({ level_id: id, added, changed, removed }) => (id === null ? 0 : 1e9) + added + changed + removed;
    return levels.reduce((best, level) => (size(level) > size(best) ? level : best));
}

/** The floors that the difference is about, with their names. */
async function allFloors(desk, source, levels) {
    const here = await floorsOf(desk);
    const isHere = ({ level_id: id }) => id === null || here.some((level) => level.level_id === id);
    return levels.every(isHere) ? here : [...here, ...(await otherFloors(desk, source))];
}

/** Floors that come or go with this difference, and so are none of the venue's now. */
async function otherFloors(desk, source) {
    const changes = await askAll(address(source, { level: "venue" }), "changes", { signal: desk.signal, most: 20_000 });
    return changes.filter((change) => change.feature_type === "level").map(({ id, after, before }) => {
        const { ordinal, name, short_name } = (after ?? before).properties;
        return { level_id: id, ordinal, name, short_name };
    });
}

function address(source, { level }) {
    const query = new URLSearchParams({ level: level ?? "venue", bodies: "true", limit: pageSize });
    return `${source}${source.includes("?") ? "&" : "?"}${query}`;
}

async function loadFloor(desk, source, surroundings, level) {
    const options = { signal: desk.signal, headers: language() };
    const [page, around] = await Promise.all([
        askJSON(address(source, { level }), options),
        surroundings > 0 ? loadSurroundings(desk, surroundings, level) : [],
    ]);
    const floor = { changes: page.changes, next: page.next, around };
    floor.more = async () => {
        const following = await askJSON(floor.next, options);
        floor.changes = [...floor.changes, ...following.changes];
        floor.next = following.next;
    };
    return floor;
}

/** What lies around the changes; the difference can be read without it. */
async function loadSurroundings(desk, revision, level) {
    const query = new URLSearchParams({ level: level ?? "venue", spanning: "true", has_geometry: "true" });
    const path = `/venues/${encodeURIComponent(desk.key)}/revisions/${revision}/features?${query}`;
    try {
        // A venue that was deleted and made again has other features under the same address.
        const answer = await ask(path, { signal: desk.signal, cache: "no-cache" });
        return (await answer.json()).features;
    } catch (error) {
        if (desk.signal.aborted) throw error;
        return [];
    }
}

/** @param levels gives the floors that are known by then, whose names details tell. */
function floorView(floor, levels, sides) {
    const map = new DiffMap({ sides, onPick: (id) => list.open(id) });
    const list = changeList({ levels, onPick: (id) => map.focus(id), onShow: (kind, isShown) => map.show(kind, isShown) });
    const note = h("p", { class: "help" });
    const draw = () => {
        const drawn = scene(floor.changes, floor.around);
        map.draw(drawn);
        list.draw(drawn.items);
        fill(note, floor.next && [
            word("desk.changes.cut", { n: floor.changes.length }), " ",
            h("button", {
                type: "button", class: "quiet",
                onclick: async (event) => {
                    event.target.disabled = true;
                    await floor.more().then(draw, (error) => fill(note, error.message));
                },
            }, word("desk.more")),
        ]);
    };
    draw();
    return [note, h("div", { class: "comparison-panes" }, map.element, list.element)];
}
