// A change set over all venues, collected from its pages and committed at once.

import { VenueContents } from "./contents.js";
import { PageRules } from "./page-rules.js";
import { repair } from "./repair.js";
import { contradiction, malformed } from "./sync-error.js";
import { SyncReport } from "./sync-report.js";
import { ReplicaTransaction } from "./transaction.js";
import { isVenueKey } from "./wire.js";

export class CatalogueUpdate {
    #stored;
    #connection;
    /** The venues that are not in the change set and are deleted, because the change set has everything. */
    #unseen;
    #gone = new Set();
    /** `{contents, rules, transaction, report, last}` by venue. */
    #updates = new Map();

    constructor(stored, connection, isWhole) {
        this.#stored = stored;
        this.#connection = connection;
        this.#unseen = new Set(isWhole ? stored.venues.keys() : []);
    }

    /** Applies a page. A venue that any page names as gone is deleted, whatever other pages contain. */
    apply(page) {
        for (const venue of page.gone) this.#gone.add(venue);
        for (const part of page.venues) {
            if (!this.#gone.has(part.frame.venue)) this.#applyPart(part);
        }
    }

    #applyPart(part) {
        const { venue } = part.frame;
        let update = this.#updates.get(venue);
        if (!update) {
            if (!isVenueKey(venue)) throw malformed("an invalid venue key");
            update = this.#begin(venue, part.frame);
            this.#updates.set(venue, update);
        } else if (update.last.isComplete) {
            throw contradiction("a duplicate venue");
        }
        update.rules.check(part);
        update.report.requests += 1;
        update.transaction.apply(part.blocks);
        update.last = part;
    }

    #begin(venue, frame) {
        const contents = this.#stored.venues.get(venue) ?? new VenueContents(venue);
        const transaction = new ReplicaTransaction(contents);
        // The venue is new to the client, was created again, or the client's revision was pruned.
        const isWhole = frame.from === null;
        if (isWhole) transaction.clearAll();
        const { revision } = contents.state;
        const rules = new PageRules(venue, isWhole ? null : revision, null);
        return { contents, rules, transaction, report: new SyncReport(venue, revision, frame.to), last: null };
    }

    /** Verifies and stores all venues. Returns `{venues, gone}` for the report. */
    async commit(catalogue, signal) {
        for (const venue of this.#unseen) if (!this.#updates.has(venue)) this.#gone.add(venue);
        for (const venue of this.#gone) this.#updates.delete(venue);
        const gone = [...this.#gone].filter((venue) => this.#stored.venues.has(venue)).sort();
        const updates = [...this.#updates].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, update]) => update);
        const syncedAt = this.#connection.policy.now();
        const changes = [];
        for (const update of updates) changes.push(await this.#finish(update, syncedAt, signal));
        signal?.throwIfAborted();
        await this.#stored.commit(changes, { catalogue, removed: gone });
        for (const [index, { contents, transaction, report }] of updates.entries()) {
            Object.assign(report, transaction.commit(changes[index].state), { hasCommitted: true });
            this.#stored.venues.set(contents.venue, contents);
        }
        return { venues: updates.map(({ report }) => report), gone };
    }

    async #finish({ last, transaction, report }, syncedAt, signal) {
        if (!last.isComplete) throw malformed("an incomplete venue");
        const { venue, to, digest, about } = last.frame;
        report.repaired = await repair(this.#connection, venue, to, transaction, signal);
        const state = { revision: to, cursor: null, digest, about, selection: "everything", syncedAt };
        return { venue, state, digests: transaction.digests, texts: transaction.texts };
    }
}
