// Archives that are on their way to the server. They go on while the reader looks at other pages of the console, and the browser
// asks before the window is closed over one.

import { send } from "./send.js";

class Outbox extends EventTarget {
    /** `{venue, name, total, done, file, options, error, upload}`, the oldest first. */
    sendings = [];

    constructor() {
        super();
        window.addEventListener("beforeunload", (event) => {
            if (this.sendings.some((sending) => !sending.error)) event.preventDefault();
        });
    }

    /** Begins to send. The event `sent` has the sending with its upload; `change` tells of everything else. */
    async add(venue, file, options) {
        const sending = { venue, file, options, name: file.name, done: 0, total: file.size, abort: new AbortController() };
        this.sendings.push(sending);
        await this.#send(sending);
    }

    async again(sending) {
        Object.assign(sending, { error: undefined, done: 0, abort: new AbortController() });
        await this.#send(sending);
    }

    drop(sending) {
        sending.abort.abort();
        this.#remove(sending);
    }

    async #send(sending) {
        this.#tell("change", sending);
        const onProgress = (done, total) => {
            Object.assign(sending, { done, total });
            this.#tell("change", sending);
        };
        try {
            const { venue, file, options, abort } = sending;
            sending.upload = await send(venue, file, options, { onProgress, signal: abort.signal });
            this.#remove(sending);
            this.#tell("sent", sending);
        } catch (error) {
            if (error.name === "AbortError") return;
            sending.error = error;
            this.#tell("change", sending);
        }
    }

    #remove(sending) {
        this.sendings = this.sendings.filter((other) => other !== sending);
        this.#tell("change", sending);
    }

    #tell(name, detail) {
        this.dispatchEvent(new CustomEvent(name, { detail }));
    }
}

export const outbox = new Outbox();
