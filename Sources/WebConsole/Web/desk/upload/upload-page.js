// All about one upload: how far it is, what it would change or did, what it was taken for, what the rule book says, and what to
// do about it.

import { askJSON } from "../../api.js";
import { comparison } from "../diff/comparison.js";
import { decision } from "./decision.js";
import { errorState } from "../../ui/states.js";
import { fill, h } from "../../ui/element.js";
import { followRevisions } from "../follow-revisions.js";
import { followUpload, isAtWork, isFinished, language } from "./follow-upload.js";
import { formatBytes, formatTime } from "../formats.js";
import { identitySummary } from "./identity.js";
import { isId } from "../names.js";
import { outcome } from "./outcome.js";
import { phaseList } from "./phases.js";
import { problemLine } from "../problem-words.js";
import { report } from "../findings/report.js";
import { stateTag, uploadAddress, uploadTitle } from "./upload-entry.js";
import { word } from "../../words/words.js";

export async function show(desk) {
    const [id] = desk.path;
    // It becomes part of the addresses that are asked for.
    if (!isId(id)) throw { status: 404, kind: "upload-not-found" };
    desk.refresh = async () => stage(await askJSON(`/uploads/${id}`, { signal: desk.signal, headers: language() }));
    const places = Object.fromEntries(
        ["head", "trouble", "phases", "outcome", "decision", "changes", "identity", "findings"].map((name) => [name, h("div")]));
    const phases = phaseList();
    const sections = new Sections(desk, places);
    let isShown = false;
    const stage = (upload) => {
        // An address put together by hand may name another venue's desk.
        if (upload.venue !== desk.key) return location.replace(uploadAddress(upload));
        if (!isShown) fill(desk.root, h("div", { class: "upload-page" }, Object.values(places)));
        isShown = true;
        fill(places.trouble);
        const isBusy = isAtWork(upload) || (upload.state === "published" && !isFinished(upload));
        if (isBusy) {
            phases.update(upload);
            if (!phases.element.isConnected) fill(places.phases, phases.element);
        } else fill(places.phases);
        return sections.update(upload);
    };
    await new Promise((resolve, reject) => {
        followUpload(id, {
            signal: desk.signal,
            onUpload: (upload) => {
                stage(upload);
                resolve();
            },
            onTrouble: (error) => {
                if (isShown) fill(places.trouble, h("p", { class: "told", role: "status" }, problemLine(error)));
                else reject(error);
            },
        }).then(resolve, (error) => (isShown ? fill(desk.root, errorState(error)) : reject(error)));
    });
    followRevisions(desk, () => sections.headMoved());
}

/** Draws a section anew only when what it shows is another thing, so that nothing jumps and nobody loses the place. */
class Sections {
    #shown = {};
    #upload;

    constructor(desk, places) {
        this.desk = desk;
        this.places = places;
    }

    update(upload) {
        this.#upload = upload;
        const { state, reasons, base, findings, identity, changes, revision } = upload;
        const hasDiff = (state === "staged" || state === "published") && changes !== null;
        this.#draw("head", [state, upload.publish_at, upload.message], () => heading(upload));
        this.#draw("outcome", [state, revision, findings.complete], () => outcome(this.desk, upload));
        this.#draw("decision", [state, reasons, base, upload.publish_at, this.desk.venue?.head], () => decision(this.desk, upload));
        this.#draw("findings", [findings, state === "rejected"], () => isFinding(upload) && report(this.desk, upload));
        // While a worker has it, what was shown stays: it is what the reader decided by.
        if (isAtWork(upload)) return;
        this.#draw("changes", [hasDiff, state, base, changes], () => hasDiff && changeSection(this.desk, upload));
        this.#draw("identity", [identity], () => identity && identitySummary(this.desk, upload));
    }

    headMoved() {
        if (this.#upload) this.update(this.#upload);
    }

    #draw(name, facts, make) {
        const now = JSON.stringify(facts);
        if (this.#shown[name] === now) return;
        this.#shown[name] = now;
        fill(this.places[name], make());
    }
}

const isFinding = ({ state, findings }) =>
    findings.complete || findings.error + findings.warning + findings.info > 0 || state === "rejected";

function heading(upload) {
    const fact = (name, value) => value !== null && [h("dt", {}, word(`desk.upload.${name}`)), h("dd", {}, value)];
    const time = (moment) => moment && h("time", { datetime: moment }, formatTime(moment));
    return h(
        "header", { class: "upload-head" },
        h("h2", {}, uploadTitle(upload)), stateTag(upload),
        h("dl", { class: "facts" },
            fact("author", upload.author), fact("received", time(upload.received_at)), fact("finished", time(upload.finished_at)),
            fact("size", formatBytes(upload.bytes)), fact("publishedBy", upload.published_by)),
        h("details", {}, h("summary", {}, word("desk.upload.more")),
            h("dl", { class: "facts" },
                fact("id", h("code", {}, upload.id)), fact("archive", h("code", {}, upload.archive)),
                fact("attempts", upload.attempts))));
}

function changeSection(desk, upload) {
    const isDone = upload.state === "published";
    return h(
        "section", { class: "desk-section" },
        h("h2", {}, word(isDone ? "desk.upload.changed" : "desk.upload.wouldChange")),
        comparison(desk, {
            summary: upload.changes, source: `/uploads/${upload.id}/changes`,
            surroundings: isDone && upload.revision ? upload.revision : upload.base,
        }));
}
