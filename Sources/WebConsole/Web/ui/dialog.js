// Modal dialogs. The browser's `dialog` element keeps the focus inside and restores it afterwards.

import { fill, h, icon } from "./element.js";
import { localized } from "../localization/localization.js";

/**
 * Opens a dialog with the content `body` and the buttons `actions`: `{label, kind, act}`. While the promise that `act` returns is
 * pending, the buttons are disabled and the dialog cannot be closed. Afterwards it closes, unless `act` returned `false` or threw;
 * the message of a thrown error is shown in the dialog. Resolves with the result of the action when the dialog has closed, or with
 * undefined when the user cancelled. Dialogs with actions also have a button to cancel, unless `hasCancel` is false because nothing can be
 * undone any more. A dialog belongs to the page that opened it: one that can be cancelled is cancelled when the user goes to another address,
 * unless an action is pending.
 */
export function openDialog({ title, body, actions = [], hasCancel = true }) {
    return new Promise((resolve) => {
        let result;
        let isBusy = false;
        const errorMessage = h("p", { class: "error-message", role: "alert" });
        const buttons = actions.map(({ label, kind = "quiet", act }) =>
            h("button", { type: "button", class: kind, onclick: (event) => run(act, event.currentTarget) }, label));
        const close = h(
            "button",
            { type: "button", class: "bare", "aria-label": localized("dialog.close"), onclick: () => isBusy || dialog.close() },
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
            h("header", { role: "presentation" }, h("h2", { id: "dialog-title" }, title), close),
            h("div", { class: "dialog-body" }, body, errorMessage),
            buttons.length > 0 && h(
                "footer", {},
                hasCancel && h("button", { type: "button", class: "bare", "data-action": "cancel", onclick: () => isBusy || dialog.close() },
                    localized("dialog.cancel")),
                buttons),
        );
        const dialog = h("dialog", { "aria-labelledby": "dialog-title" }, form);
        // The result of an action may be shown only once, as the secret of a key is, so a busy dialog must not be closed.
        dialog.addEventListener("cancel", (event) => isBusy && event.preventDefault());
        dialog.addEventListener("close", () => {
            // Browsers close a dialog without a cancel event when Escape is pressed twice.
            if (isBusy) return dialog.showModal();
            window.removeEventListener("hashchange", leave);
            dialog.remove();
            return resolve(result);
        });
        const leave = () => isBusy || dialog.close();
        if (hasCancel) window.addEventListener("hashchange", leave);
        document.body.append(dialog);
        dialog.showModal();

        async function run(act, button) {
            if (isBusy) return;
            isBusy = true;
            fill(errorMessage);
            for (const each of buttons) each.disabled = true;
            button.setAttribute("aria-busy", "true");
            try {
                const outcome = await act?.();
                if (outcome === false) return;
                result = outcome;
                isBusy = false;
                dialog.close();
            } catch (error) {
                fill(errorMessage, error.detail || error.title || error.message);
            } finally {
                isBusy = false;
                for (const each of buttons) each.disabled = false;
                button.removeAttribute("aria-busy");
            }
        }
    });
}
