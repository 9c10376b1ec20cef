// Asks for a key and tries it before it is kept.

import { checkKey } from "../api.js";
import { h } from "./element.js";
import { openDialog } from "./dialog.js";
import { session } from "../session.js";
import { word } from "../words/words.js";

export function openSignIn() {
    const field = h("input", {
        id: "key", name: "key", type: "password", autocomplete: "off", spellcheck: "false", required: true, autofocus: true,
        "aria-describedby": "key-help",
    });
    const body = [
        h("label", { for: "key" }, word("session.key")),
        field,
        h("p", { id: "key-help", class: "help" }, word("session.keyHelp")),
    ];
    return openDialog({
        title: word("session.signIn"), body,
        actions: [{
            label: word("session.signIn"), kind: "primary",
            act: async () => {
                const key = field.value.trim();
                if (!key) {
                    field.focus();
                    throw new Error(word("session.keyMissing"));
                }
                // What no header can carry is no key of ours.
                const isRight = /^[\x21-\x7e]+$/.test(key) && (await checkKey(key));
                if (!isRight) {
                    field.setAttribute("aria-invalid", "true");
                    field.select();
                    throw new Error(word("session.keyWrong"));
                }
                session.signIn(key);
            },
        }],
    });
}
