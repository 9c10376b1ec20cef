// What a guard saw in a staged upload, by name: the share of the features and the floors and shops that would be removed, the two
// venues or sources, or what the contradicted edits are about. The server sends only the reason; the names are in the changes and
// findings.

import { requestAll, requestJSON } from "../../api.js";
import { featureName, levelName } from "../names.js";
import { formatNames, formatNumber } from "../formats.js";
import { fill, h } from "../../ui/element.js";
import { findingText } from "../findings/finding-text.js";
import { isolated, withForeignNames } from "../../ui/names.js";
import { namedLevels } from "../levels.js";
import { formatOf, localized } from "../../localization/localization.js";

const shopLimit = 3;
const floorLimit = 10;
const editLimit = 5;
/** The guard stages an upload that removes more than this share of the features. */
const largeShare = 0.3;

/** An element with the facts of a reason. Until they are loaded, and if that fails, it has the text `fallback`. */
export function guardFacts(desk, upload, reason, fallback) {
    const element = h("span", { "data-guard": reason }, fallback);
    factsOf(desk, upload, reason).then((sentences) => {
        if (sentences.length > 0) fill(element, withForeignNames(sentences.join(localized("desk.guard.space"))));
    }, () => {}); // The general text remains.
    return element;
}

/** The facts of each upload by reason. The page and its dialog show the same ones. */
const known = new WeakMap();

function factsOf(desk, upload, reason) {
    if (!known.has(upload)) known.set(upload, new Map());
    const facts = known.get(upload);
    if (!facts.has(reason)) facts.set(reason, load(desk, upload, reason));
    return facts.get(reason);
}

async function load(desk, upload, reason) {
    switch (reason) {
        case "removal": return removalFacts(desk, upload);
        case "other_venue": return venueFacts(desk, upload);
        case "other_origin": return originFacts(desk, upload);
        case "overrides": return overrideFacts(desk, upload);
        default: return [];
    }
}

async function removalFacts(desk, upload) {
    const options = { signal: desk.signal };
    const { removed, types } = upload.changes;
    const shopCount = types.find((type) => type.feature_type === "occupant")?.removed ?? 0;
    const [{ features }, levels, floors, shops] = await Promise.all([
        requestJSON(`/venues/${encodeURIComponent(desk.venueKey)}/revisions/${upload.base}`, options),
        namedLevels(desk), removedFloors(desk, upload), removedShops(desk, upload, Math.min(shopCount, shopLimit)),
    ]);
    const shopNames = shops.map(({ id, before }) => isolated(featureName(before, id)));
    // A floor without features is no loss.
    const removedOn = ({ id }) => upload.changes.levels.find((level) => level.level_id === id)?.removed ?? 0;
    const names = floors.filter((floor) => removedOn(floor) > 0).map((floor) => localized("desk.guard.floor", {
        name: isolated(levelName(floor.id, [...levels, { level_id: floor.id, ...floor.before.properties }])), n: removedOn(floor),
    }));
    return [
        removed > features * largeShare && localized("desk.guard.share", {
            share: formatOf(Intl.NumberFormat, { style: "percent" }).format(removed / features),
            removed: formatNumber(removed), total: formatNumber(features),
        }),
        names.length > 0 && localized("desk.guard.floors", { n: names.length, names: formatNames(names.slice(0, floorLimit), names.length) }),
        shops.length > 0 && localized("desk.guard.shops", { names: formatNames(shopNames, shopCount) }),
    ].filter(Boolean);
}

async function venueFacts(desk, upload) {
    const changes = await venueWideChanges(desk, upload);
    const venue = (side, kind) => changes.find((change) => change.feature_type === "venue" && change.kind === kind)?.[side];
    const [before, after] = [venue("before", "removed"), venue("after", "added")];
    if (!before || !after) return [];
    return [localized("desk.guard.venues", { before: isolated(featureName(before)), after: isolated(featureName(after)) })];
}

/** The rule book compares the origins, too. */
async function originFacts(desk, upload) {
    const { findings } = await requestJSON(`/uploads/${upload.id}/findings?rule=MF-06&limit=1`, { signal: desk.signal });
    return findings.map((finding) => findingText(finding).text);
}

/** The features of the edits that the archive contradicts and the last one did not. The server sends the first ones. */
async function overrideFacts(desk, upload) {
    const { overrides } = await requestJSON(`/uploads/${upload.id}/changes?bodies=false&limit=1`, { signal: desk.signal });
    const names = new Map(overrides.map(({ feature, name }) => [feature, isolated(featureName({ id: feature, properties: { name } }))]));
    if (names.size === 0) return [];
    return [localized("desk.guard.edits", { names: formatNames([...names.values()].slice(0, editLimit), names.size) }),
        localized("desk.reason.overrides.advice")];
}

const venueWideChanges = (desk, upload) =>
    requestAll(`/uploads/${upload.id}/changes?level=venue&limit=1000`, "changes", { signal: desk.signal, limit: 20_000 });

async function removedFloors(desk, upload) {
    const changes = await venueWideChanges(desk, upload);
    return changes.filter((change) => change.feature_type === "level" && change.kind === "removed")
        .sort((one, other) => ordinal(one) - ordinal(other));
}

const ordinal = ({ before }) => (Number.isInteger(before?.properties?.ordinal) ? before.properties.ordinal : 0);

/** The first `count` removed shops. Usually the first page has enough of them. */
async function removedShops(desk, upload, count) {
    const shops = [];
    const isRemovedShop = (change) => change.feature_type === "occupant" && change.kind === "removed";
    for (let next = `/uploads/${upload.id}/changes?limit=1000`; next && shops.length < count; ) {
        const page = await requestJSON(next, { signal: desk.signal });
        shops.push(...page.changes.filter(isRemovedShop));
        next = page.next;
    }
    return shops.slice(0, count);
}
