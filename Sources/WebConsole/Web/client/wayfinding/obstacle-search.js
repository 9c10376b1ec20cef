// For every piece of a unit the way from the exits with the fewest obstacles. One search over portals and shafts finds all of them.

import { obstacle } from "./passage-rules.js";

export class ObstacleSearch {
    /** The number of obstacles on the way to each piece; -1 if there is no way. */
    counts;
    #map;
    #blocking;
    /** The last obstacle on the way to each node, an index in `#links`, or -1. */
    #lastLinks;
    /** `{ obstacles, feature, previous }`: an obstacle, and the index of the one before it on the way. */
    #links = [];
    /** The number of obstacles on the best known way to each node. Only better ones are kept, because there may be millions. */
    #fewest;
    /** A stop of each directed shaft from which all later stops have been reached, `{ stop, count }`: the obstacles on the ways to them. */
    #boarded = new Map();
    /** What is to be visited, `{ node, link }`, by the number of obstacles on the way. */
    #buckets = [[]];

    constructor(map, blocking) {
        this.#map = map;
        this.#blocking = blocking;
        // An undirected shaft is a node of its own, so that its stops are not joined in pairs.
        const nodes = map.mesh.pieceCount + map.shafts.shafts.length;
        this.counts = new Int32Array(nodes).fill(-1);
        this.#lastLinks = new Int32Array(nodes).fill(-1);
        this.#fewest = new Float64Array(nodes).fill(Infinity);
    }

    /** Searches from `starts`, `{ triangle, portal }`: the portal is the one by which the triangle is entered, or null. As of `finish`. */
    *run(starts) {
        const { rules } = this.#map;
        for (const { triangle, portal } of starts) {
            const way = { count: 0, link: -1 };
            const entered = portal === null ? way : this.#past(rules.portals[portal] & ~obstacle.emergencyExit, this.#featureOfPortal(portal), way);
            this.#enter(triangle, null, entered);
        }
        for (let count = 0; count < this.#buckets.length; count += 1) {
            for (let entry = this.#buckets[count].pop(); entry !== undefined; entry = this.#buckets[count].pop()) {
                if (this.counts[entry.node] >= 0) continue;
                this.counts[entry.node] = count;
                this.#lastLinks[entry.node] = entry.link;
                this.#leave(entry.node, { count, link: entry.link });
                yield;
            }
        }
    }

    /** The obstacles on the way to a piece, `{ obstacles, feature }`, from the exit on: at most so many, the last ones. */
    obstacles(piece, limit) {
        const found = [];
        for (let link = this.#lastLinks[piece]; link >= 0 && found.length < limit; link = this.#links[link].previous) found.push(this.#links[link]);
        return found.reverse();
    }

    /** Whether the only obstacle on the way to a piece is that its unit is not a passage. */
    isReachedAsDestination(piece, space) {
        const link = this.#links[this.#lastLinks[piece]];
        return this.counts[piece] === 1 && link.obstacles === obstacle.restricted && link.feature === this.#map.plan.spaces[space].id;
    }

    // MARK: - Steps

    /** A way that goes on past obstacles of a feature. */
    #past(obstacles, feature, way) {
        const counted = obstacles & this.#blocking;
        if (counted === 0 || feature === null) return way;
        this.#links.push({ obstacles: counted, feature, previous: way.link });
        return { count: way.count + 1, link: this.#links.length - 1 };
    }

    #visit(node, { count, link }) {
        if (count >= this.#fewest[node]) return;
        this.#fewest[node] = count;
        while (this.#buckets.length <= count) this.#buckets.push([]);
        this.#buckets[count].push({ node, link });
    }

    #enter(triangle, origin, way) {
        const { mesh, plan, rules, reachability } = this.#map;
        const piece = mesh.pieceOfTriangle[triangle];
        if (way.count >= this.#fewest[piece]) return;
        const space = mesh.spaceOfTriangle[triangle];
        const isSame = origin !== null && reachability.spaceOfPiece[origin] === space;
        const obstacles = isSame ? 0 : rules.spaces[space] & this.#blocking;
        if (obstacles !== 0 && way.count + 1 >= this.#fewest[piece]) return;
        this.#visit(piece, this.#past(obstacles, plan.spaces[space].id, way));
    }

    #leave(node, way) {
        const { mesh, shafts, rules, reachability } = this.#map;
        if (node >= mesh.pieceCount) {
            const { first, end } = shafts.shafts[node - mesh.pieceCount];
            for (let stop = first; stop < end; stop += 1) this.#leaveAt(stop, way);
            return;
        }
        for (const portal of reachability.portalsOfPiece[node]) {
            const { edges } = mesh.portals[portal];
            for (const [side, edge] of edges.entries()) {
                if (mesh.pieceOfTriangle[Math.floor(edge / 3)] !== node) continue;
                const obstacles = rules.portals[portal] | rules.obstacleOfDirection(portal, side === 0);
                this.#enter(Math.floor(edges[1 - side] / 3), node, this.#past(obstacles, this.#featureOfPortal(portal), way));
            }
        }
        for (const index of reachability.stopsOfPiece[node]) this.#board(index, way);
    }

    #board(index, way) {
        const { mesh, plan, shafts, rules } = this.#map;
        const stop = shafts.stops[index];
        const { relationship, isDirected, end } = shafts.shafts[stop.shaft];
        const feature = relationship ?? (stop.space === null ? null : plan.spaces[stop.space].id);
        const inside = this.#past(rules.shafts[stop.shaft], feature, this.#pastStop(stop, way));
        if (!isDirected) {
            this.#visit(mesh.pieceCount + stop.shaft, inside);
            return;
        }
        const known = this.#boarded.get(stop.shaft);
        const last = known !== undefined && known.count <= inside.count ? known.stop : end - 1;
        if (index >= last) return;
        this.#boarded.set(stop.shaft, { stop: index, count: inside.count });
        for (let other = index + 1; other <= last; other += 1) this.#leaveAt(other, inside);
    }

    #leaveAt(index, way) {
        const stop = this.#map.shafts.stops[index];
        const outside = this.#pastStop(stop, way);
        for (const triangle of stop.triangles) this.#enter(triangle, null, outside);
    }

    #pastStop({ portal, behind }, way) {
        const { plan, rules } = this.#map;
        const beside = portal === null ? way : this.#past(rules.portals[portal], this.#featureOfPortal(portal), way);
        if (behind.length === 0 || behind.some((space) => (rules.spaces[space] & this.#blocking) === 0)) return beside;
        return this.#past(rules.spaces[behind[0]], plan.spaces[behind[0]].id, beside);
    }

    #featureOfPortal(portal) {
        const { doorway } = this.#map.mesh.portals[portal];
        return doorway === null ? null : this.#map.plan.doorways[doorway].id;
    }
}
