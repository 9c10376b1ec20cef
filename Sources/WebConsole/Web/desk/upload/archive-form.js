// Takes an archive, dropped or picked, and asks how to go about it.

import { button, choice, labelled } from "../fields.js";
import { dropZone } from "./drop-zone.js";
import { fill, h, icon } from "../../ui/element.js";
import { formatBytes, formatTime } from "../formats.js";
import { word } from "../../words/words.js";

/**
 * @param head gives the newest revision that the reader knows of; 0 for a venue that is not there yet.
 * @param zone gives the venue's time zone, if one is known.
 * @param onSend is called with the file and the options of the upload. What it throws is told in the form.
 */
export function archiveForm({ head, zone = () => null, onSend }) {
    const place = h("div", { class: "archive-form" });
    const target = dropZone((file) => chosen(file));
    fill(place, target);
    return place;

    function chosen(file) {
        const told = h("p", { class: "told", role: "alert" });
        const options = optionFields(head(), zone());
        const form = h(
            "form", {
                class: "archive-options",
                onsubmit: async (event) => {
                    event.preventDefault();
                    fill(told);
                    try {
                        const sent = onSend(file, options.read());
                        fill(place, target);
                        target.querySelector("input").value = "";
                        await sent;
                    } catch (error) {
                        fill(place, form);
                        fill(told, error.message);
                    }
                },
            },
            h("p", { class: "archive-file" },
                icon("layers"), h("strong", {}, file.name), h("span", {}, formatBytes(file.size)),
                button("bare", word("desk.form.other"), back)),
            options.element, told,
            h("footer", {},
                button("quiet", word("dialog.cancel"), back), options.button));
        fill(place, form);
        form.querySelector("input").focus();
    }

    function back() {
        fill(place, target);
        const input = target.querySelector("input");
        input.value = "";
        input.focus();
    }
}

/** `{element, button, read()}`: `button` sends; `read` throws an error with words when something makes no sense. */
function optionFields(head, zone) {
    const message = h("input", { id: "upload-message", name: "message", maxlength: 600, autocomplete: "off" });
    const time = h("input", {
        id: "upload-when", name: "time", type: "datetime-local", "aria-label": word("desk.form.time"),
        oninput: () => fill(zoneHelp, zoneWords(time.value, zone)),
    });
    const zoneHelp = h("p", { class: "help" }, zoneWords("", zone));
    const strict = h("input", { id: "upload-strict", name: "strict", type: "checkbox" });
    const guard = h("input", { id: "upload-guard", name: "guard", type: "checkbox", checked: true });
    const identity = h(
        "select", { id: "upload-identity", name: "identity" },
        ["", "repair", "trust"].map((value) => h("option", { value }, word(`desk.form.identity.${value || "venue"}`))));
    const submit = h("button", { class: "primary" });
    const whens = ["hold", "now", "time"].map((value) => {
        const input = h("input", {
            type: "radio", name: "when", value, id: `upload-${value}`, checked: value === "hold", onchange: adapt,
        });
        return choice(input, word(`desk.form.${value}`), word(`desk.form.${value}Help`));
    });
    const timeField = h("div", { class: "field archive-time" },
        time, zoneHelp);
    const guardField = choice(guard, word("desk.form.guard"), word("desk.form.guardHelp", { n: head }));
    const element = h("div", { class: "archive-fields" },
        labelled(message, word("desk.form.message"), word("desk.form.messageHelp")),
        h("fieldset", {}, h("legend", {}, word("desk.form.when")), whens, timeField),
        guardField,
        choice(strict, word("desk.form.strict"), word("desk.form.strictHelp")),
        h("details", {}, h("summary", {}, word("desk.form.more")),
            labelled(identity, word("desk.form.identity"))));
    adapt();
    return { element, button: submit, read };

    function chosenWhen() {
        return element.querySelector("input[name=when]:checked").value;
    }

    function adapt() {
        const when = chosenWhen();
        timeField.hidden = when !== "time";
        time.required = when === "time";
        guardField.hidden = when === "hold" || head === 0;
        submit.textContent = word(`desk.form.send.${when}`);
    }

    function read() {
        const when = chosenWhen();
        const moment = when === "time" ? new Date(time.value) : null;
        if (moment && Number.isNaN(moment.getTime())) throw new Error(word("desk.form.timeMissing"));
        if (moment && moment < Date.now()) throw new Error(word("desk.form.timePassed"));
        return {
            publish: moment ? moment.toISOString() : when,
            message: message.value.trim() || undefined,
            strict: strict.checked || undefined,
            identity: identity.value || undefined,
            base: when !== "hold" && head > 0 && guard.checked ? head : undefined,
        };
    }
}

/** In whose time the moment is told, and what it is where the venue is. */
function zoneWords(text, other) {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const moment = new Date(text);
    if (!other || other === zone || Number.isNaN(moment.getTime())) return word("desk.form.zone", { zone });
    const time = formatTime(moment, { dateStyle: "medium", timeStyle: "short", timeZone: other });
    return word("desk.form.zones", { zone, other, time });
}
