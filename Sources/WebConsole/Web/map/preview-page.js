// The page of a link to the preview of a first upload. Anybody may open it without a key, for as long as its token is valid and the upload is
// staged.

import { emptyState, loadingState } from "../ui/states.js";
import { fill, h, icon } from "../ui/element.js";
import { formatTime, localized } from "../localization/localization.js";
import { isUUID } from "../client/sync/wire.js";
import { openPreviewMap } from "./preview-map.js";
import { pause } from "../retry.js";
import { showVenue } from "../ui/bar.js";
import { StagedVenue } from "./staged-venue.js";

/** How often an open page asks whether the preview has ended, in milliseconds. */
const checkInterval = 5 * 60_000;

export async function show(context, { venue, path, query }) {
    const [upload, token] = [path[0]?.toLowerCase() ?? "", query.get("token")];
    context.setTitle(localized("map.preview"));
    showVenue(venue, { signal: context.signal });
    // The id becomes a part of request paths.
    if (!isUUID(upload) || !token) return showEnded(context, venue);
    fill(context.root, loadingState());
    const view = new AbortController();
    const signal = AbortSignal.any([context.signal, view.signal]);
    const note = h("p", { class: "preview-note", role: "note" });
    const root = h("div", { class: "preview-map" });
    try {
        const staged = await StagedVenue.load(upload, { token, signal });
        if (signal.aborted) return null;
        // A link cannot show one venue under the name of another.
        if (staged.venue !== venue) return showEnded(context, venue);
        fillNote(note, staged);
        fill(context.root, note, root);
        const controller = await openPreviewMap({ ...context, root, signal }, staged, { hasBar: true });
        untilEnded(staged, signal).then(() => {
            view.abort();
            return showEnded(context, staged.venue);
        }, () => {}); // The user has left the page.
        return controller && { retranslate: () => view.signal.aborted ? showEnded(context, staged.venue) : retranslate(controller, note, staged) };
    } catch (error) {
        if (!hasEnded(error)) throw error;
        return showEnded(context, venue);
    }
}

function retranslate(controller, note, staged) {
    fillNote(note, staged);
    controller.retranslate();
}

function fillNote(note, { expiresAt }) {
    fill(note, icon("clock"), h("strong", {}, localized("map.preview")), h("span", {}, localized("preview.until", { time: formatTime(expiresAt) })));
}

/** Whether the server refuses the token, or has nothing for it any more. */
const hasEnded = ({ status }) => [401, 404, 409, 410].includes(status);

/** Resolves when the preview has ended: when the server says so, or when its time is over and there is no server. */
async function untilEnded(staged, signal) {
    for (;;) {
        const rest = staged.expiresAt - Date.now();
        // The clocks of the server and the browser differ: what is over here may not be over there yet.
        await pause(rest > 0 && rest <= checkInterval ? rest + 1_000 : checkInterval, signal);
        const error = await staged.check(signal).then(() => null, (failure) => failure);
        if (signal.aborted) throw error;
        if (error && (hasEnded(error) || Date.now() > staged.expiresAt)) return;
    }
}

function showEnded(context, venue) {
    const action = { label: localized("preview.toMap"), href: `#/${encodeURIComponent(venue)}` };
    fill(context.root, emptyState({ title: localized("preview.ended"), text: localized("preview.endedHelp"), action, iconName: "clock", isPage: true }));
    return null;
}
