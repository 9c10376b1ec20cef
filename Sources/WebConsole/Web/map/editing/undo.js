// The toast after a publication, with a button that takes it back.

import { problemLine } from "../../desk/problem-messages.js";
import { toast } from "../../ui/toast.js";
import { localized } from "../../localization/localization.js";

/**
 * Shows that `result`, the response to an edit, was published. `undo` publishes what takes it back and returns the response, or null if
 * somebody has changed the same since.
 */
export function publishedToast(text, { revision, base }, undo) {
    // What everybody sees was the same already.
    if (revision === base) return toast(localized("edit.noRevision", { text }), "done");
    const message = localized("edit.published", { text, n: revision });
    return toast(message, "done", { label: localized("edit.undo"), description: message, act: () => perform(undo) });
}

async function perform(undo) {
    try {
        const result = await undo();
        if (result) toast(localized("edit.undone", { n: result.revision }), "done");
        else toast(localized("edit.undoOvertaken"), "problem");
    } catch (error) {
        toast(problemLine(error), "problem");
    }
}
