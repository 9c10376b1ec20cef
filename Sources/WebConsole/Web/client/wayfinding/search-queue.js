/** A binary heap of nodes by their estimates. Of equal estimates the newest node is first. */
export class SearchQueue {
    #entries = [];

    push(entry) {
        const entries = this.#entries;
        let position = entries.length;
        entries.push(entry);
        while (position > 0) {
            const parent = (position - 1) >> 1;
            if (!precedes(entry, entries[parent])) break;
            entries[position] = entries[parent];
            position = parent;
        }
        entries[position] = entry;
    }

    /** Undefined if the queue is empty. */
    pop() {
        const entries = this.#entries;
        const first = entries[0];
        const last = entries.pop();
        const count = entries.length;
        if (count === 0) return first;
        let position = 0;
        for (;;) {
            let child = 2 * position + 1;
            if (child >= count) break;
            if (child + 1 < count && precedes(entries[child + 1], entries[child])) child += 1;
            if (!precedes(entries[child], last)) break;
            entries[position] = entries[child];
            position = child;
        }
        entries[position] = last;
        return first;
    }
}

const precedes = (one, other) => (one.estimate === other.estimate ? one.node > other.node : one.estimate < other.estimate);
