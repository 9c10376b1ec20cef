// The settings of a venue, pruning, and deletion.

import { auditLink } from "../audit-link.js";
import { requestJSON } from "../../api.js";
import { button as textButton } from "../fields.js";
import { deletion } from "./deletion.js";
import { fill, h } from "../../ui/element.js";
import { confirmKeeping, pruning } from "./pruning.js";
import { isSame } from "../../map/editing/changes.js";
import { draftPrefix, session } from "../../session.js";
import { canManageKeys, loadVenueAccess } from "../role.js";
import { settingsFields } from "./settings-fields.js";
import { openDialog } from "../../ui/dialog.js";
import { problemLine } from "../problem-messages.js";
import { tabStorage } from "../../storage.js";
import { toast } from "../../ui/toast.js";
import { localized } from "../../localization/localization.js";

/** What was changed and not saved in this tab, with the values that it was changed from: `{name: {value, base}}`. */
function unsaved(venueKey) {
    const name = `${draftPrefix}settings.${venueKey}`;
    const { key } = session;
    return {
        get: () => JSON.parse(tabStorage.get(name) ?? "{}"),
        set(changes) {
            if (Object.keys(changes).length === 0) tabStorage.remove(name);
            // A request may end after the user has signed out.
            else if (session.key === key) tabStorage.set(name, JSON.stringify(changes));
        },
    };
}

export async function show(desk) {
    const draft = unsaved(desk.venueKey);
    fill(desk.root, settingsForm(desk, draft), desk.venue && pruning(desk), deletion(desk, () => draft.set({})));
}

function settingsForm(desk, draft) {
    const fields = settingsFields(desk);
    /** The values that the fields began with, or that were saved last. Others may have changed them on the server since then. */
    let saved = desk.settings;
    const errorMessage = h("p", { class: "error-message", role: "alert" });
    const saveButton = h("button", { class: "primary", disabled: true }, localized("desk.settings.save"));
    const audit = h("div", { class: "desk-actions" });
    const publicNotice = h("p", { class: "notice", hidden: true }, localized("desk.settings.publicNotice"));
    const restoredNotice = h("p", { class: "notice", hidden: true, role: "status" },
        localized("desk.settings.restored"), " ", textButton("quiet", localized("desk.settings.revert"), () => showValues({})));
    const form = h(
        "form", {
            // The browser would show nothing where the input with the problem is hidden.
            class: "desk-section settings", novalidate: true,
            oninput: () => updateForm(),
            onsubmit: (event) => {
                event.preventDefault();
                save();
            },
        },
        h("div", { class: "desk-header-line" }, h("h2", {}, localized("desk.settings.title")), audit), restoredNotice,
        fields.map(({ name, element }) => (name === "public" ? [element, publicNotice] : element)),
        h("datalist", { id: "time-zones" }, timeZones.map((value) => h("option", { value }))),
        h("div", { class: "settings-save" }, errorMessage, h("p", { class: "desk-actions" }, saveButton)));
    // The settings can be used before it is known who may read the log.
    canManageKeys(desk.signal).then((isAdmin) => isAdmin && audit.append(auditLink(desk.venueKey)), () => {});
    showValues(draft.get());
    restoredNotice.hidden = saveButton.disabled;
    // The browser asks before it closes a window in which something is not saved.
    window.addEventListener("beforeunload", (event) => saveButton.disabled || event.preventDefault(), { signal: desk.signal });
    return form;

    /** Shows what is saved, with these changes. */
    function showValues(changes) {
        for (const field of fields) {
            const change = changes[field.name];
            field.show(change ? field.rebase(change.value, change.base, saved[field.name]) : saved[field.name]);
            field.fail(null);
        }
        restoredNotice.hidden = true;
        updateForm();
    }

    function updateForm() {
        const changes = changedSettings();
        saveButton.disabled = Object.keys(changes).length === 0;
        form.classList.toggle("is-changed", !saveButton.disabled);
        draft.set(Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, { value, base: saved[name] }])));
        publicNotice.hidden = !changes.public;
    }

    /** Only changed settings are sent, because others may have been changed elsewhere in the meantime. */
    function changedSettings() {
        return Object.fromEntries(fields.map(({ name, value }) => [name, value]).filter(([name, value]) => !isSame(value, saved[name])));
    }

    async function save() {
        fill(errorMessage);
        for (const field of fields) field.fail(null);
        // Changes that are made while a dialog is open are not sent now.
        const changes = changedSettings();
        if (fields.some((field) => field.name in changes && field.showProblem())) return;
        saveButton.disabled = true;
        try {
            const { keep_revisions: keep } = changes;
            const isConfirmed = (!keep || await confirmKeeping(desk, keep)) && (changes.public !== false || await confirmPrivate(desk));
            if (isConfirmed) {
                const json = await requestOf(changes);
                const venue = await requestJSON(`/venues/${encodeURIComponent(desk.venueKey)}`, { method: "PATCH", json });
                // That of a venue without a revision is only the settings.
                desk.settings = venue.settings ?? venue;
                if (desk.venue) desk.venue = { ...desk.venue, public: venue.public, page: venue.page, settings: desk.settings };
                accept(desk.settings, changes);
                toast(localized("desk.settings.saved"), "done");
            }
        } catch (error) {
            showError(error);
        }
        updateForm();
    }

    /** The body that saves the changes: members of objects that others have changed in the meantime stay as they are. */
    async function requestOf(changes) {
        const changed = fields.filter(({ name }) => name in changes);
        const current = changed.some(({ isObject }) => isObject) ? (await loadVenueAccess(desk.venueKey, desk.signal)).settings ?? saved : saved;
        return Object.fromEntries(changed.map(({ name, rebase }) => [name, rebase(changes[name], saved[name], current[name])]));
    }

    /** What nobody has changed here is shown as it is on the server now. What was changed during the request is a change of what was sent. */
    function accept(settings, changes) {
        const bases = { ...saved, ...changes };
        const untouched = fields.filter(({ name, value }) => isSame(value, bases[name]));
        saved = { ...bases, ...Object.fromEntries(untouched.map(({ name }) => [name, settings[name]])) };
        for (const field of untouched) field.show(saved[field.name]);
        restoredNotice.hidden = true;
    }

    /** The server says with a JSON pointer into the request which setting it refuses, and which member of it. */
    function showError(error) {
        const [, name, pointer] = /^\/([a-z_]+)(.*)$/s.exec(error.document?.pointer ?? "") ?? [];
        const field = fields.find((each) => each.name === name);
        if (!field) return fill(errorMessage, problemLine(error));
        const own = { time_zone: "timeZoneInvalid", embed_origins: "originsInvalid" }[name];
        // The detail repeats the name of the setting in the API.
        const detail = error.detail.replace(/^“[a-z_]+”( at “[^”]*”:)? */, "");
        const refusal = [localized("desk.settings.refused"), " ", h("span", { class: "help", lang: "en" }, detail)];
        return field.fail(own ? localized(`desk.settings.${own}`) : refusal, pointer);
    }
}

/** Asks before a public venue becomes private. Resolves with whether to go on. */
async function confirmPrivate(desk) {
    return Boolean(await openDialog({
        title: localized("desk.settings.private.title", { key: desk.venueKey }),
        body: h("p", {}, localized("desk.settings.private.text")),
        actions: [{ label: localized("desk.settings.private.confirm"), kind: "danger", act: async () => true }],
    }));
}

/** The time zones that the browser knows, as suggestions. */
const timeZones = Intl.supportedValuesOf?.("timeZone") ?? [];
