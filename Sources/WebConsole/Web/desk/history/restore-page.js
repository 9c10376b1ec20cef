// Taking a venue, or some of its floors, back to an earlier revision. First what that would change, then the button.

import { askJSON } from "../../api.js";
import { button, labelled } from "../fields.js";
import { entanglement } from "./entanglement.js";
import { errorState, loadingState } from "../../ui/states.js";
import { fill, h, icon } from "../../ui/element.js";
import { floorsOf } from "../floors.js";
import { followRevisions } from "../follow-revisions.js";
import { language } from "../upload/follow-upload.js";
import { levelChoice } from "./level-choice.js";
import { levelTable } from "../diff/level-table.js";
import { openDialog } from "../../ui/dialog.js";
import { countsLine } from "../upload/upload-entry.js";
import { problemLine } from "../problem-words.js";
import { toast } from "../../ui/toast.js";
import { wordList } from "../diff/word-list.js";
import { word } from "../../words/words.js";

export async function show(desk) {
    const to = Number(desk.query.get("to"));
    if (!desk.venue || !Number.isInteger(to) || to < 1) throw { status: 404, kind: "revision-not-found" };
    const revision = await askJSON(`${path(desk)}/revisions/${to}`, { signal: desk.signal, headers: language() });
    const levels = await levelsOf(desk, to);
    const preview = h("div", { class: "preview", "aria-live": "polite" });
    const choice = levelChoice(levels, () => plan());
    const message = h("input", {
        id: "restore-message", maxlength: 600, autocomplete: "off", placeholder: word("desk.restore.messageExample"),
    });
    fill(desk.root,
        h("header", {},
            h("h2", {}, word("desk.restore.title", { n: to })),
            h("p", {}, word("desk.restore.help", { n: to, author: revision.author, message: revision.message ?? "" }))),
        choice.element,
        labelled(message, word("desk.restore.message")),
        preview);

    let turn = 0;
    const plan = async () => {
        const mine = (turn += 1);
        const wanted = choice.read();
        if (wanted?.length === 0) return fill(preview, h("p", { class: "desk-none" }, word("desk.restore.chooseLevels")));
        if (!preview.hasChildNodes()) fill(preview, loadingState());
        preview.setAttribute("aria-busy", "true");
        let found;
        try {
            const answer = await request(desk, { to, levels: wanted, dry_run: true });
            found = planned(desk, levels, answer, () => confirm(answer, wanted));
        } catch (error) {
            found = refused(error);
        }
        if (mine !== turn || desk.signal.aborted) return;
        preview.removeAttribute("aria-busy");
        fill(preview, found);
    };
    const refused = (error) => {
        if (error.kind === "levels-entangled") return entanglement(error.document, levels, choice.add, choice.all);
        if (error.kind === "nothing-to-restore") {
            return h("p", { class: "notice" }, icon("check"), word("desk.restore.nothing", { n: to }));
        }
        return errorState(error, { retry: plan });
    };
    const confirm = async (answer, wanted) => {
        const done = await openDialog({
            title: word("desk.restore.confirmTitle", { n: to }),
            body: [h("p", {}, countsLine(answer.changes)), h("p", { class: "help" }, word("desk.restore.confirmHelp"))],
            actions: [{
                label: word("desk.restore.do"), kind: "primary",
                act: () => restore(desk, answer, { to, levels: wanted, message: message.value.trim() || undefined }),
            }],
        });
        if (done?.changed) {
            toast(word("desk.restore.changed"), "problem");
            plan();
        } else if (done) {
            toast(word("desk.restore.done", { n: done.number, to }), "done");
            location.hash = `#/${desk.key}/desk/history`;
        }
    };
    await plan();
    followRevisions(desk, plan);
}

const path = (desk) => `/venues/${encodeURIComponent(desk.key)}`;

const request = (desk, json) => askJSON(
    `${path(desk)}/rollback`, { method: "POST", json, signal: desk.signal, headers: language() });

/** Goes back, unless something else would change than what was shown: the server compares as it publishes. */
async function restore(desk, shown, wish) {
    try {
        return await request(desk, { ...wish, base: shown.from });
    } catch (error) {
        if (error.kind === "head-moved") return { changed: true };
        throw new Error(problemLine(error));
    }
}

/** Floors that are there now, and those that were there then. */
async function levelsOf(desk, to) {
    const known = await floorsOf(desk);
    // A venue that was deleted and made again has other features under the same address.
    const { features } = await askJSON(
        `${path(desk)}/revisions/${to}/features?level=venue&type=level`, { signal: desk.signal, cache: "no-cache" });
    const gone = features.filter((feature) => !known.some((level) => level.level_id === feature.id));
    return [...known, ...gone.map(({ id, properties }) => ({ level_id: id, ...properties, isGone: true }))];
}

function planned(desk, levels, { from, restores, changes }, onRestore) {
    return h(
        "section", { class: "decision" },
        h("h3", {}, word("desk.restore.would", { from, to: restores })),
        h("p", {}, countsLine(changes)),
        wordList(changes.words),
        changes.levels.length > 0 && levelTable(changes.levels, levels).element,
        h("p", { class: "desk-actions" },
            button("primary", [icon("undo"), word("desk.restore.button", { n: restores })], onRestore),
            h("a", { class: "button quiet", href: `#/${desk.key}/desk/compare?from=${from}&to=${restores}` },
                word("desk.restore.look"))));
}
