// What a user does with the dialog of the editor.

import { only, textOf } from "./page.js";
import { until } from "./time.js";

/** A text without the marks that isolate names in it. */
export const plain = (text) => text.replace(/[\u2066-\u2069]/g, "").replaceAll("\u202f", " ");

export const dialog = () => only(".step-dialog");
export const hasDialog = () => document.querySelector(".step-dialog") !== null;
export const title = () => plain(textOf(only("#step-title")));
export const dialogError = () => plain(textOf(only(".step-dialog > form > .error-message")));

/** The buttons of the step, the main one last. */
export const buttons = () => [...dialog().querySelectorAll("footer button")];

/** Performs an action of the step, by default the main one, and waits until it has been carried out. */
export async function proceed(label = null) {
    const button = label ? buttons().find((each) => textOf(each) === label) : buttons().at(-1);
    button.click();
    await until(() => !button.isConnected || !button.hasAttribute("aria-busy"), `${textOf(button)} is carried out`);
}

/** Publishes the form after its review. */
export async function publish() {
    await proceed();
    await until(() => document.querySelector(".change-table"), "the review");
    await proceed();
    await until(() => !hasDialog(), "the dialog is closed");
}

export const toasts = () => [...document.querySelectorAll(".toast")].map((element) => plain(textOf(element)));

/** Presses the button of the toast, and waits for the toast that says what became of it, whose text is returned. */
export async function undo() {
    only(".toast button").click();
    return until(() => toasts().find((text) => /^(Undone|Not undone)/.test(text)), "the toast after Undo");
}

/** The rows of the table of changes, as texts of their cells. */
export const changeRows = () => [...document.querySelectorAll(".change-table tbody tr")].map((row) => [...row.children].map(textOf));

export function closeDialogs() {
    for (const element of document.querySelectorAll("dialog, .toast")) element.remove();
}
