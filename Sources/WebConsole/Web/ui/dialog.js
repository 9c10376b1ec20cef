// Questions that stand in front of the page. The browser's own dialog element keeps the focus inside and gives it back.

import { fill, h, icon } from "./element.js";
import { word } from "../words/words.js";

/**
 * Opens a dialog. `body` is what it shows, `actions` its buttons: `{label, kind, act}`. `act` may return a promise, during which the
 * buttons rest and the dialog stays; it closes unless `act` returns `false` or throws, and what was thrown is told in the dialog.
 * Resolves when it is closed, with what the action returned, or undefined.
 */
export function openDialog({ title, body, actions = [] }) {
    return new Promise((resolve) => {
        let result;
        let isBusy = false;
        const told = h("p", { class: "told", role: "alert" });
        const buttons = actions.map(({ label, kind = "quiet", act }) =>
            h("button", { type: "button", class: kind, onclick: (event) => run(act, event.currentTarget) }, label));
        const close = h(
            "button", { type: "button", class: "bare", "aria-label": word("dialog.close"), onclick: () => isBusy || dialog.close() },
            icon("close"));
        const form = h(
            "form",
            {
                method: "dialog",
                onsubmit: (event) => {
                    event.preventDefault();
                    const last = actions[actions.length - 1];
                    if (last) run(last.act, buttons[buttons.length - 1]);
                },
            },
            h("header", {}, h("h2", { id: "dialog-title" }, title), close),
            h("div", { class: "dialog-body" }, body, told),
            buttons.length > 0 && h("footer", {}, buttons),
        );
        const dialog = h("dialog", { "aria-labelledby": "dialog-title" }, form);
        // What an action brings may be told only once, as a key's secret is. So nobody leaves before it is there.
        dialog.addEventListener("cancel", (event) => isBusy && event.preventDefault());
        dialog.addEventListener("close", () => {
            // Browsers close a dialog over any objection when Escape is pressed twice.
            if (isBusy) return dialog.showModal();
            dialog.remove();
            return resolve(result);
        });
        document.body.append(dialog);
        dialog.showModal();

        async function run(act, button) {
            if (isBusy) return;
            isBusy = true;
            fill(told);
            for (const each of buttons) each.disabled = true;
            button.setAttribute("aria-busy", "true");
            try {
                const answer = await act?.();
                if (answer === false) return;
                result = answer;
                isBusy = false;
                dialog.close();
            } catch (error) {
                fill(told, error.detail || error.title || error.message);
            } finally {
                isBusy = false;
                for (const each of buttons) each.disabled = false;
                button.removeAttribute("aria-busy");
            }
        }
    });
}
