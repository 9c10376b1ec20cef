// The rules that the pages of a change set have to satisfy.

import { HistoryLost, contradiction, malformed } from "./sync-error.js";

/** Checks the pages of one change set in order, before they are applied. */
export class PageRules {
    #venue;
    #revision;
    #cursors;
    #frame = null;
    #levels = new Set();
    /** The block that continues on the next page. */
    #open = null;

    /** The revision of the replica, and the cursor of the request for the first page; null if the replica is empty. */
    constructor(venue, revision, cursor) {
        this.#venue = venue;
        this.#revision = revision;
        this.#cursors = new Set([cursor]);
    }

    /**
     * Throws a `SyncError` of the kind `contradiction` or `malformed`, or `HistoryLost` if the change set does not continue the revision of
     * the replica.
     */
    check(page) {
        this.#checkFrame(page.frame);
        if (!page.isComplete) {
            // A part of a change set over all venues has no cursor.
            if (page.cursor !== undefined) {
                if (this.#cursors.has(page.cursor)) throw contradiction("a repeated page");
                this.#cursors.add(page.cursor);
            }
            if (page.blocks.length === 0) throw malformed("an empty page that is not the last one");
        }
        for (const [index, block] of page.blocks.entries()) {
            this.#checkBlock(block, index === 0, index === page.blocks.length - 1 && !page.isComplete);
        }
        if (page.isComplete && this.#open) throw malformed("the last page ends inside a level");
    }

    #checkFrame(frame) {
        if (this.#frame) {
            if (!isSameFrame(frame, this.#frame)) throw contradiction("pages of different change sets");
            return;
        }
        if (frame.venue !== this.#venue) throw contradiction(`it belongs to the venue “${frame.venue.slice(0, 64)}”`);
        if (this.#revision === null) {
            if (frame.from !== null) throw contradiction("changes, although everything was requested");
            if (frame.to < 1) throw malformed("a revision before the first one");
        } else if (frame.from !== this.#revision || frame.to < this.#revision) {
            // No digest covers the number of the revision, and the cursor neither. If those of the replica are wrong, no change set can
            // continue it.
            throw new HistoryLost(null);
        }
        this.#frame = frame;
    }

    #checkBlock(block, isFirst, mayContinue) {
        const open = this.#open;
        if (open) {
            const continues = isFirst && block.isContinued && block.level === open.level && block.kind === open.kind;
            if (!continues) throw contradiction("a page is missing or out of order");
            this.#open = null;
        } else if (block.isContinued) {
            throw contradiction("a continued level that has not begun");
        } else if (this.#levels.has(block.level)) {
            throw contradiction("a duplicate level");
        }
        this.#levels.add(block.level);
        if (block.kind === "gone") {
            const isEmpty = block.digest === null && block.bodies.length === 0 && block.removed.length === 0;
            if (!isEmpty) throw malformed("a removed level with features");
            return;
        }
        if (this.#revision === null && block.kind === "changes") throw contradiction("changes of a level that is not held");
        if (block.digest !== null) return;
        if (!mayContinue) throw malformed("a level without a digest");
        this.#open = block;
    }
}

export function isSameAbout(one, other) {
    return one.language === other.language && one.timeZone === other.timeZone && one.country === other.country
        && JSON.stringify(one.wayfinding) === JSON.stringify(other.wayfinding);
}

function isSameFrame(one, other) {
    return one.venue === other.venue && one.from === other.from && one.to === other.to && one.digest === other.digest
        && isSameAbout(one.about, other.about);
}
