// Shows a difference: descriptions, numbers for each level, and the changes of one level as a map and a list.

import { requestAll, requestJSON } from "../../api.js";
import { changeList } from "./change-list.js";
import { DiffMap } from "./diff-map.js";
import { errorState, loadingState } from "../../ui/states.js";
import { fill, h } from "../../ui/element.js";
import { formatNumber } from "../formats.js";
import { namedLevels } from "../levels.js";
import { acceptLanguage } from "../upload/follow-upload.js";
import { LevelOutlines } from "./level-outlines.js";
import { levelTable } from "./level-table.js";
import { scene } from "./scene.js";
import { shiftOf } from "./shift.js";
import { descriptionList } from "./description-list.js";
import { localized } from "../../localization/localization.js";

const pageSize = 1000;
/** A level with more changes is not searched for a shift: so many take seconds to load and to draw. */
const shiftLimit = 25_000;

/**
 * @param summary the summary of the difference: `{words, levels, added, changed, removed}`.
 * @param source the path of the difference in the API.
 * @param surroundings the revision whose unchanged features are drawn around the changes; 0 for none.
 * @param sides the labels of the two states: `{before, after}`.
 */
export function comparison(desk, { summary, source, surroundings, sides }) {
    if (summary.levels.length === 0) {
        return h("p", { class: "desk-empty" }, summary.words[0] ?? localized("desk.changes.none"));
    }
    const container = h("div", { class: "comparison" });
    const tableContainer = h("div");
    let known = desk.venue?.levels ?? [];
    let table;
    let selected;
    const drawTable = () => {
        const before = table;
        const next = levelTable(summary.levels, known, (level) => show(level));
        if (selected !== undefined) next.select(selected);
        // A button that is replaced while it is pressed is not clicked.
        if (before?.element.isEqualNode(next.element)) return;
        const focused = before?.focusedLevel;
        table = next;
        fill(tableContainer, table.element);
        if (focused !== undefined) table.focus(focused);
    };
    /** The promises of levels. */
    const loaded = new Map();
    const outlines = new LevelOutlines(desk.venueKey, source, surroundings, desk.signal);
    const levelSummary = (level) => summary.levels.find(({ level_id: id }) => id === level);
    const show = async (level) => {
        selected = level;
        table.select(level);
        if (!container.hasChildNodes()) fill(container, loadingState());
        container.setAttribute("aria-busy", "true");
        try {
            if (!loaded.has(level)) loaded.set(level, loadLevel(desk, source, surroundings, levelSummary(level), outlines));
            const data = await loaded.get(level);
            if (selected === level && !desk.signal.aborted) fill(container, levelView(data, () => known, sides));
        } catch (error) {
            loaded.delete(level);
            // What the page shows is outdated.
            if (error.type === "wrong-state") await desk.refresh?.().catch(() => {});
            if (selected === level && !desk.signal.aborted) fill(container, errorState(error, { retry: () => show(level) }));
        }
        if (selected === level) container.removeAttribute("aria-busy");
    };
    drawTable();
    show(mostChanged(summary.levels).level_id);
    levelsWithNames(desk, source, summary.levels).then((levels) => {
        known = levels;
        drawTable();
    }, () => {}); // If this fails, some levels are shown with their ordinals.
    return h(
        "div", { class: "comparison-view" },
        h("div", { class: "change-descriptions" }, descriptionList(summary.words, 3)),
        h("div", { class: "comparison-layout" }, h("div", { class: "level-rail" }, tableContainer), container));
}

const changeCount = ({ added, changed, removed }) => added + changed + removed;

/** The level with the most changes; the venue-wide part only if there is no other. */
function mostChanged(levels) {
    const size = (level) => (level.level_id === null ? 0 : 1e9) + changeCount(level);
    return levels.reduce((best, level) => (size(level) > size(best) ? level : best));
}

/** The levels of the venue and of the difference, with their names. */
async function levelsWithNames(desk, source, levels) {
    const current = await namedLevels(desk);
    const isCurrent = ({ level_id: id }) => id === null || current.some((level) => level.level_id === id);
    return levels.every(isCurrent) ? current : [...current, ...(await changedLevels(desk, source))];
}

/** The levels that this difference adds, changes or removes. */
async function changedLevels(desk, source) {
    const changes = await requestAll(changesPath(source, "venue"), "changes", { signal: desk.signal, limit: 20_000 });
    return changes.filter((change) => change.feature_type === "level").map(({ id, after, before }) => {
        const { ordinal, name, short_name } = (after ?? before).properties;
        return { level_id: id, ordinal, name, short_name };
    });
}

function changesPath(source, level) {
    const query = new URLSearchParams({ level: level ?? "venue", bodies: "true", limit: pageSize });
    return `${source}${source.includes("?") ? "&" : "?"}${query}`;
}

/** The first page of the changes of a level (none without a `source`), with `loadMore()` for the next ones. `outlines` are `LevelOutlines`. */
export async function loadChanges(desk, source, surroundings, level, outlines) {
    const options = { signal: desk.signal, headers: acceptLanguage() };
    const [page, around, outline] = await Promise.all([
        source ? requestJSON(changesPath(source, level), options) : { changes: [], next: null },
        surroundings > 0 ? loadSurroundings(desk, surroundings, level) : [], outlines.of(level),
    ]);
    const data = { level, changes: page.changes, next: page.next, around, outline };
    data.loadMore = async () => {
        const nextPage = await requestJSON(data.next, options);
        data.changes = [...data.changes, ...nextPage.changes];
        data.next = nextPage.next;
    };
    return data;
}

/** The changes of a level: the first page, and all if that looks like a shift of the whole level, which takes all changes to find. */
async function loadLevel(desk, source, surroundings, summary, outlines) {
    const data = await loadChanges(desk, source, surroundings, summary.level_id, outlines);
    if (data.next && changeCount(summary) <= shiftLimit && shiftOf(data.changes)) {
        while (data.next) await data.loadMore();
    }
    return data;
}

/** The features around the changes. They are optional: without them, the changes are drawn alone. */
async function loadSurroundings(desk, revision, level) {
    const query = new URLSearchParams({ level: level ?? "venue", spanning: "true", has_geometry: "false" });
    const path = `/venues/${encodeURIComponent(desk.venueKey)}/revisions/${revision}/features?${query}`;
    try {
        // Not from the cache: a venue that was deleted and created again has other features at the same URL.
        return (await requestJSON(path, { signal: desk.signal, cache: "no-cache" })).features;
    } catch (error) {
        if (desk.signal.aborted) throw error;
        return [];
    }
}

/** @param levels returns the levels whose names are known by then. */
function levelView(data, levels, sides) {
    const map = new DiffMap({ sides, onPick: (id) => list.open(id) });
    const list = changeList({ levels, onPick: (id) => map.focus(id), onShow: (kind, isShown) => map.show(kind, isShown) });
    const note = h("p", { class: "help" });
    const draw = () => {
        const levelScene = scene(data, data.level ?? null);
        map.draw(levelScene);
        list.draw(levelScene);
        fill(note, data.next && [
            localized("desk.changes.truncated", { n: formatNumber(data.changes.length) }), " ",
            h("button", {
                type: "button", class: "quiet",
                onclick: async (event) => {
                    event.target.disabled = true;
                    await data.loadMore().then(draw, (error) => fill(note, error.message));
                },
            }, localized("desk.more")),
        ]);
    };
    draw();
    return [note, h("div", { class: "comparison-panes" }, map.element, list.element)];
}
