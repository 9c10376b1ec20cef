// An override in the list: what it is about, its values, who made it, and the decision.

import { requestJSON } from "../../api.js";
import { attribution } from "../../map/editing/override-note.js";
import { button } from "../fields.js";
import { endOverride } from "../../map/editing/requests.js";
import { featureName, levelName, typeName } from "../names.js";
import { h, icon } from "../../ui/element.js";
import { isolated, withNames } from "../../ui/names.js";
import { isSame } from "../../map/editing/changes.js";
import { partName, valueText } from "../../map/editing/value-text.js";
import { problemLine } from "../problem-messages.js";
import { publishedToast } from "../../map/editing/undo.js";
import { restoreOverride } from "./restore.js";
import { toast } from "../../ui/toast.js";
import { localized } from "../../localization/localization.js";

const tagClasses = { contested: "warn", orphaned: "bad", quiet: "" };

/** `onSettled(revision)` is called when the decision was made, with the newest revision. */
export function overrideEntry(desk, override, { levels, onSettled }) {
    const { id, state, kind, feature, message } = override;
    const name = featureName({ id: feature, properties: { name: override.name } });
    const title = kind === "value" ? partName(override.pointer) : localized(`desk.overrides.kind.${kind}`);
    const facts = [typeName(override.feature_type), override.level_id && levelName(override.level_id, levels)].filter(Boolean).join(" · ");
    return h(
        "article", { class: `desk-card override is-${state}`, tabindex: "-1", "data-id": id, "aria-labelledby": `override-${id}` },
        h("header", {},
            h("h3", { id: `override-${id}` }, h("bdi", {}, name), localized("desk.colon"), title),
            h("span", { class: `tag ${tagClasses[state]}` }, localized(`desk.overrides.state.${state}`))),
        h("p", { class: "help" }, facts, " · ", attribution(override, desk.venue.about.time_zone), message && withNames(` “${isolated(message)}”`)),
        values(override, desk.venue.about.time_zone),
        state !== "quiet" && h("p", { class: "help" }, localized(`desk.overrides.state.${state}.help`)),
        h("p", { class: "desk-actions" }, actions(desk, override, { name, title, onSettled })));
}

/** The values side by side. Of an override that nobody contests, two say everything. Hours that end by themselves are a closure. */
function values({ state, kind, pointer, base, value, source, until }, timeZone) {
    if (kind !== "value" && state !== "contested") return null;
    const columns = state === "contested" ? { base, value, source } : { source, value };
    const options = (column) => ({ timeZone: column === "value" && until ? timeZone : null });
    return h("dl", { class: `override-values has-${Object.keys(columns).length}` }, Object.entries(columns).map(([column, content]) => h(
        "div", { class: `is-${column}` },
        h("dt", {}, localized(`desk.overrides.${column}`)),
        h("dd", {}, kind === "hidden" && column === "value" ? localized("desk.overrides.hiddenValue") : valueText(pointer, content, options(column))))));
}

function actions(desk, override, options) {
    const { state, kind, feature } = override;
    const isOnMap = kind !== "hidden" && state !== "orphaned";
    const label = { title: options.title, name: options.name };
    return [
        state === "contested" && [
            labelledButton("primary", "mine", label, () => settle(desk, override, "mine", options)),
            labelledButton("quiet", "take", label, () => settle(desk, override, "source", options)),
        ],
        state !== "contested" && labelledButton(
            "quiet", state === "orphaned" ? "discard" : kind === "hidden" ? "show" : kind === "added" ? "remove" : "revert", label,
            () => settle(desk, override, null, options)),
        isOnMap && h("a", { class: "button bare", href: `#/${desk.venueKey}?feature=${feature}` },
            icon("map"), localized("desk.overrides.onMap"), h("span", { class: "visually-hidden" }, options.name)),
    ];
}

function labelledButton(kind, name, { title, name: feature }, act) {
    // The buttons are not disabled while a request is sent: a disabled button loses the focus.
    const element = button(kind, localized(`desk.overrides.${name}`), async () => {
        if (element.parentElement.querySelector("[aria-busy]")) return;
        element.setAttribute("aria-busy", "true");
        if (!(await act())) element.removeAttribute("aria-busy");
    });
    element.append(h("span", { class: "visually-hidden" }, ` – ${feature}${localized("desk.colon")}${title}`));
    return element;
}

/** Decides about an override: `take` is `mine` or `source`; null ends it. Returns whether that was done. */
async function settle(desk, override, take, { name, title, onSettled }) {
    const path = `/venues/${encodeURIComponent(desk.venueKey)}/overrides/${override.id}`;
    try {
        // A list that is out of date must not decide: the source may say something else by now.
        const now = await requestJSON(path, { signal: desk.signal });
        const isOutdated = ["state", "value", "source"].some((member) => !isSame(now[member], override[member]));
        if (isOutdated) {
            toast(localized("desk.overrides.outdated"), "problem");
            await desk.refresh();
            return true;
        }
        const result = take
            ? await requestJSON(`${path}/resolve`, { method: "POST", json: { take } })
            : await endOverride(desk.venueKey, override.id);
        const text = `${isolated(name)}${localized("desk.colon")}${title}`;
        if (take === "mine") toast(localized("desk.overrides.kept", { text }), "done");
        else if (override.state === "orphaned") toast(localized("desk.overrides.discarded", { text }), "done");
        else publishedToast(text, result, () => restoreOverride(desk.venueKey, override, result.revision));
        await onSettled(result.revision);
        return true;
    } catch (error) {
        toast(problemLine(error), "problem");
        if (error.status === 404 || error.type === "not-contested") await desk.refresh().catch(() => {});
        return false;
    }
}
