// The page of one upload: progress, decision or outcome, changes or the preview of a first upload, identity matching, validation report.

import { requestJSON } from "../../api.js";
import { comparison } from "../diff/comparison.js";
import { checks, decision, isBehind } from "./decision.js";
import { errorState } from "../../ui/states.js";
import { fill, h } from "../../ui/element.js";
import { followRevisions } from "../follow-revisions.js";
import { acceptLanguage, followUpload, isFinished, isInProgress } from "./follow-upload.js";
import { identitySummary } from "./identity.js";
import { isId } from "../names.js";
import { outcome } from "./outcome.js";
import { phaseList } from "./phases.js";
import { hasPreview, previewSection } from "./preview.js";
import { problemLine } from "../problem-messages.js";
import { report } from "../findings/report.js";
import { hasChanges, uploadURL } from "./upload-entry.js";
import { heading, verdict } from "./upload-line.js";
import { localized } from "../../localization/localization.js";

export async function show(desk) {
    const [id] = desk.path;
    // The id becomes a part of request paths, so it must be a UUID.
    if (!isId(id)) throw { status: 404, type: "upload-not-found" };
    desk.refresh = async () => draw(await requestJSON(`/uploads/${id}`, { signal: desk.signal, headers: acceptLanguage() }));
    const containers = Object.fromEntries(
        ["header", "verdict", "decision", "connection", "phases", "outcome", "preview", "checks", "changes", "identity", "findings"].map((name) => [name, h("div")]));
    const line = h("div", { class: "upload-line" }, containers.header, containers.verdict, containers.decision);
    const review = h("div", { class: "review" }, containers.checks, containers.changes);
    const phases = phaseList();
    const sections = new Sections(desk, containers);
    let isShown = false;
    // What sticks to the top of the page while it is scrolled begins below the decision.
    const observer = new ResizeObserver(() => {
        desk.root.style.setProperty("--decision-height", `${containers.decision.hasChildNodes() ? line.offsetHeight : 0}px`);
    });
    observer.observe(line);
    desk.signal.addEventListener("abort", () => observer.disconnect(), { once: true });
    const draw = (upload) => {
        // The URL may name another venue than the one the upload belongs to.
        if (upload.venue !== desk.venueKey) return location.replace(uploadURL(upload));
        if (!isShown) fill(desk.root, h(
            "div", { class: "upload-page" },
            line, containers.connection, containers.phases, containers.outcome, containers.preview, review, containers.identity, containers.findings));
        isShown = true;
        fill(containers.connection);
        const isBusy = isInProgress(upload) || (upload.state === "published" && !isFinished(upload));
        if (isBusy) {
            phases.update(upload);
            if (!phases.element.isConnected) fill(containers.phases, phases.element);
        } else fill(containers.phases);
        return sections.update(upload);
    };
    await new Promise((resolve, reject) => {
        followUpload(id, {
            signal: desk.signal,
            onUpload: (upload) => {
                draw(upload);
                resolve();
            },
            onRequestFailed: (error) => {
                if (isShown) fill(containers.connection, h("p", { class: "error-message", role: "status" }, problemLine(error)));
                else reject(error);
            },
        }).then(resolve, (error) => (isShown ? fill(desk.root, errorState(error)) : reject(error)));
    });
    followRevisions(desk, () => sections.headMoved());
}

/** The sections of the page. A section is redrawn only if its data has changed, so that focus and scroll position are kept. */
class Sections {
    /** The serialized data of each section. */
    #drawn = {};
    #upload;
    /** Ends the map of the preview that is shown. */
    #preview = new AbortController();
    /** Whether the user has asked for the list of what a first upload would add. */
    #isListShown = false;

    constructor(desk, containers) {
        this.desk = desk;
        this.containers = containers;
    }

    update(upload) {
        this.#upload = upload;
        const { state, reasons, base, findings, identity, changes, revision } = upload;
        const hasDiff = hasChanges(upload);
        this.#draw("header", [state, upload.publish_at, upload.message, base], () => heading(this.desk, upload));
        const verdictData = [state, findings.error, findings.complete, reasons, upload.overrides?.contested, isBehind(this.desk, upload) && this.desk.venue.head];
        this.#draw("verdict", verdictData, () => verdict(this.desk, upload));
        this.#draw("outcome", [state, revision, findings.complete], () => outcome(this.desk, upload));
        const considered = [state, reasons, base, upload.publish_at, this.desk.venue?.head];
        this.#draw("decision", considered, () => decision(this.desk, upload));
        this.#draw("checks", considered, () => checks(this.desk, upload));
        this.#draw("findings", [findings, state === "rejected" && { hasDiff }], () => hasReport(upload) && report(this.desk, upload));
        // The errors are what an operator has to look at.
        if (state === "rejected" && this.containers.findings.nextSibling === null) this.containers.findings.after(this.containers.changes.parentElement);
        // While the upload is being processed, the comparison stays that the user has based a decision on.
        if (isInProgress(upload)) return;
        const isPreview = hasPreview(upload);
        this.#draw("preview", [isPreview && changes], () => this.#makePreview(isPreview));
        const isListed = hasDiff && (!isPreview || this.#isListShown);
        this.#draw("changes", [isListed, state, base, changes], () => isListed && changeSection(this.desk, upload));
        // What was rejected matches nothing.
        const matching = state === "rejected" ? null : identity;
        this.#draw("identity", [matching], () => matching && identitySummary(upload));
    }

    #makePreview(isPreview) {
        this.#preview.abort();
        this.#preview = new AbortController();
        this.#isListShown = false;
        const signal = AbortSignal.any([this.desk.signal, this.#preview.signal]);
        return isPreview && previewSection(this.desk, this.#upload, {
            signal,
            onList: (isShown) => {
                this.#isListShown = isShown;
                this.update(this.#upload);
            },
        });
    }

    headMoved() {
        if (this.#upload) this.update(this.#upload);
    }

    #draw(name, data, make) {
        const serialized = JSON.stringify(data);
        if (this.#drawn[name] === serialized) return;
        this.#drawn[name] = serialized;
        fill(this.containers[name], make());
    }
}

const hasReport = ({ state, findings }) =>
    findings.complete || findings.error + findings.warning + findings.info > 0 || state === "rejected";

function changeSection(desk, upload) {
    const isDone = upload.state === "published";
    const heading = { published: "changed", rejected: "wouldHaveChanged" }[upload.state] ?? "wouldChange";
    return h(
        "section", { class: "desk-section" },
        h("h2", {}, localized(`desk.upload.${heading}`)),
        comparison(desk, {
            summary: upload.changes, source: `/uploads/${upload.id}/changes`,
            surroundings: isDone && upload.revision ? upload.revision : upload.base,
        }));
}
