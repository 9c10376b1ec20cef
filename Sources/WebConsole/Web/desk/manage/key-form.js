// Makes a key, and shows its secret the one time that there is.

import { askJSON } from "../../api.js";
import { choice, labelled, verbatim } from "../fields.js";
import { copyField } from "./copy-field.js";
import { h } from "../../ui/element.js";
import { openDialog } from "../../ui/dialog.js";
import { problemLine } from "../problem-words.js";
import { word } from "../../words/words.js";

/** Resolves with true when a key was made. `venues` are those that are known. */
export async function openKeyForm(venues) {
    const name = h("input", { id: "key-name", required: true, maxlength: 200, autocomplete: "off", autofocus: true });
    const roles = ["read", "publish", "admin"].map((role) => {
        const input = h("input", { type: "radio", name: "role", value: role, id: `role-${role}`, checked: role === "read" });
        return { input, label: choice(input, word(`desk.role.${role}`), word(`desk.role.${role}.help`)) };
    });
    const all = h("input", { type: "checkbox", id: "key-all", onchange: () => { field.disabled = all.checked; } });
    const field = h("input", { id: "key-venues", placeholder: "mall, mall.staging", list: "known-venues", ...verbatim });
    const body = [
        labelled(name, word("desk.keys.name"), word("desk.keys.nameHelp")),
        h("fieldset", {}, h("legend", {}, word("desk.keys.role")), roles.map(({ label }) => label)),
        labelled(field, word("desk.keys.venues"), word("desk.keys.venuesHelp")),
        h("datalist", { id: "known-venues" }, venues.map((venue) => h("option", { value: venue }))),
        choice(all, word("desk.keys.everyVenue")),
    ];
    const key = await openDialog({
        title: word("desk.keys.make"), body,
        actions: [{
            label: word("desk.keys.make"), kind: "primary",
            act: () => {
                const role = roles.find(({ input }) => input.checked).input.value;
                return make(name, role, all.checked ? ["*"] : split(field.value), field);
            },
        }],
    });
    if (!key) return false;
    await showSecret(key);
    return true;
}

const split = (text) => text.split(/[\s,、]+/).filter(Boolean);

async function make(name, role, venues, field) {
    if (!name.value.trim()) {
        name.focus();
        throw new Error(word("desk.keys.nameMissing"));
    }
    if (venues.length === 0) {
        field.focus();
        throw new Error(word("desk.keys.venuesMissing"));
    }
    try {
        return await askJSON("/keys", { method: "POST", json: { name: name.value.trim(), role, venues } });
    } catch (error) {
        throw new Error(problemLine(error));
    }
}

function showSecret(key) {
    return openDialog({
        title: word("desk.keys.secretTitle", { name: key.name }),
        body: [
            h("p", {}, word("desk.keys.secretHelp")),
            copyField("key-secret", word("desk.keys.secret"), key.secret),
        ],
        actions: [{ label: word("desk.keys.secretDone"), kind: "primary", act: () => true }],
    });
}
