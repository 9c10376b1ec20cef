// A dialog with several steps, such as form, review and conflict. Unlike `openDialog`, it keeps what was entered: closing it with
// unpublished changes asks first.

import { fill, h, icon } from "../../ui/element.js";
import { withNames, withForeignNames } from "../../ui/names.js";
import { localized } from "../../localization/localization.js";

export class StepDialog {
    #form;
    #title = h("h2", { id: "step-title", tabindex: "-1" });
    #body = h("div", { class: "dialog-body" });
    #error = h("p", { class: "error-message", role: "alert" });
    #footer = h("footer");
    #dialog;
    #submit = null;
    #isBusy = false;
    #isAsking = false;
    #hasChanges;

    /** `hasChanges()` says whether something would be lost if the dialog closed now. */
    constructor({ hasChanges = () => false, isWide = false } = {}) {
        this.#hasChanges = hasChanges;
        this.#form = h(
            "form", {
                method: "dialog", novalidate: true,
                onsubmit: (event) => {
                    event.preventDefault();
                    this.#submit?.();
                },
            },
            h("header", { role: "presentation" }, this.#title, h(
                "button", { type: "button", class: "bare", "aria-label": localized("dialog.close"), onclick: () => this.#cancel() },
                icon("close"))),
            this.#body, this.#error, this.#footer);
        this.#dialog = h("dialog", { class: `step-dialog ${isWide ? "wide" : ""}`, "aria-labelledby": "step-title" }, this.#form);
        this.#dialog.addEventListener("cancel", (event) => {
            event.preventDefault();
            this.#cancel();
        });
        /** Resolves when the dialog has closed. */
        this.closed = new Promise((resolve) => this.#dialog.addEventListener("close", () => {
            // Browsers close a dialog without a cancel event when Escape is pressed twice.
            if (this.#isBusy || (this.#isAsking && this.#hasChanges())) return this.#dialog.showModal();
            this.#dialog.remove();
            return resolve();
        }));
    }

    /**
     * Shows a step. Names in `title` are isolated (`ui/names.js`). `actions` are `{label, kind, act}`, the last one is performed by Enter. An action that throws shows the message in
     * the dialog. `focus` is the element that gets the focus, otherwise the title.
     */
    show({ title, body, actions, focus = null }) {
        this.#isAsking = false;
        fill(this.#title, withNames(title));
        fill(this.#body, body);
        fill(this.#error);
        this.#fillFooter(actions);
        if (!this.#dialog.isConnected) {
            document.body.append(this.#dialog);
            this.#dialog.showModal();
        }
        this.#body.scrollTop = 0;
        (focus ?? this.#title).focus();
    }

    showError(text) {
        fill(this.#error, withForeignNames(text));
    }

    close() {
        this.#isBusy = this.#isAsking = false;
        this.#dialog.close();
    }

    /** The action that closes the dialog, and asks before if something would be lost. */
    get cancelAction() {
        return { label: localized("dialog.cancel"), isCancel: true };
    }

    #fillFooter(actions) {
        const buttons = actions.map(({ label, kind = "quiet", act, isCancel = false }, index) => {
            if (isCancel) return h("button", { type: "button", class: kind, onclick: () => this.#cancel() }, label);
            const isLast = index === actions.length - 1;
            const button = h("button", {
                type: isLast ? "submit" : "button", class: kind, onclick: isLast ? undefined : () => this.#run(act, button),
            }, label);
            return button;
        });
        this.#submit = () => this.#run(actions.at(-1).act, buttons.at(-1));
        fill(this.#footer, buttons);
    }

    async #run(act, button) {
        if (this.#isBusy) return;
        this.#isBusy = true;
        fill(this.#error);
        const buttons = [...this.#footer.querySelectorAll("button")];
        for (const each of buttons) each.disabled = true;
        button.setAttribute("aria-busy", "true");
        try {
            await act();
        } catch (error) {
            this.showError(error.line || error.detail || error.title || error.message);
        } finally {
            this.#isBusy = false;
            for (const each of buttons) each.disabled = false;
            button.removeAttribute("aria-busy");
            // A disabled button loses the focus.
            if (button.isConnected && document.activeElement === document.body) button.focus();
        }
    }

    #cancel() {
        if (this.#isBusy) return;
        if (this.#isAsking) return this.#keep();
        if (!this.#hasChanges()) return this.close();
        this.#isAsking = true;
        const [footer, submit, focused] = [[...this.#footer.childNodes], this.#submit, document.activeElement];
        this.#keep = () => {
            this.#isAsking = false;
            fill(this.#footer, footer);
            this.#submit = submit;
            focused?.focus();
        };
        const keep = h("button", { type: "submit", class: "quiet" }, localized("edit.discard.keep"));
        this.#submit = () => this.#keep();
        fill(
            this.#footer,
            h("p", { class: "discard-question", role: "alert" }, localized("edit.discard.question")),
            h("button", { type: "button", class: "danger", onclick: () => this.close() }, localized("edit.discard.discard")), keep);
        keep.focus();
    }

    /** Returns from the question whether to discard the changes. */
    #keep = () => {};
}
