// The dialog that creates an API key, also in place of another one, and the dialog that shows its secret, which the server returns only once.

import { isolated, withNames } from "../../ui/names.js";
import { requestJSON } from "../../api.js";
import { choice, labelled, verbatim } from "../fields.js";
import { copyField } from "./copy-field.js";
import { fill, h } from "../../ui/element.js";
import { openDialog } from "../../ui/dialog.js";
import { problemLine } from "../problem-messages.js";
import { withMessage } from "./setting-element.js";
import { localized } from "../../localization/localization.js";

/**
 * Resolves with true if a key was created. `venues` is a promise of the venue keys to suggest; the form does not wait for it. It begins with the
 * values of `replaced`, an old key.
 */
export async function openKeyForm(venues, replaced = null) {
    const isForAll = replaced?.venues[0] === "*";
    const name = h("input", { id: "key-name", required: true, maxlength: 200, autocomplete: "off", autofocus: true, value: replaced?.name ?? "" });
    const roles = ["read", "publish", "admin"].map((role) => {
        const input = h("input", { type: "radio", name: "role", value: role, id: `role-${role}`, checked: role === (replaced?.role ?? "read") });
        return { input, label: choice(input, localized(`desk.role.${role}`), localized(`desk.role.${role}.help`)) };
    });
    const all = h("input", { type: "checkbox", id: "key-all", checked: isForAll, onchange: () => { field.disabled = all.checked; } });
    const field = h("input", {
        id: "key-venues", placeholder: "mall, mall.staging", list: "known-venues", disabled: isForAll,
        value: replaced && !isForAll ? replaced.venues.join(", ") : "", ...verbatim,
    });
    const expires = h("input", { id: "key-expires", type: "date", max: "9999-12-31" });
    const nameSetting = withMessage(name, labelled(name, localized("desk.keys.name"), localized("desk.keys.nameHelp")));
    const venuesSetting = withMessage(field, labelled(field, localized("desk.keys.venues"), localized("desk.keys.venuesHelp")));
    const suggestions = h("datalist", { id: "known-venues" });
    // Without the suggestions, venue keys can be entered.
    venues.then((known) => fill(suggestions, known.map((venue) => h("option", { value: venue }))), () => {});
    const expiresSetting = withMessage(expires, labelled(expires, localized("desk.keys.lastDay"), localized("desk.keys.lastDayHelp")));
    const body = [
        replaced && h("p", {}, localized("desk.keys.replaceHelp")),
        nameSetting.element,
        h("fieldset", {}, h("legend", {}, localized("desk.keys.role")), roles.map(({ label }) => label)),
        venuesSetting.element,
        suggestions,
        choice(all, localized("desk.keys.everyVenue")),
        expiresSetting.element,
    ];
    const key = await openDialog({
        title: replaced ? withNames(localized("desk.keys.replaceTitle", { name: isolated(replaced.name) })) : localized("desk.keys.create"), body,
        actions: [{
            label: localized("desk.keys.create"), kind: "primary",
            act: () => {
                const role = roles.find(({ input }) => input.checked).input.value;
                const key = {
                    name: name.value.trim(), role, venues: all.checked ? ["*"] : split(field.value),
                    ...(expires.value !== "" && expires.validity.valid && { expires_at: endOf(expires.value) }),
                };
                const fields = { name: nameSetting, venues: venuesSetting, expires_at: expiresSetting };
                for (const each of Object.values(fields)) each.fail(null);
                const problems = [
                    ...(key.name === "" ? [[nameSetting, localized("desk.keys.nameMissing")]] : []),
                    ...(key.venues.length === 0 ? [[venuesSetting, localized("desk.keys.venuesMissing")]] : []),
                    // A date that is incomplete must not create a key that never expires.
                    ...(expires.validity.badInput || expires.validity.rangeOverflow ? [[expiresSetting, localized("desk.keys.expires_atInvalid")]] : []),
                ];
                for (const [each, text] of problems.slice(0, 1)) each.fail(text);
                return problems.length > 0 ? false : create(key, fields);
            },
        }],
    });
    if (!key) return false;
    await showSecret(key, replaced !== null);
    return true;
}

/** The end of a day such as `2026-12-24` in the time zone of the browser. */
const endOf = (day) => new Date(`${day}T24:00`).toISOString();

const split = (text) => text.split(/[\s,、]+/).filter(Boolean);

/** The key that the server created; false if it refuses the value of a field, by which the message then is. */
async function create(key, fields) {
    try {
        return await requestJSON("/keys", { method: "POST", json: key });
    } catch (error) {
        const name = error.document?.pointer?.slice(1) ?? "";
        if (!Object.hasOwn(fields, name)) throw new Error(problemLine(error));
        fields[name].fail(localized(`desk.keys.${name}Invalid`));
        return false;
    }
}

function showSecret(key, isReplacement) {
    return openDialog({
        title: withNames(localized("desk.keys.secretTitle", { name: isolated(key.name) })),
        body: [
            h("p", {}, localized("desk.keys.secretHelp")),
            isReplacement && h("p", {}, localized("desk.keys.replacedHelp")),
            copyField("key-secret", localized("desk.keys.secret"), key.secret),
        ],
        actions: [{ label: localized("desk.keys.secretDone"), kind: "primary", act: () => true }],
        hasCancel: false,
    });
}
