// Links to a position on the map, such as those of findings. Query parameters: `feature=` a feature id, `at=` longitude and latitude,
// `level=` a level id, `upload=` and `finding=` a finding of the validation report, whose message is shown. Unlike `place=`, they can name any
// feature, or a position without a feature.

import { requestJSON } from "../api.js";
import { h, icon } from "../ui/element.js";
import { parsePosition } from "./map-mode.js";
import { labelPointOf } from "../client/map/label-point.js";
import { localized } from "../localization/localization.js";

const pinZoom = 20;
/** How many units of a feature of several levels are asked for their level. */
const maximumUnits = 8;

const isFeatureID = (text) => /^[0-9a-f-]{36}$/i.test(text ?? "");

/** The id of the level that a feature is on now, as of `levelOf`; null if there is no such feature, or it is on no level. */
export async function levelOfFeature(venue, id, signal) {
    const versionOf = (each) => newestVersion(venue, each, signal);
    return isFeatureID(id) ? levelOf(await versionOf(id), versionOf) : null;
}

/** The target of a link: `{at, ordinal}`, `ordinal` null if it has no floor. Null if the link names no known position or floor. */
export async function linkTarget(venue, about, query, signal) {
    const target = await targetOf(about, query, (id) => newestVersion(venue, id, signal));
    return target && { ...target, finding: await findingOf(query, signal) };
}

/** The target of a link in what the browser has stored, without a request: `live` is the `LiveVenue`. */
export function storedLinkTarget(live, about, query) {
    return targetOf(about, query, (id) => storedVersion(live, id));
}

/** `versionOf(id)` returns `{body, level_id}` of a feature, or null. */
async function targetOf(about, query, versionOf) {
    const id = query.get("feature");
    const version = isFeatureID(id) ? await versionOf(id) : null;
    const at = parsePosition(query.get("at")) ?? (version ? await positionOf(version.body, versionOf) : null);
    const level = query.get("level") ?? await levelOf(version, versionOf);
    const ordinal = about.levels.find(({ level_id: id }) => id !== null && id === level)?.ordinal ?? null;
    return at || ordinal !== null ? { at, ordinal } : null;
}

/** The level of a version; of a facility of several levels, such as a lift, the level of the first of its units that has one. */
async function levelOf(version, versionOf) {
    if (version?.level_id) return version.level_id;
    for (const unit of [version?.body?.properties?.unit_ids ?? []].flat().filter(isFeatureID).slice(0, maximumUnits)) {
        const level = (await versionOf(unit))?.level_id;
        if (level) return level;
    }
    return null;
}

/** The position of a feature, or of its anchor, because occupants have no geometry; null for none. */
async function positionOf(body, versionOf) {
    const own = labelPointOf(body)?.position;
    const anchor = body?.properties?.anchor_id;
    if (own || !isFeatureID(anchor)) return own ?? null;
    const version = await versionOf(anchor);
    return (version && labelPointOf(version.body)?.position) ?? null;
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

/** The same of a feature that the browser has stored. */
function storedVersion(live, id) {
    const feature = live.feature(id.toLowerCase());
    return feature ? { body: feature, level_id: feature.level } : null;
}

/** The finding that a link names: `{text, rule, index, count, upload, groups, neighbours}`; null for none, or if the key may not see it. */
async function findingOf(query, signal) {
    const upload = query.get("upload");
    const [, rule, position] = /^(.+):(\d{1,6})$/.exec(query.get("finding") ?? "") ?? [];
    if (!isFeatureID(upload) || !rule) return null;
    const index = Number(position);
    try {
        const [{ loadFinding, loadReport }, { neighbours }, { findingText }] = await Promise.all([
            import("../desk/findings/groups.js"), import("../desk/findings/neighbours.js"), import("../desk/findings/finding-text.js"),
        ]);
        const { groups } = await loadReport(upload, signal);
        const group = groups.find((each) => each.rule === rule);
        const finding = group && await loadFinding(group, index, signal);
        if (!finding) return null;
        // What has no position is not on this map.
        const around = await neighbours(groups, { rule, index }, signal, ({ at }) => Boolean(at));
        return { ...findingText(finding), rule, index, count: group.count, upload, groups, neighbours: around };
    } catch (error) {
        if (signal.aborted) throw error;
        return null; // The position is shown without its message.
    }
}

/** Shows a pin on the map and brings it into view, with the message of a finding if there is one. A click removes it. */
export function showPin(map, { at, finding }, { venue, offset, onRemove }) {
    const element = h("button", {
        type: "button", class: "map-pin", "aria-label": localized("map.pin"), title: localized("map.pin"), onclick: () => remove(),
    }, icon("pin"));
    const note = finding && findingNote(venue, finding);
    const update = () => {
        const { x, y } = map.project(at);
        for (const each of [element, note]) if (each) each.style.translate = `${x}px ${y}px`;
    };
    const remove = () => {
        map.off("render", update);
        element.remove();
        note?.remove();
        onRemove();
    };
    map.getContainer().append(element, ...(note ? [note] : []));
    if (note) keepStepFocus(note, finding);
    map.on("render", update);
    map.easeTo({ center: at, zoom: Math.max(map.getZoom(), pinZoom), offset, duration: 0 });
    update();
}

/** The link to another finding that the user has followed last, `{step, rule, index}`. It opens the page anew. */
let followed = null;

/** Focuses the link that the user has followed to this finding, or the note if it leads no further, unless the focus was moved since. */
function keepStepFocus(note, { rule, index }) {
    const step = followed?.rule === rule && followed.index === index ? followed.step : null;
    followed = null;
    if (!step || !document.activeElement?.matches("body, #main")) return;
    (note.querySelector(`[data-step="${step}"][href]`) ?? note).focus({ preventScroll: true });
}

/** The message of a finding, with links to the previous and the next one of the upload. At the ends they are disabled. */
function findingNote(venue, { text, detail, rule, index, count, upload, neighbours }) {
    const link = (finding, name) => {
        const step = name.toLowerCase();
        const target = finding ? { href: findingLink(venue, upload, finding) } : { role: "link", "aria-disabled": "true" };
        return h("a", {
            class: "button quiet", "aria-label": localized(`map.finding${name}`), "data-step": step, ...target,
            onclick: () => { followed = finding && { step, rule: finding.rule, index: finding.index }; },
        }, icon(step));
    };
    return h(
        "div", { class: "finding-note", role: "note", tabindex: -1 },
        h("p", {}, text), detail && h("p", { class: "finding-detail", lang: "en" }, detail),
        h("p", { class: "finding-note-steps" },
            link(neighbours[0], "Previous"), link(neighbours[1], "Next"),
            h("span", {}, localized("map.finding", { n: index + 1, count, rule })),
            h("a", { href: `#/${venue}/desk/uploads/${upload}` }, localized("map.findingReport"))));
}

/** The address of a finding, `{rule, index, feature_id, at}`, on the published map. */
export function findingLink(venue, upload, { rule, index, feature_id: id, at }) {
    const query = new URLSearchParams({
        ...(id ? { feature: id } : {}), ...(at ? { at: at.slice(0, 2).join(",") } : {}), upload, finding: `${rule}:${index}`,
    });
    return `#/${venue}?${query}`;
}
