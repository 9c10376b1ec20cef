// Shows a finding on a map of what was uploaded: the base with the changes of the upload, and marks for all findings of the floor. If
// the changes of a rejected upload are not stored, its findings are marked on the published map, with a notice. If nothing is published,
// the view says in words where a finding is.

import { DiffMap } from "../diff/diff-map.js";
import { loadChanges } from "../diff/comparison.js";
import { LevelOutlines } from "../diff/level-outlines.js";
import { scene } from "../diff/scene.js";
import { labelPosition } from "../diff/shapes.js";
import { initialFloor } from "../../map/floors.js";
import { fill, h, icon } from "../../ui/element.js";
import { findingMessage, findingText } from "./finding-text.js";
import { keepInView } from "./keep-in-view.js";
import { loadedFindings, loadFinding } from "./groups.js";
import { LevelIndex } from "./level-index.js";
import { marksOf, nextFinding } from "./marks.js";
import { neighbours } from "./neighbours.js";
import { problemLine } from "../problem-messages.js";
import { storedIds } from "./stored-ids.js";
import { hasChanges } from "../upload/upload-entry.js";
import { toast } from "../../ui/toast.js";
import { localized } from "../../localization/localization.js";

export class FindingView {
    element = h("section", { class: "finding-view", hidden: true, tabindex: -1, "aria-live": "polite" });
    #desk;
    #upload;
    #groups;
    #levels;
    /** The data of levels by id, as `loadChanges` returns it. */
    #loaded = new Map();
    #outlines = null;
    /** A promise of `storedIds`. */
    #storedIds = null;
    /** The finding that was requested last, as `RULE:index`. */
    #requested = null;
    /** Ends keeping the view at the top of the window. */
    #stopScrolling = () => {};

    /** `groups` are those of `loadReport`. */
    constructor(desk, upload, groups) {
        this.#desk = desk;
        this.#upload = upload;
        this.#groups = groups;
        this.#levels = new LevelIndex(desk, upload);
    }

    /** Opens the finding that the address names, if there is one. */
    async openFromURL() {
        const query = new URLSearchParams(location.hash.split("?")[1]);
        const [, rule, index] = /^(.+):(\d{1,6})$/.exec(query.get("finding") ?? "") ?? [];
        if (rule && this.#groups.some((group) => group.rule === rule)) await this.open(rule, Number(index));
    }

    async open(rule, index) {
        const { venueKey } = this.#desk;
        const name = `${rule}:${index}`;
        this.#requested = name;
        try {
            const group = this.#groups.find((each) => each.rule === rule);
            const finding = await loadFinding(group, index, this.#desk.signal);
            const around = finding && await neighbours(this.#groups, { rule, index }, this.#desk.signal);
            if (!finding || this.#requested !== name) return;
            history.replaceState(null, "", `#/${venueKey}/desk/uploads/${this.#upload.id}?finding=${name}`);
            this.#show(group, index, finding, around);
            await this.#draw({ ...finding, index }, name);
        } catch (error) {
            // What the page shows is outdated.
            if (error.type === "wrong-state") await this.#desk.refresh().catch(() => {});
            if (this.#desk.signal.aborted) return;
            if (this.element.hidden) toast(problemLine(error), "problem");
            else fill(this.note, problemLine(error));
        }
    }

    #show(group, index, finding, [previous, next]) {
        const { rule, severity } = finding;
        this.element.hidden = false;
        this.note = h("p", { class: "help" });
        this.canvas = h("div", { class: "finding-map" });
        const step = (target, name) => h("button", {
            type: "button", class: "quiet", "aria-label": localized(`map.finding${name}`), "data-step": name.toLowerCase(),
            disabled: !target, onclick: () => this.open(target.rule, target.index),
        }, icon(name.toLowerCase()));
        const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.step : null;
        fill(this.element,
            h("header", {},
                h("span", { class: "count" }, localized("map.finding", { n: index + 1, count: group.count, rule })),
                h("span", { class: "finding-steps" }, step(previous, "Previous"), step(next, "Next"), h("button", {
                    type: "button", class: "quiet", "aria-label": localized("dialog.close"), onclick: () => this.#close(),
                }, icon("close")))),
            h("p", { class: "finding-message" }, h("strong", {}, `${localized(`desk.severity.${severity}`)}: `), findingMessage(finding)),
            this.note, this.canvas);
        const again = focused && this.element.querySelector(`[data-step="${focused}"]:not(:disabled)`);
        (again || this.element).focus({ preventScroll: true });
        this.#stopScrolling();
        this.#stopScrolling = keepInView(this.element, this.#desk.root, this.#desk.signal);
    }

    #close() {
        this.#stopScrolling();
        this.#requested = null;
        this.element.hidden = true;
        history.replaceState(null, "", `#/${this.#desk.venueKey}/desk/uploads/${this.#upload.id}`);
    }

    async #draw(finding, name) {
        if (!hasMap(this.#desk, this.#upload)) return this.#explain(finding);
        this.#storedIds ??= storedIds(this.#upload, this.#desk.signal).catch((error) => {
            this.#storedIds = null;
            throw error;
        });
        const stored = await this.#storedIds;
        const id = stored.get(finding.feature_id) ?? finding.feature_id;
        const level = await this.#levels.find(id) ?? this.#defaultLevel();
        const data = await this.#load(level);
        if (this.#requested !== name) return;
        const levelScene = scene(data);
        const positions = positionsOf(levelScene);
        const position = finding.at?.slice(0, 2) ?? positions.get(id) ?? null;
        for (const [archiveId, id] of stored) if (positions.has(id)) positions.set(archiveId, positions.get(id));
        // The finding has a mark whatever is known of its feature.
        if (position && finding.feature_id && !positions.has(finding.feature_id)) positions.set(finding.feature_id, position);
        const { marks, isComplete } = this.#marks(positions, finding);
        const map = new DiffMap({ onPick: () => {} });
        const texts = [
            this.#upload.state === "rejected" && !hasChanges(this.#upload) && localized("desk.findings.rejectedMap"),
            !position && localized("desk.findings.noPosition"),
            marks.length > 1 && localized("desk.findings.marked", { n: marks.length }),
            !isComplete && localized("desk.findings.markedPartly"),
        ];
        fill(this.note, texts.filter(Boolean).join(" "));
        fill(this.canvas, map.element);
        map.draw(levelScene, position);
        map.mark(marks, (mark) => {
            const { rule, index } = nextFinding(mark, finding);
            this.open(rule, index);
        });
        map.pin(position);
    }

    /** Says where a finding is, in words. */
    #explain({ file, pointer, at }) {
        const place = [file, pointer].filter(Boolean).join(" ");
        this.canvas.remove();
        fill(this.note, localized("desk.findings.noMap"));
        this.note.after(h("dl", { class: "facts" },
            place && [h("dt", {}, localized("desk.findings.place")), h("dd", {}, h("code", {}, place))],
            at && [h("dt", {}, localized("desk.findings.position")), h("dd", {}, [at[1], at[0]].map((degrees) => `${degrees.toFixed(7)}°`).join(", "))]));
    }

    /** The marks of the loaded findings on a floor, whose features have `positions`; see `marksOf`. */
    #marks(positions, current) {
        const loaded = loadedFindings(this.#groups);
        const { marks, isComplete } = marksOf(loaded.findings, positions, current);
        return {
            marks: marks.map((mark) => ({ ...mark, text: mark.findings.map((finding) => findingText(finding).text).join("\n") })),
            isComplete: isComplete && loaded.isComplete,
        };
    }

    async #load(level) {
        if (!this.#loaded.has(level)) {
            const { id, state, base, revision } = this.#upload;
            const source = hasChanges(this.#upload) ? `/uploads/${id}/changes` : null;
            const surroundings = (state === "published" ? revision : null) ?? (base || this.#desk.venue?.head || 0);
            this.#outlines ??= new LevelOutlines(this.#desk.venueKey, source, surroundings, this.#desk.signal);
            this.#loaded.set(level, await loadChanges(this.#desk, source, surroundings, level, this.#outlines));
        }
        return this.#loaded.get(level);
    }

    /** The level for findings without a feature that is known: a ground floor, of those that are not empty if there are any. */
    #defaultLevel() {
        const levels = [...(this.#upload.changes?.levels ?? []), ...(this.#desk.venue?.levels ?? [])]
            .filter(({ ordinal }) => Number.isInteger(ordinal));
        return (initialFloor(levels.filter(hasFeatures)) ?? initialFloor(levels))?.level_id ?? null;
    }
}

/** Whether there is anything on a level, of a venue or of changes. */
const hasFeatures = ({ features = 0, added = 0, changed = 0 }) => features + added + changed > 0;

/** Whether there is a map for the findings of an upload: of the upload itself, or of what is published. */
export const hasMap = (desk, upload) => hasChanges(upload) || upload.base > 0 || (desk.venue?.head ?? 0) > 0;

/** The positions of the features of a scene by their ids. */
function positionsOf({ items, unchanged }) {
    return new Map([
        ...unchanged.map((feature) => [feature.id, labelPosition(feature)]),
        ...items.map((item) => [item.id, item.at ?? item.from]),
    ]);
}
