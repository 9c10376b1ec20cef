// The transfers of archives to the server. They continue while the user opens other pages of the console, and the browser asks for
// confirmation before the window is closed during a transfer.

import { send } from "./send.js";

class Transfers extends EventTarget {
    /** `{venue, name, total, done, file, options, error, upload}`, oldest first. */
    list = [];

    constructor() {
        super();
        window.addEventListener("beforeunload", (event) => {
            if (this.list.some((transfer) => !transfer.error)) event.preventDefault();
        });
    }

    /** Starts a transfer. Dispatches `sent` with the completed transfer, and `change` for everything else. */
    async add(venue, file, options) {
        const transfer = { venue, file, options, name: file.name, done: 0, total: file.size, abort: new AbortController() };
        this.list.push(transfer);
        await this.#send(transfer);
    }

    async retry(transfer) {
        Object.assign(transfer, { error: undefined, done: 0, abort: new AbortController() });
        await this.#send(transfer);
    }

    cancel(transfer) {
        transfer.abort.abort();
        this.#remove(transfer);
    }

    async #send(transfer) {
        this.#dispatch("change", transfer);
        const onProgress = (done, total) => {
            Object.assign(transfer, { done, total });
            this.#dispatch("change", transfer);
        };
        try {
            const { venue, file, options, abort } = transfer;
            transfer.upload = await send(venue, file, options, { onProgress, signal: abort.signal });
            this.#remove(transfer);
            this.#dispatch("sent", transfer);
        } catch (error) {
            if (error.name === "AbortError") return;
            transfer.error = error;
            this.#dispatch("change", transfer);
        }
    }

    #remove(transfer) {
        this.list = this.list.filter((other) => other !== transfer);
        this.#dispatch("change", transfer);
    }

    #dispatch(name, detail) {
        this.dispatchEvent(new CustomEvent(name, { detail }));
    }
}

export const transfers = new Transfers();
