// What can be reached from the exits of a venue, what is cut off, and which features to mend: the report of `GET /venues/{venue}/reachability`.

import { egressReport } from "./egress-report.js";
import { entranceOf, exitPortalsOf } from "./exits.js";
import { finish } from "./work-pauses.js";
import { largestPart } from "./connected-components.js";
import { ProfileReach } from "./profile-reach.js";
import { reportedName, sortedMembers } from "./report-members.js";
import { tooFar } from "./route-ends.js";
import { idOf } from "./space-plan.js";
import { unjoinedDoorways } from "./unjoined-doorways.js";

const profiles = ["walk", "step-free"];
const cutOffLimit = 2_000;
const mendLimit = 500;
const occupantLimit = 100;

/**
 * The report for a map, with the nearest exits of every unit if `egress` is true. Its members are in the order of canonical JSON. `pause` is
 * awaited whenever it has taken a while. Rejects once the signal is aborted.
 */
export function reachabilityReport(map, { egress = false, pause, signal } = {}) {
    return finish(reportWork(map, egress), { pause, signal });
}

function* reportWork(map, withEgress) {
    const builder = new ReportBuilder(map);
    yield* builder.run();
    return withEgress ? sortedMembers({ ...builder.report, egress: yield* egressReport(map) }) : builder.report;
}

class ReportBuilder {
    #map;
    /** The portals of the exits. */
    #exits;
    /** The piece in which each space is entered; undefined for one without triangles. */
    #pieces = [];
    /** The ids of the occupants of each space. */
    #occupants;
    /** Those of which the map does not say in which unit they are. */
    #unplaced = [];
    /** A `ProfileReach` for each profile. */
    #reach = {};
    #levels;
    #shares = newShares();
    #cutOff = [];
    /** By feature and code. */
    #mends = new Map();
    #hasMore = false;

    constructor(map) {
        this.#map = map;
        this.#exits = exitPortalsOf(map);
        this.#occupants = map.plan.spaces.map(() => []);
        this.#levels = map.plan.levels.map(({ id, ordinal }) => ({ id, ordinal, shares: newShares() }));
    }

    *run() {
        const { plan } = this.#map;
        for (const index of plan.spaces.keys()) {
            this.#pieces.push(this.#map.mesh.pieceOfTriangle[entranceOf(this.#map, index)]);
            yield;
        }
        this.#findOccupants();
        const unjoined = yield* unjoinedDoorways(this.#map, this.#exits);
        this.#hasMore = unjoined.hasMore;
        const starts = this.#exits.length > 0
            ? this.#exits.map((portal) => ({ triangle: Math.floor(this.#map.mesh.portals[portal].edges[0] / 3), portal }))
            : yield* largestPart(this.#map, this.#pieces);
        for (const profile of profiles) {
            this.#reach[profile] = new ProfileReach(this.#map, this.#pieces, unjoined.found);
            yield* this.#reach[profile].run(profile, starts);
        }
        for (const profile of profiles) yield* this.#count(profile);
        for (const profile of profiles) yield* this.#list(profile);
        for (const id of this.#unplaced) {
            const reasons = [{ code: "outside-units", feature: id }];
            this.#add({ id, level: null, profile: "walk", status: "unknown", occupants: [id], reasons }, 0, 1);
        }
    }

    // MARK: - What there is

    #findOccupants() {
        const { features, indexOfSpace } = this.#map;
        for (const { id, type, properties } of features.values()) {
            if (type !== "occupant") continue;
            const anchor = features.get(idOf(properties.anchor_id));
            const space = indexOfSpace.get(idOf(anchor?.properties.unit_id));
            (space === undefined ? this.#unplaced : this.#occupants[space]).push(id);
        }
        for (const list of [this.#unplaced, ...this.#occupants]) list.sort();
    }

    // MARK: - What is reached

    *#count(profile) {
        const { plan } = this.#map;
        for (const [index, space] of plan.spaces.entries()) {
            const [units, occupants] = [isCounted(space, profile) ? 1 : 0, this.#occupants[index].length];
            const isReached = this.#reach[profile].isReached(index);
            for (const shares of [this.#shares, this.#levels[space.level].shares]) {
                addTo(shares.units[profile], units, isReached);
                addTo(shares.occupants[profile], occupants, isReached);
            }
            if (index % 64 === 63) yield;
        }
        addTo(this.#shares.units[profile], plan.unusable.filter(({ isRestricted }) => !isRestricted).length, false);
        addTo(this.#shares.occupants[profile], this.#unplaced.length, false);
    }

    // MARK: - What is cut off

    *#list(profile) {
        const { plan } = this.#map;
        const isCutOff = (index) => (isCounted(plan.spaces[index], profile) || this.#occupants[index].length > 0)
            && !this.#reach[profile].isReached(index) && (profile === "walk" || this.#reach.walk.isReached(index));
        const places = new Map(this.#sortedLevels().map((level, place) => [level, place]));
        const placeOf = ({ level }) => places.get(this.#levels[level]);
        const order = (one, other) => placeOf(plan.spaces[one]) - placeOf(plan.spaces[other]) || compare(plan.spaces[one].id, plan.spaces[other].id);
        for (const index of [...plan.spaces.keys()].filter(isCutOff).sort(order)) {
            const { id, level } = plan.spaces[index];
            const occupants = this.#occupants[index];
            const cutOff = { id, level: plan.levels[level].id, profile, occupants: occupants.slice(0, occupantLimit) };
            this.#add({ ...cutOff, ...this.#reach[profile].reasons(index) }, isCounted(plan.spaces[index], profile) ? 1 : 0, occupants.length);
            if (occupants.length > occupantLimit) this.#hasMore = true;
            yield;
        }
        if (profile !== "walk") return;
        for (const { id, level } of plan.unusable.filter(({ isRestricted }) => !isRestricted)) {
            this.#add({ id, level: plan.levels[level].id, profile, status: "unknown", occupants: [], reasons: [{ code: "unusable", feature: id }] }, 1, 0);
        }
    }

    #add({ id, level, profile, status, occupants, reasons }, unitCount, occupantCount) {
        const { features } = this.#map;
        for (const { code, feature } of reasons) {
            const key = `${feature} ${code}`;
            if (!this.#mends.has(key)) {
                const { type, properties } = features.get(feature);
                this.#mends.set(key, { code, feature, feature_type: type, level_id: idOf(properties.level_id), name: null, occupants: 0, units: 0 });
            }
            const mend = this.#mends.get(key);
            mend.units += unitCount;
            mend.occupants += occupantCount;
        }
        if (this.#cutOff.length === cutOffLimit) {
            this.#hasMore = true;
            return;
        }
        this.#cutOff.push({
            feature: id, feature_type: features.get(id).type, level_id: level, name: reportedName(this.#map, id), occupants, profile, reasons, status,
        });
    }

    // MARK: - The report

    #sortedLevels() {
        return [...this.#levels].sort((one, other) => one.ordinal - other.ordinal || compare(one.id, other.id));
    }

    get report() {
        const { plan, mesh, language, isTooComplex } = this.#map;
        const isKnown = this.#exits.length > 0 && !isTooComplex;
        const sum = ({ units, occupants }) => units + occupants;
        const mends = [...this.#mends.values()]
            .sort((one, other) => sum(other) - sum(one) || compare(one.feature, other.feature) || compare(one.code, other.code));
        const exits = this.#exits.map((index) => plan.doorways[mesh.portals[index].doorway])
            .map(({ id, category, level }) => ({ category, feature: id, level_id: plan.levels[level].id }));
        const levels = this.#sortedLevels().map(({ id, ordinal, shares }) => ({
            level_id: id, name: reportedName(this.#map, id), occupants: sharesOf(shares.occupants, isKnown), ordinal,
            units: sharesOf(shares.units, isKnown),
        }));
        // What is too complex may join what seems to be cut off, and no feature is known to be at fault.
        return {
            cut_off: isTooComplex ? this.#cutOff.map((each) => ({ ...each, status: "unknown" })) : this.#cutOff,
            exits: exits.sort((one, other) => compare(one.feature, other.feature)),
            language,
            levels,
            mend: mends.slice(0, isTooComplex ? 0 : mendLimit).map((mend) => ({ ...mend, name: reportedName(this.#map, mend.feature) })),
            more: this.#hasMore || mends.length > mendLimit || isTooComplex,
            occupants: sharesOf(this.#shares.occupants, isKnown),
            reasons: isKnown ? [] : [isTooComplex ? tooFar() : { code: "no-exit-stated" }],
            status: isKnown ? "known" : "unknown",
            units: sharesOf(this.#shares.units, isKnown),
        };
    }
}

const compare = (one, other) => (one === other ? 0 : one < other ? -1 : 1);

// MARK: - Shares

const newShare = () => ({ total: 0, reached: 0 });
const newShares = () => ({ units: { walk: newShare(), "step-free": newShare() }, occupants: { walk: newShare(), "step-free": newShare() } });

function addTo(share, count, isReached) {
    share.total += count;
    if (isReached) share.reached += count;
}

/** Shares as the report has them; without exits nobody knows what is reached. */
const sharesOf = (shares, isKnown) => Object.fromEntries(["step-free", "walk"].map((profile) => {
    const { total, reached } = shares[profile];
    return [profile, { reached: isKnown ? reached : null, total }];
}));

/** Public units count. Stairs and escalators are not counted as step-free units. */
const isCounted = ({ isRestricted, kind }, profile) => !isRestricted && (profile === "walk" || (kind !== "stairs" && kind !== "escalator"));
