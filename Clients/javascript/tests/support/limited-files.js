// The functions of `node:fs/promises` that the file store uses, with a full disk or a crash.

import * as promises from "node:fs/promises";

/** Writes at most `remaining` bytes. */
export class LimitedFiles {
    remaining = Infinity;

    constructor() {
        Object.assign(this, promises, { open: (path, flags) => this.#open(path, flags) });
    }

    async #open(path, flags) {
        const file = await promises.open(path, flags);
        const writeFile = async (contents) => {
            const bytes = Buffer.from(contents);
            const written = bytes.subarray(0, this.remaining);
            this.remaining -= written.length;
            await file.writeFile(written);
            if (written.length < bytes.length) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
        };
        return { writeFile, sync: () => file.sync(), close: () => file.close() };
    }
}

/** Performs `remaining` operations and then none: the process has crashed. A write that is interrupted writes a part. */
export class CrashingFiles {
    operations = 0;

    constructor(remaining) {
        this.remaining = remaining;
        for (const name of ["mkdir", "readdir", "readFile", "rename", "link", "rm", "stat"]) {
            this[name] = (...values) => this.#perform(() => promises[name](...values));
        }
    }

    async open(path, flags) {
        const file = await this.#perform(() => promises.open(path, flags));
        return {
            writeFile: (contents) => this.#perform(
                () => file.writeFile(contents), () => file.writeFile(Buffer.from(contents).subarray(0, contents.length / 2))),
            sync: () => this.#perform(() => file.sync()),
            close: () => file.close(),
        };
    }

    async #perform(operation, interrupted = async () => {}) {
        this.operations += 1;
        if (this.remaining <= 0) {
            if (this.remaining === 0) await interrupted();
            this.remaining = -1;
            throw new Error("crashed");
        }
        this.remaining -= 1;
        return operation();
    }
}
