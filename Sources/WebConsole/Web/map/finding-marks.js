// The findings of an upload on the map of what is published: marks on the floor that is shown, which lead to the findings.

import { h } from "../ui/element.js";
import { labelPointOf } from "../client/map/label-point.js";
import { findingText } from "../desk/findings/finding-text.js";
import { loadedFindings } from "../desk/findings/groups.js";
import { marksOf, nextFinding } from "../desk/findings/marks.js";
import { findingLink } from "./link-target.js";
import { localized } from "../localization/localization.js";

export class FindingMarks {
    #map;
    #replica;
    #venue;
    #current;
    /** See `loadedFindings`; further findings have no marks. */
    #loaded;
    #marks = [];
    #container = h("div", { class: "finding-marks", role: "group" });
    #update = () => this.#place();

    /** `current` is the finding that is shown, as `findingOf` returns it. */
    constructor(map, replica, venue, current) {
        this.#map = map;
        this.#replica = replica;
        this.#venue = venue;
        this.#current = current;
        this.#loaded = loadedFindings(current.groups);
        map.getContainer().append(this.#container);
        map.on("render", this.#update);
    }

    /** Marks the findings of a floor instead of those of the previous one. */
    show(floor) {
        const features = floor.levels.flatMap((level) => [level, ...this.#replica.featuresOf(level.id)]);
        const positions = new Map(features.map((feature) => [feature.id, this.#positionOf(feature)]));
        const { marks, isComplete } = marksOf(this.#loaded.findings, positions, this.#current);
        this.#marks = marks.map((mark) => ({ at: mark.at, element: this.#element(mark) }));
        const n = isComplete && this.#loaded.isComplete ? marks.length : `${marks.length}+`;
        this.#container.setAttribute("aria-label", localized("map.findingMarks", { n }));
        this.#container.replaceChildren(...this.#marks.map(({ element }) => element));
        this.#place();
    }

    remove() {
        this.#map.off("render", this.#update);
        this.#container.remove();
    }

    /** Occupants have no geometry of their own and are at their anchors. */
    #positionOf(feature) {
        const anchor = this.#replica.feature(feature.properties.anchor_id);
        return labelPointOf(feature)?.position ?? (anchor ? labelPointOf(anchor)?.position : null) ?? null;
    }

    #element(mark) {
        const target = nextFinding(mark, this.#current);
        const text = mark.findings.map((finding) => findingText(finding).text).join("\n");
        // The list of findings is for the keyboard: a floor may have hundreds of marks.
        return h("a", {
            class: `finding-mark is-${mark.severity}`, href: findingLink(this.#venue, this.#current.upload, target), tabindex: -1,
            "aria-current": mark.isCurrent ? "true" : undefined, title: text, "aria-label": text,
        }, mark.findings.length > 1 ? String(mark.findings.length) : "!");
    }

    #place() {
        for (const { at, element } of this.#marks) {
            const { x, y } = this.#map.project(at);
            element.style.translate = `${x}px ${y}px`;
        }
    }
}
