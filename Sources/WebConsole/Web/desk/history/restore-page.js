// Rolls back a venue, or some of its levels, to an earlier revision, after a preview of what that would change.

import { requestJSON } from "../../api.js";
import { button, labelled } from "../fields.js";
import { entanglement } from "./entanglement.js";
import { errorState, loadingState } from "../../ui/states.js";
import { fill, h, icon } from "../../ui/element.js";
import { namedLevels } from "../levels.js";
import { followRevisions } from "../follow-revisions.js";
import { acceptLanguage } from "../upload/follow-upload.js";
import { formatNames } from "../formats.js";
import { isolated, withNames } from "../../ui/names.js";
import { levelChoice } from "./level-choice.js";
import { levelName } from "../names.js";
import { levelTable } from "../diff/level-table.js";
import { openDialog } from "../../ui/dialog.js";
import { countsLine } from "../upload/upload-entry.js";
import { problemLine } from "../problem-messages.js";
import { toast } from "../../ui/toast.js";
import { descriptionList } from "../diff/description-list.js";
import { localized } from "../../localization/localization.js";

export async function show(desk) {
    const to = Number(desk.query.get("to"));
    if (!desk.venue || !Number.isInteger(to) || to < 1) throw { status: 404, type: "revision-not-found" };
    const revision = await requestJSON(`${path(desk)}/revisions/${to}`, { signal: desk.signal, headers: acceptLanguage() });
    const levels = await selectableLevels(desk, to);
    const preview = h("div", { class: "preview", "aria-live": "polite" });
    const choice = levelChoice(levels, () => updatePreview());
    const message = h("input", {
        id: "restore-message", maxlength: 600, autocomplete: "off", placeholder: localized("desk.restore.messageExample"),
    });
    fill(desk.root,
        h("header", {},
            h("h2", {}, localized("desk.restore.title", { n: to })),
            h("p", {}, withNames(localized("desk.restore.help", { n: to, author: isolated(revision.author), message: isolated(revision.message) })))),
        choice.element,
        labelled(message, localized("desk.restore.message")),
        preview);

    let latestUpdate = 0;
    const updatePreview = async () => {
        const thisUpdate = (latestUpdate += 1);
        const selected = choice.selectedLevels();
        if (selected?.length === 0) return fill(preview, h("p", { class: "desk-empty" }, localized("desk.restore.chooseLevels")));
        if (!preview.hasChildNodes()) fill(preview, loadingState());
        preview.setAttribute("aria-busy", "true");
        let content;
        try {
            const plan = await requestRollback(desk, { to, levels: selected, dry_run: true });
            content = previewSection(desk, levels, plan, { names: namesOf(selected), onRollBack: () => confirm(plan, selected) });
        } catch (error) {
            content = failureSection(error, selected);
        }
        if (thisUpdate !== latestUpdate || desk.signal.aborted) return;
        preview.removeAttribute("aria-busy");
        fill(preview, content);
    };
    /** The names of some levels in one text; undefined for the whole venue. */
    const namesOf = (selected) => selected && formatNames(selected.map((id) => isolated(levelName(id, levels))), selected.length);
    const failureSection = (error, selected) => {
        if (error.type === "levels-entangled") return entanglement(error.document, levels, choice.select, choice.selectAll);
        if (error.type === "nothing-to-restore") {
            return h("p", { class: "notice" }, icon("check"), h("span", {}, withNames(sentence("nothing", { n: to, names: namesOf(selected) }))));
        }
        return errorState(error, { retry: updatePreview });
    };
    const confirm = async (plan, selected) => {
        const names = namesOf(selected);
        const done = await openDialog({
            title: withNames(sentence("confirmTitle", { n: to, names })),
            body: [h("p", {}, countsLine(plan.changes)), h("p", { class: "help" }, localized("desk.restore.confirmHelp"))],
            actions: [{
                label: localized("desk.restore.confirm"), kind: "primary",
                act: () => rollBack(desk, plan, { to, levels: selected, message: message.value.trim() || undefined }),
            }],
        });
        if (done?.changed) {
            toast(localized("desk.restore.changed"), "problem");
            updatePreview();
        } else if (done) {
            toast(sentence("done", { n: done.number, to, names }), "done");
            location.hash = `#/${desk.venueKey}/desk/history`;
        }
    };
    await updatePreview();
    followRevisions(desk, updatePreview);
}

/** A sentence about the whole venue, or about some of its floors, which alone become equal to what they were. Names are isolated. */
const sentence = (key, values) => localized(`desk.restore.${key}${values.names ? ".some" : ""}`, values);

const path = (desk) => `/venues/${encodeURIComponent(desk.venueKey)}`;

const requestRollback = (desk, json) => requestJSON(
    `${path(desk)}/rollback`, { method: "POST", json, signal: desk.signal, headers: acceptLanguage() });

/** Rolls back. With `base`, the server refuses if the result would differ from the preview. */
async function rollBack(desk, plan, options) {
    try {
        return await requestRollback(desk, { ...options, base: plan.from });
    } catch (error) {
        if (error.type === "head-moved") return { changed: true };
        throw new Error(problemLine(error));
    }
}

/** The current levels, and those of the target revision that were removed since. */
async function selectableLevels(desk, to) {
    const current = await namedLevels(desk);
    // Not from the cache: a venue that was deleted and created again has other features at the same URL.
    const { features } = await requestJSON(
        `${path(desk)}/revisions/${to}/features?level=venue&type=level`, { signal: desk.signal, cache: "no-cache" });
    const removed = features.filter((feature) => !current.some((level) => level.level_id === feature.id));
    return [...current, ...removed.map(({ id, properties }) => ({ level_id: id, ...properties, isRemoved: true }))];
}

function previewSection(desk, levels, { from, restores, changes }, { names, onRollBack }) {
    return h(
        "section", { class: "decision" },
        h("h3", {}, h("span", {}, withNames(sentence("would", { from, to: restores, names })))),
        h("p", {}, countsLine(changes)),
        descriptionList(changes.words),
        changes.levels.length > 0 && levelTable(changes.levels, levels).element,
        h("p", { class: "desk-actions" },
            button("primary", [icon("undo"), withNames(sentence("button", { n: restores, names }))], onRollBack),
            h("a", { class: "button quiet", href: `#/${desk.venueKey}/desk/compare?from=${from}&to=${restores}` },
                localized("desk.restore.compare"))));
}
