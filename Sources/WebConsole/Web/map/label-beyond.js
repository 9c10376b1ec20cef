// Names that reach beyond the walls of their area: along it, over a corridor or the ground outside; or beside a mark in it, over areas whose
// names have no space either. They cover neither another label nor the middle of another place.

import { AreaIndex } from "./area-index.js";
import { boxOf } from "./label-boxes.js";
import { besideShape, textShape } from "./label-images.js";
import { sides, spacesOf } from "./label-names.js";

/** The sizes of these names. */
const sizes = [11, 10];
/** The least share of a name along its area that is in it, so that it is clear what it names. */
const leastInside = 0.35;
/** The distance from the end of an area at which a name along it begins. */
const inset = 3;
/** The side of the mark beside a name, in sizes of the text. */
const markScale = 1.5;
/** For how many places these names are looked for at most, the most important first: looking takes time, for every frame. */
const maximumTries = 250;
/** The free space around the middle of other places, in pixels. */
const middleSpace = 10;

export class BeyondPlacement {
    #taken;
    #context;
    #candidates;
    #index;
    #tries = 0;

    constructor(candidates, taken, context) {
        [this.#candidates, this.#taken, this.#context] = [candidates, taken, context];
        this.#index = new AreaIndex(context.project, context.screen);
    }

    /** Whether the name of a candidate may reach beyond its area. */
    static isFor({ place, isFaint }) {
        return place.isNamed && !place.isMarked && !place.isBackOfHouse && !isFaint;
    }

    /** What is needed before `options`, with a yield after every candidate: thousands of areas take longer than a frame. */
    *prepare() {
        for (const candidate of this.#candidates) {
            this.#index.add(candidate);
            yield;
        }
    }

    /** Whether no more places are looked for. */
    get isExhausted() {
        return this.#tries >= maximumTries;
    }

    /** What may be drawn for a candidate, the best first, see `insideOptions`. */
    *options(candidate) {
        const { place } = candidate;
        if (!BeyondPlacement.isFor(candidate) || this.isExhausted) return;
        this.#tries += 1;
        const hasArea = candidate.area && !candidate.isAtPoint;
        const isClear = (box) => !this.#index.coversArea(box, candidate);
        if (hasArea) yield* this.#along(candidate, (angle) => angle === 0, isClear);
        yield* this.#beside(candidate, isClear);
        if (hasArea) yield* this.#along(candidate, (angle) => angle !== 0, isClear);
        // Only what visitors come for hides the middle of less important places.
        if (place.kind === "shop" && place.labelRank < 1) yield* this.#beside(candidate, () => true, (other) => other.priority > candidate.priority);
    }

    /** Names along the area, which begin or end in it, or reach beyond it at both ends. */
    *#along(candidate, isAngle, isClear) {
        const { images, colours } = this.#context;
        const { place, point } = candidate;
        for (const { space, angle } of spacesOf(candidate, this.#context).filter((each) => isAngle(each.angle))) {
            if (space(8, sizes.at(-1) * images.enlargement) < 1) continue;
            const [low, high] = this.#index.extent(candidate, angle);
            const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
            for (const { texts, isShort } of this.#texts(candidate, [1, 2])) {
                for (const size of sizes.map((each) => each * images.enlargement)) {
                    if (space(8, (texts.height - 0.25) * size) < 1) continue;
                    const shape = textShape(texts, size);
                    if (high - low < leastInside * shape.width) continue;
                    for (const middle of [(low + high) / 2, low + inset + shape.width / 2, high - inset - shape.width / 2]) {
                        const at = { x: point.x + middle * cos, y: point.y + middle * sin };
                        if (!this.#isFree(boxOf(shape, at, angle), isClear)) continue;
                        yield { image: images.text(place, texts, size, colours, { isBeyond: true }), at, angle, isBeyond: true, isShort };
                    }
                }
            }
        }
    }

    /** Names beside a mark in the middle of the area. */
    *#beside(candidate, isClear, isHideable = () => false) {
        const { images, colours } = this.#context;
        const size = sizes.at(-1) * images.enlargement;
        for (const { texts, isShort } of this.#texts(candidate, [1, 2, 3])) {
            for (const side of sides) {
                const shape = besideShape(texts, size, side, Math.round(markScale * size));
                const at = shape.around(candidate.point);
                const box = boxOf(shape, at);
                if (!this.#isFree(box, isClear)) continue;
                if (this.#index.coversMiddle(box, (other) => other === candidate || isHideable(other), middleSpace)) continue;
                yield { image: images.beside(candidate.place, texts, shape, colours), at, isBeyond: true, isShort };
            }
        }
    }

    /** The name in so many lines, and its short form: `{texts, isShort}`. */
    *#texts({ place }, counts) {
        const { images, shortNames } = this.#context;
        for (const count of counts) {
            const texts = images.lines(place.name, count, { isInArea: false });
            if (texts) yield { texts, isShort: false };
        }
        const short = shortNames.get(place.id);
        if (short) yield { texts: images.lines(short, 1, { isInArea: false }), isShort: true };
    }

    #isFree(box, isClear) {
        const { left, top, right, bottom } = this.#context.frame;
        return box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom && this.#taken.isFree(box) && isClear(box);
    }
}
