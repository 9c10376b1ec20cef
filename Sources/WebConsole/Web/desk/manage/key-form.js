// The dialog that creates an API key, and the dialog that shows its secret, which the server returns only once.

import { isolated, withNames } from "../../ui/names.js";
import { requestJSON } from "../../api.js";
import { choice, labelled, verbatim } from "../fields.js";
import { copyField } from "./copy-field.js";
import { h } from "../../ui/element.js";
import { openDialog } from "../../ui/dialog.js";
import { problemLine } from "../problem-messages.js";
import { localized } from "../../localization/localization.js";

/** Resolves with true if a key was created. `venues` are the venue keys to suggest. */
export async function openKeyForm(venues) {
    const name = h("input", { id: "key-name", required: true, maxlength: 200, autocomplete: "off", autofocus: true });
    const roles = ["read", "publish", "admin"].map((role) => {
        const input = h("input", { type: "radio", name: "role", value: role, id: `role-${role}`, checked: role === "read" });
        return { input, label: choice(input, localized(`desk.role.${role}`), localized(`desk.role.${role}.help`)) };
    });
    const all = h("input", { type: "checkbox", id: "key-all", onchange: () => { field.disabled = all.checked; } });
    const field = h("input", { id: "key-venues", placeholder: "mall, mall.staging", list: "known-venues", ...verbatim });
    const body = [
        labelled(name, localized("desk.keys.name"), localized("desk.keys.nameHelp")),
        h("fieldset", {}, h("legend", {}, localized("desk.keys.role")), roles.map(({ label }) => label)),
        labelled(field, localized("desk.keys.venues"), localized("desk.keys.venuesHelp")),
        h("datalist", { id: "known-venues" }, venues.map((venue) => h("option", { value: venue }))),
        choice(all, localized("desk.keys.everyVenue")),
    ];
    const key = await openDialog({
        title: localized("desk.keys.create"), body,
        actions: [{
            label: localized("desk.keys.create"), kind: "primary",
            act: () => {
                const role = roles.find(({ input }) => input.checked).input.value;
                return create(name, role, all.checked ? ["*"] : split(field.value), field);
            },
        }],
    });
    if (!key) return false;
    await showSecret(key);
    return true;
}

const split = (text) => text.split(/[\s,、]+/).filter(Boolean);

async function create(name, role, venues, field) {
    if (!name.value.trim()) {
        name.focus();
        throw new Error(localized("desk.keys.nameMissing"));
    }
    if (venues.length === 0) {
        field.focus();
        throw new Error(localized("desk.keys.venuesMissing"));
    }
    try {
        return await requestJSON("/keys", { method: "POST", json: { name: name.value.trim(), role, venues } });
    } catch (error) {
        throw new Error(problemLine(error));
    }
}

function showSecret(key) {
    return openDialog({
        title: withNames(localized("desk.keys.secretTitle", { name: isolated(key.name) })),
        body: [
            h("p", {}, localized("desk.keys.secretHelp")),
            copyField("key-secret", localized("desk.keys.secret"), key.secret),
        ],
        actions: [{ label: localized("desk.keys.secretDone"), kind: "primary", act: () => true }],
        hasCancel: false,
    });
}
