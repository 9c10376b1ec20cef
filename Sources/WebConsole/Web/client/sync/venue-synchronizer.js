// Brings one venue up to date: requests change sets, applies them, and commits them to the store.

import { VenueContents } from "./contents.js";
import { maximumCollection, queryOf } from "./connection.js";
import { isSameSelection } from "./level-selection.js";
import { pageOfDelta } from "./delta.js";
import { isSameAbout, PageRules } from "./page-rules.js";
import { differenceOf } from "./difference.js";
import { fetchLevel, repair, verify } from "./repair.js";
import { HistoryLost, StateChanged, SyncError, contradiction } from "./sync-error.js";
import { SyncReport } from "./sync-report.js";
import { ReplicaTransaction } from "./transaction.js";
import { DownloadLimit, maximumStatement, ordinalsOf, untrusted } from "./trust.js";
import { pageOf, restartOf } from "./wire.js";

/** How often a synchronization is started again because another writer has changed the store. */
const maximumAttempts = 5;
/** A confirmation without changes is stored if the stored one is older than this time in milliseconds. */
const confirmationInterval = 600_000;

export class VenueSynchronizer {
    #venue;
    #connection;
    #stored;
    #pageLimit;
    #onReport;
    /** The keys that have to sign every revision; null to apply unsigned revisions. */
    #trust;
    /** The last signed head that was verified. */
    #head = null;
    #queue = Promise.resolve();
    /** Long polls in progress. They are aborted when the state that they were sent with has changed. */
    #polls = new Set();

    constructor({ venue, connection, stored, pageLimit, onReport, trust = null }) {
        this.#venue = venue;
        this.#connection = connection;
        this.#stored = stored;
        this.#pageLimit = pageLimit;
        this.#onReport = onReport;
        this.#trust = trust;
        this.#adopt();
    }

    /** What the replica holds. */
    contents;

    /** Synchronizes with the selection that `choose` returns for the current state. */
    synchronize(choose, signal) {
        return this.#exclusively(async () => {
            let adopted = null;
            for (let attempt = 0; attempt < maximumAttempts; attempt += 1) {
                try {
                    const report = await this.#pull(choose, signal);
                    return adopted?.merge(report) ?? report;
                } catch (error) {
                    if (error instanceof HistoryLost) throw contradiction("the history was lost twice");
                    if (!(error instanceof StateChanged)) throw error;
                    // What another writer has stored is a part of the result.
                    const report = await this.#refresh();
                    adopted = adopted?.merge(report) ?? report;
                }
            }
            throw new SyncError("busy", "others keep writing to the store");
        });
    }

    /**
     * Sends a long poll and applies its response. Null if the replica has changed in the meantime; others may write while it waits.
     * `seconds` is how long the server may delay its response until something changes.
     */
    async poll(seconds, signal) {
        const { state } = this.contents;
        const { cursor, selection } = state;
        if (cursor === null || selection === null) return this.synchronize((state) => state.selection ?? "everything", signal);
        const outdated = new AbortController();
        this.#polls.add(outdated);
        try {
            const anySignal = signal ? anySignalOf([signal, outdated.signal]) : outdated.signal;
            const page = await this.#page(
                cursor, selection, { wait: seconds, base: this.contents, signal: anySignal, cache: "no-store" });
            this.#polls.delete(outdated);
            if (this.#trust && this.contents.state === state) {
                // The response is only the signal to request the next head.
                if (!this.#isUnchanged(page)) return await this.synchronize((state) => state.selection, signal);
                const report = new SyncReport(this.#venue, state.revision, state.revision);
                report.requests = 1;
                return report;
            }
            return await this.#exclusively(async () => (
                this.contents.state === state ? this.#apply(page, selection, { signal }) : null));
        } catch (error) {
            if (error instanceof HistoryLost) return this.synchronize((state) => state.selection, signal);
            if (!(error instanceof StateChanged)) throw error;
            if (!outdated.signal.aborted) await this.#exclusively(() => this.#refresh());
            return null;
        } finally {
            this.#polls.delete(outdated);
        }
    }

    /** Waits until nothing is being written. */
    async settle() {
        await this.#queue;
    }

    #exclusively(work) {
        const outcome = this.#queue.then(work);
        this.#queue = outcome.catch(() => {});
        return outcome;
    }

    /** Reads what another writer has stored, and returns what it has changed. */
    async #refresh() {
        const before = this.contents;
        await this.#stored.refresh();
        this.#adopt();
        const report = differenceOf(before, this.contents);
        if (report.hasChanges) this.#onReport(report);
        return report;
    }

    #adopt() {
        this.contents = this.#stored.venues.get(this.#venue) ?? this.contents ?? new VenueContents(this.#venue);
        this.#stored.venues.set(this.#venue, this.contents);
    }

    async #pull(choose, signal) {
        const selection = choose(this.contents.state);
        const head = await this.#signedHead(signal);
        let report;
        try {
            return await this.#apply(await this.#firstPage(selection, head, signal), selection, { head, signal });
        } catch (error) {
            const { revision, head: stored } = this.contents.state;
            if (error.kind === "untrusted" && head && revision !== null && !stored) {
                // The store was filled without trusted keys, and what it holds is not what was signed.
                return this.#apply(await this.#page(null, selection, { head, signal }), selection, { isWhole: true, head, signal });
            }
            if (!(error instanceof HistoryLost)) throw error;
            // The history may have been lost since the head was requested.
            report = await this.#startOver(selection, restartOf(error.problem), await this.#signedHead(signal), signal);
        }
        // A 410 has no `about`, and newer revisions may exist by now. The replica is already complete, so if this request fails, the
        // next synchronization gets the rest.
        try {
            const head = await this.#signedHead(signal);
            const page = await this.#firstPage(selection, head, signal);
            report.merge(await this.#apply(page, selection, { head, signal }));
        } catch (error) {
            if (!(error instanceof SyncError || error instanceof HistoryLost || error instanceof StateChanged)) throw error;
        }
        return report;
    }

    async #firstPage(selection, head, signal) {
        return this.#page(this.contents.state.cursor, selection, { base: this.contents, head, signal });
    }

    /** Requests the signed head and verifies it; null if no keys are trusted. */
    async #signedHead(signal) {
        if (!this.#trust) return null;
        const document = await this.#connection.text(`/venues/${this.#venue}/head`, { limit: maximumStatement, signal });
        const head = await this.#trust.head(document, this.#venue);
        head.checkTime(this.#connection.policy.now());
        const stored = this.contents.state.head;
        // One of a key that is not trusted any more does not count.
        const known = stored ? await this.#trust.head(stored, this.#venue).catch(() => null) : null;
        for (const earlier of [known, this.#head]) {
            if (earlier) head.checkSuccession(earlier);
        }
        this.#head = head;
        return head;
    }

    /** Whether the response to a long poll is that nothing has changed, and the last head still counts. */
    #isUnchanged(page) {
        const { state } = this.contents;
        return this.#head?.revision === state.revision && this.#head.isRecent(this.#connection.policy.now())
            && page.isComplete && page.blocks.length === 0 && page.cursor === state.cursor && page.frame.to === state.revision
            && isSameAbout(page.frame.about, state.about);
    }

    /**
     * Requests a page. `base` is what the replica held before the synchronization. If the selection is the same, the delta form is
     * requested; a page in the delta form that cannot be read is requested once more in the plain form.
     */
    async #page(cursor, selection, { wait, base = null, head = null, ...options }) {
        const names = selection === "everything" ? [] : selection;
        const pathOf = (more) => {
            const query = [
                ["since", cursor], ...names.map((name) => ["level", name]), ["limit", this.#pageLimit], ["to", head?.revision], ...more];
            return `/venues/${this.#venue}/sync?${queryOf(query)}`;
        };
        const plain = async (more, waiting) => {
            const { document, lists } = await this.#connection.document(pathOf(more), { ...options, wait: waiting });
            return pageOf(document, lists);
        };
        const isSame = base !== null && base.state.cursor !== null && isSameSelection(selection, base.state.selection);
        if (!isSame) return plain([["wait", wait]], wait);
        const response = await this.#connection.changeSet(pathOf([["wait", wait], ["form", "delta"]]), { ...options, wait });
        if (!response.delta) return pageOf(response.document, response.lists);
        try {
            return pageOfDelta(response.delta, base, cursor);
        } catch (error) {
            if (error.kind !== "malformed") throw error;
            return plain([]);
        }
    }

    /** Applies a change set whose first page was received: all of it or nothing. `isWhole`: it replaces the replica. */
    async #apply(first, selection, { isWhole = this.contents.state.cursor === null, head = null, signal } = {}) {
        const { state } = this.contents;
        const rules = new PageRules(this.#venue, isWhole ? null : state.revision, isWhole ? null : state.cursor);
        const limit = head && new DownloadLimit(head, this.contents.features.size);
        const check = (page) => {
            rules.check(page);
            head?.checkPage(page);
            limit?.receive(page);
        };
        check(first);
        const { frame } = first;
        const report = new SyncReport(this.#venue, state.revision, frame.to);
        report.requests = 1;
        const isUnchanged = first.isComplete && first.blocks.length === 0 && first.cursor === state.cursor
            && isSameSelection(selection, state.selection) && frame.digest === state.digest && isSameAbout(frame.about, state.about);
        if (isUnchanged) {
            await this.#confirm(head);
            return report;
        }
        const transaction = new ReplicaTransaction(this.contents);
        if (isWhole) transaction.clearAll();
        let page = first;
        transaction.apply(page.blocks);
        while (!page.isComplete) {
            const { cursor } = page;
            // Retried, because the pages read so far would be lost otherwise. Pages after the first never change.
            page = await this.#connection.policy.attempting(
                this.#connection.policy.attempts, signal,
                () => this.#page(cursor, selection, { base: isWhole ? null : this.contents, head, signal, cache: "default" }));
            check(page);
            report.requests += 1;
            transaction.apply(page.blocks);
        }
        report.repaired = await repair(this.#connection, this.#venue, frame.to, transaction, signal, collectionLimit(head));
        report.requests += report.repaired.length;
        const { digest, about } = frame;
        await this.#commit(transaction, report, { cursor: page.cursor, digest, about, selection }, head, signal);
        return report;
    }

    /** Starts over after the history was lost, and keeps levels whose digest still matches. */
    async #startOver(selection, restart, head, signal) {
        if (restart === null) {
            const page = await this.#page(null, selection, { head, signal });
            const report = await this.#apply(page, selection, { isWhole: true, head, signal });
            report.hasStartedOver = true;
            return report;
        }
        const hrefs = new Map(restart.levels.map(({ level, href }) => [level, href]));
        if (hrefs.size !== restart.levels.length) throw contradiction("a duplicate level");
        const report = new SyncReport(this.#venue, this.contents.state.revision, restart.to);
        report.requests = 1;
        report.hasStartedOver = true;
        const transaction = new ReplicaTransaction(this.contents);
        transaction.clearAll(hrefs);
        for (const { level, digest } of restart.levels) transaction.expect(level, digest);
        const wrong = new Set(await transaction.mismatches());
        for (const { level, href } of restart.levels) {
            if (!wrong.has(level)) continue;
            await fetchLevel(this.#connection, href, level, transaction, signal, collectionLimit(head));
            report.requests += 1;
        }
        await verify(transaction);
        const { about } = this.contents.state;
        await this.#commit(transaction, report, { cursor: restart.cursor, digest: null, about, selection }, head, signal);
        return report;
    }

    async #commit(transaction, report, { cursor, digest, about, selection }, head, signal) {
        signal?.throwIfAborted();
        if (head) {
            if (report.to !== head.revision) throw untrusted(`the server sends revision ${report.to}, which is not the signed one`);
            head.checkHeld(transaction.digests, selection, ordinalsOf(transaction.features(null)));
        }
        const syncedAt = this.#connection.policy.now();
        const state = { revision: report.to, cursor, digest, about, selection, syncedAt, head: head?.document ?? null };
        const { digests, texts } = transaction;
        await this.#stored.commit([{ venue: this.#venue, state, digests, texts }]);
        Object.assign(report, transaction.commit(state));
        report.hasCommitted = true;
        for (const poll of this.#polls) poll.abort(new StateChanged());
        this.#polls.clear();
        this.#onReport(report);
    }

    /** Stores from time to time that a server has confirmed the replica, so that an app can show how old it is. */
    async #confirm(head) {
        const { state, digests, levels } = this.contents;
        if (head) {
            if (head.revision !== state.revision || head.digest !== state.digest) {
                throw untrusted(`the server sends no newer revision than ${state.revision}`);
            }
            if (!state.head) head.checkHeld(digests, state.selection, ordinalsOf(levels.get(null)?.values() ?? []));
        }
        const syncedAt = this.#connection.policy.now();
        const isVerified = head === null || Boolean(state.head);
        if (isVerified && syncedAt - (state.syncedAt ?? 0) < confirmationInterval) return;
        const confirmed = { ...state, syncedAt, head: head?.document ?? state.head ?? null };
        await this.#stored.commit([{ venue: this.#venue, state: confirmed, digests, texts: new Map() }]);
        this.contents.state = confirmed;
    }
}

/** The maximum size of a FeatureCollection of one level of a signed revision. */
function collectionLimit(head) {
    return head ? Math.min(maximumCollection, 2 * head.bytes + 2 ** 20) : maximumCollection;
}

/** `AbortSignal.any`, which browsers have since 2024. */
function anySignalOf(signals) {
    if (AbortSignal.any) return AbortSignal.any(signals);
    const controller = new AbortController();
    for (const signal of signals) {
        if (signal.aborted) controller.abort(signal.reason);
        else signal.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
    }
    return controller.signal;
}
