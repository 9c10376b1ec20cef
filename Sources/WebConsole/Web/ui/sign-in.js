// The sign-in dialog: asks for an API key and validates it before storing it.

import { checkKey } from "../api.js";
import { h } from "./element.js";
import { openDialog } from "./dialog.js";
import { session } from "../session.js";
import { localized } from "../localization/localization.js";

export function openSignIn() {
    const field = h("input", {
        id: "key", name: "key", type: "password", autocomplete: "off", spellcheck: "false", required: true, autofocus: true,
        "aria-describedby": "key-help",
    });
    const body = [
        h("label", { for: "key" }, localized("session.key")),
        field,
        h("p", { id: "key-help", class: "help" }, localized("session.keyHelp")),
    ];
    return openDialog({
        title: localized("session.signIn"), body,
        actions: [{
            label: localized("session.signIn"), kind: "primary",
            act: async () => {
                const key = field.value.trim();
                if (!key) {
                    field.focus();
                    throw new Error(localized("session.keyMissing"));
                }
                // Other characters cannot be sent in a header, and keys do not contain them.
                const isValid = /^[\x21-\x7e]+$/.test(key) && (await checkKey(key));
                if (!isValid) {
                    field.setAttribute("aria-invalid", "true");
                    field.select();
                    throw new Error(localized("session.keyWrong"));
                }
                session.signIn(key);
            },
        }],
    });
}
