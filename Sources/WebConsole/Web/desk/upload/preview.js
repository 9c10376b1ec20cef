// The preview of a first upload in its review: the map that visitors would see, and a link to it that needs no key.

import { requestJSON } from "../../api.js";
import { button } from "../fields.js";
import { copyField } from "../manage/copy-field.js";
import { errorState, loadingState } from "../../ui/states.js";
import { fill, h, icon } from "../../ui/element.js";
import { formatMoment, formatNumber } from "../formats.js";
import { openPreviewMap } from "../../map/preview-map.js";
import { problemLine } from "../problem-messages.js";
import { StagedVenue } from "../../map/staged-venue.js";
import { localized } from "../../localization/localization.js";

/** How long a link is valid, in seconds. The server permits no more. */
const lifetime = 86_400;

/** Whether everything that the upload would change is the map itself, because nothing has been published. */
export const hasPreview = ({ state, base, changes }) => state === "staged" && base === 0 && changes !== null && changes.added > 0;

/** `signal` ends the map; `onList(isShown)` shows or hides the list of what would be added. */
export function previewSection(desk, upload, { signal, onList }) {
    const map = h("div", { class: "preview-map" });
    const link = h("div", { class: "preview-link" });
    const createButton = button("quiet", [icon("share"), localized("desk.preview.createLink")], () => createLink(desk, upload, link, createButton));
    const listButton = button("quiet", [icon("list"), localized("desk.preview.list", { n: formatNumber(upload.changes.added) })], () => {
        const isShown = listButton.getAttribute("aria-expanded") !== "true";
        listButton.setAttribute("aria-expanded", String(isShown));
        onList(isShown);
    });
    listButton.setAttribute("aria-expanded", "false");
    showMap(desk, upload, map, signal);
    return h(
        "section", { class: "desk-section upload-preview" },
        h("h2", {}, localized("desk.preview.title")), h("p", { class: "help" }, localized("desk.preview.help")),
        map, h("p", { class: "desk-actions" }, createButton, listButton), link);
}

async function showMap(desk, upload, container, signal) {
    fill(container, loadingState());
    try {
        const staged = await StagedVenue.load(upload.id, { signal });
        if (!signal.aborted) await openPreviewMap({ root: container, signal, setTitle() {} }, staged, { hasBar: false });
    } catch (error) {
        if (signal.aborted) return;
        // What the page shows is outdated.
        if (error.type === "wrong-state") await desk.refresh().catch(() => {});
        if (!signal.aborted) fill(container, errorState(error, { retry: () => showMap(desk, upload, container, signal) }));
    }
}

async function createLink(desk, upload, container, control) {
    control.disabled = true;
    try {
        const path = `/uploads/${upload.id}/preview-tokens`;
        const { token, expires_at: time } = await requestJSON(path, { method: "POST", json: { expires_in: lifetime }, signal: desk.signal });
        fill(container,
            copyField("preview-address", localized("desk.preview.link"), previewAddress(location.origin, upload, token)),
            h("p", { class: "help" }, localized("desk.preview.linkHelp", { time: formatMoment(time) })));
        container.querySelector("input").focus();
    } catch (error) {
        if (!desk.signal.aborted) fill(container, h("p", { class: "error-message", role: "alert" }, problemLine(error)));
    }
    control.disabled = false;
}

/** The token is in the fragment, which browsers send neither to the server nor to other sites. */
const previewAddress = (origin, { venue, id }, token) => `${origin}/#/${venue}/preview/${id}?${new URLSearchParams({ token })}`;
