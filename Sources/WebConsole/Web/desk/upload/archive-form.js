// The upload form: choose or drop an archive, then set the options of the upload.

import { button, choice, labelled } from "../fields.js";
import { dropZone } from "./drop-zone.js";
import { fill, h, icon } from "../../ui/element.js";
import { formatBytes, formatTime } from "../formats.js";
import { localized } from "../../localization/localization.js";

/** The most bytes of UTF-8 of a message that the server accepts. */
const longestMessage = 2_000;

/**
 * @param head returns the newest revision that the user has seen; 0 for a new venue.
 * @param zone returns the time zone of the venue, if it is known.
 * @param onSend is called with the file and the options of the upload. If it throws, the form shows the message.
 */
export function archiveForm({ head, zone = () => null, onSend }) {
    const container = h("div", { class: "archive-form" });
    const fileZone = dropZone((file) => showOptions(file));
    fill(container, fileZone);
    return container;

    function showOptions(file) {
        const errorMessage = h("p", { class: "error-message", role: "alert" });
        const options = optionFields(head(), zone(), file.name);
        const form = h(
            "form", {
                class: "archive-options",
                onsubmit: async (event) => {
                    event.preventDefault();
                    fill(errorMessage);
                    try {
                        const sending = onSend(file, options.read());
                        fill(container, fileZone);
                        fileZone.querySelector("input").value = "";
                        await sending;
                    } catch (error) {
                        fill(container, form);
                        fill(errorMessage, error.message, error.link && [" ", h("a", { href: error.link.href }, error.link.label)]);
                    }
                },
            },
            h("p", { class: "archive-file" },
                icon("layers"), h("strong", {}, file.name), h("span", {}, formatBytes(file.size)),
                button("bare", localized("desk.form.changeFile"), showDropZone)),
            options.element, errorMessage,
            h("footer", {},
                button("quiet", localized("dialog.cancel"), showDropZone), options.button));
        fill(container, form);
        form.querySelector("input").focus();
    }

    function showDropZone() {
        fill(container, fileZone);
        const input = fileZone.querySelector("input");
        input.value = "";
        input.focus();
    }
}

/**
 * `{element, button, read()}`: `button` submits; `read` returns the options, or throws an error with a localized message. Without a message,
 * an upload is called by the name of its file, by which people recognize it in lists.
 */
function optionFields(head, zone, fileName) {
    const name = shortened(fileName);
    const message = h("input", { id: "upload-message", name: "message", maxlength: longestMessage, autocomplete: "off", placeholder: name });
    const time = h("input", {
        id: "upload-when", name: "time", type: "datetime-local", "aria-label": localized("desk.form.time"),
        oninput: () => fill(zoneHelp, timeZoneText(time.value, zone)),
    });
    const zoneHelp = h("p", { class: "help" }, timeZoneText("", zone));
    const strict = h("input", { id: "upload-strict", name: "strict", type: "checkbox" });
    const guard = h("input", { id: "upload-guard", name: "guard", type: "checkbox", checked: true });
    const identity = h(
        "select", { id: "upload-identity", name: "identity" },
        ["", "repair", "trust"].map((value) => h("option", { value }, localized(`desk.form.identity.${value || "venue"}`))));
    const submit = h("button", { class: "primary" });
    const timingChoices = ["hold", "now", "time"].map((value) => {
        const input = h("input", {
            type: "radio", name: "when", value, id: `upload-${value}`, checked: value === "hold", onchange: update,
        });
        return choice(input, localized(`desk.form.${value}`), localized(`desk.form.${value}Help`));
    });
    const timeField = h("div", { class: "field archive-time" }, time, zoneHelp);
    const guardField = choice(guard, localized("desk.form.guard"), localized("desk.form.guardHelp", { n: head }));
    const element = h("div", { class: "archive-fields" },
        labelled(message, localized("desk.form.message"), localized("desk.form.messageHelp")),
        h("fieldset", {}, h("legend", {}, localized("desk.form.when")), timingChoices, timeField),
        guardField,
        choice(strict, localized("desk.form.strict"), localized("desk.form.strictHelp")),
        h("details", {}, h("summary", {}, localized("desk.form.more")),
            labelled(identity, localized("desk.form.identity"))));
    update();
    return { element, button: submit, read };

    function selectedTiming() {
        return element.querySelector("input[name=when]:checked").value;
    }

    function update() {
        const timing = selectedTiming();
        timeField.hidden = timing !== "time";
        time.required = timing === "time";
        guardField.hidden = timing === "hold" || head === 0;
        submit.textContent = localized(`desk.form.send.${timing}`);
    }

    function read() {
        const timing = selectedTiming();
        const moment = timing === "time" ? new Date(time.value) : null;
        if (moment && Number.isNaN(moment.getTime())) throw new Error(localized("desk.form.timeMissing"));
        if (moment && moment < Date.now()) throw new Error(localized("desk.form.timePassed"));
        return {
            publish: moment ? moment.toISOString() : timing,
            message: shortened(message.value.trim()) || name || undefined,
            strict: strict.checked || undefined,
            identity: identity.value || undefined,
            base: timing !== "hold" && head > 0 && guard.checked ? head : undefined,
        };
    }
}

/** As many characters of a text as the server accepts in a message; none is divided. */
function shortened(text) {
    const { read } = new TextEncoder().encodeInto(text, new Uint8Array(longestMessage));
    return text.slice(0, read);
}

/** Says in which time zone the time is entered, and what it is in the time zone of the venue, `other`. */
function timeZoneText(text, other) {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const moment = new Date(text);
    if (!other || other === zone || Number.isNaN(moment.getTime())) return localized("desk.form.zone", { zone });
    const time = formatTime(moment, { dateStyle: "medium", timeStyle: "short", timeZone: other });
    return localized("desk.form.zones", { zone, other, time });
}
