// Routes from what a replica holds, without a request.

import { levelsNotHeld, notHeldReasons } from "./held-levels.js";
import { withOpeningTimes } from "./passage-hours.js";
import { PreparedRoutes } from "./prepared-routes.js";
import { reachabilityReport } from "./reachability-report.js";
import { sortedMembers } from "./report-members.js";
import { travelTimesOf } from "./travel-times.js";
import { nextTask } from "./work-pauses.js";
import { WayfindingMap, withUnknown } from "./wayfinding-map.js";

export class ReplicaRoutes {
    #reader;
    #prepared = new PreparedRoutes();

    /** `reader` is a `VenueReplica`, or another reader of a venue. */
    constructor(reader) {
        this.#reader = reader;
    }

    /** See `VenueReplica.route`. */
    async route({ from, to, profile = "walk", at = new Date(), closed = [], languages = [] }) {
        const { venue, revision, language, timeZone, missing, map, passageHours } = await this.#current();
        const shut = idsOf(closed);
        const hours = passageHours.closures(timeZone, at);
        const answer = map.route({
            from, to, profile, closed: closedMap(shut, hours), languages: languages.length > 0 ? languages : [language ?? "en"],
        });
        // Nobody knows when that ends which is shut besides.
        for (const id of shut) hours.closed.delete(id);
        const reasons = withOpeningTimes(answer.reasons, hours.closed, timeZone, at);
        return sortedMembers({ ...withUnknown({ ...answer, reasons }, notHeldReasons(missing)), as_of: at.toISOString(), hours: hours.state, profile, revision, venue });
    }

    /** See `VenueReplica.nearest`. */
    async nearest({ from, features, profile = "walk", at = new Date(), closed = [], limit = 1 }) {
        const { timeZone, map, passageHours } = await this.#current();
        return map.nearest({ from, features, profile, closed: closedMap(idsOf(closed), passageHours.closures(timeZone, at)), limit });
    }

    /** See `VenueReplica.reachability`. */
    async reachability({ egress = false, signal } = {}) {
        const { venue, revision, map, missing } = await unlessAborted(this.#current(), signal);
        const report = await reachabilityReport(map, { egress: egress && missing.length === 0, signal });
        return sortedMembers({ ...ofHeldLevels(report, missing), revision, venue });
    }

    /** Frees the memory. The next question prepares everything again. */
    discard() {
        this.#prepared.discard();
    }

    /** What is held now. It is prepared floor by floor, with a pause after each, and only floors that differ are. */
    async #current() {
        const { venue, state } = this.#reader;
        const levels = this.#reader.levels();
        const { language = null, timeZone = null, wayfinding = null } = state.about ?? {};
        const key = JSON.stringify([language, ...levels.map(({ level, digest }) => [level, digest])]);
        const { map, passageHours } = await this.#prepared.content(
            key, (former) => WayfindingMap.build(this.#reader.features(), { language, former, pause: nextTask }));
        map.travelTimes = travelTimesOf(wayfinding);
        return { venue, revision: state.revision, language, timeZone, missing: levelsNotHeld(levels), map, passageHours };
    }
}

const idsOf = (closed) => new Set([...closed].map((id) => id.toLowerCase()));

const closedMap = (shut, { closed }) => new Map([...shut, ...closed.keys()].map((id) => [id, null]));

/** What is not held may join what seems to be cut off, and no feature is known to be at fault. */
function ofHeldLevels(report, missing) {
    if (missing.length === 0) return report;
    return {
        ...withUnknownShares(report), cut_off: report.cut_off.map((each) => ({ ...each, status: "unknown" })),
        levels: report.levels.map(withUnknownShares), mend: [], reasons: [...report.reasons, ...notHeldReasons(missing)], status: "unknown",
    };
}

function withUnknownShares(counted) {
    const unknown = (shares) => Object.fromEntries(Object.entries(shares).map(([profile, share]) => [profile, { ...share, reached: null }]));
    return { ...counted, occupants: unknown(counted.occupants), units: unknown(counted.units) };
}

/** The result of work that goes on for others if the signal is aborted. */
function unlessAborted(work, signal) {
    if (signal === undefined) return work;
    return new Promise((resolve, reject) => {
        const abort = () => reject(signal.reason);
        if (signal.aborted) abort();
        signal.addEventListener("abort", abort, { once: true });
        work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    });
}
