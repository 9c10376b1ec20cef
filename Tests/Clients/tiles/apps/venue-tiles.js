/** The tiles of a venue, and what new revisions change in them. The documentation quotes it. */
class VenueTiles {
    #updates = []; // newest first

    constructor(venue, revision, parameters, format = "png") {
        Object.assign(this, { venue, revision, parameters, format });
    }

    /** The address of an image with 256 pixels, or with the suffix `@2x` with 512. */
    image(floor, { x, y, z }, suffix = "") {
        const address = `${this.venue}/tiles/L${floor}_${z}_${x}_${y}${suffix}.png?${new URLSearchParams(this.parameters)}`;
        return this.current(address, floor, { x, y, z });
    }

    /** The address, with a version if the tile has changed, because caches may answer with the old tile for a minute. */
    current(address, floor, tile) {
        const url = new URL(address);
        const update = this.#updates.find((update) => update.has(floor, tile));
        if (update) url.searchParams.set("version", update.version);
        return url.href;
    }

    /** The tiles that have changed since the last call. */
    async update() {
        const { parameters, format, revision: since, edition } = this;
        const query = new URLSearchParams({ ...parameters, format, since, ...(edition && { edition }) });
        const response = await fetch(`${this.venue}/tiles/changes?${query}`);
        if (!response.ok) throw new Error(`tiles/changes: ${response.status}`); // 401, 404 or 410: start again with a new token and revision
        const stale = new StaleTiles(await response.json(), format);
        Object.assign(this, { revision: stale.revision, edition: stale.edition });
        if (!stale.isEmpty) this.#updates.unshift(stale);
        return stale;
    }
}

class StaleTiles {
    constructor({ to, edition, floors }, format) {
        const floorOf = (ordinal) => (format === "mvt" ? "all" : ordinal); // vector tiles have all floors
        this.floors = new Map(); // of each floor "all", or names such as 18/232753/103432
        for (const { ordinal, tiles } of floors) {
            const known = this.floors.get(floorOf(ordinal)) ?? [];
            this.floors.set(floorOf(ordinal), known === "all" || tiles === "all" ? "all" : [...known, ...tiles]);
        }
        Object.assign(this, { revision: to, edition, version: `${to}-${edition.slice(0, 8)}`, isEmpty: floors.length === 0 });
    }

    has(floor, { x, y, z }) {
        const tiles = this.floors.get(floor) ?? [];
        return tiles === "all" || tiles.includes(`${z}/${x}/${y}`);
    }
}
