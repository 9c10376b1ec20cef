// The transfer of archives without a network: what `XMLHttpRequest` sends is decided by a test. Import it before the modules of the console.

/** The requests that were sent, oldest first. */
export const transfers = [];

class Transfer extends EventTarget {
    upload = new EventTarget();
    headers = new Headers();
    isAborted = false;

    open(method, path) {
        Object.assign(this, { method, path });
    }

    setRequestHeader(name, value) {
        this.headers.set(name, value);
    }

    send(body) {
        this.body = body;
        transfers.push(this);
    }

    abort() {
        this.isAborted = true;
        this.#end("abort");
    }

    /** Bytes have left. */
    progress(loaded, total) {
        this.upload.dispatchEvent(Object.assign(new Event("progress"), { loaded, total }));
    }

    /** The server responds. */
    respond(status, document) {
        Object.assign(this, { status, responseText: JSON.stringify(document) });
        this.upload.dispatchEvent(new Event("load"));
        this.#end("load");
    }

    /** There is no response. */
    fail() {
        this.#end("error");
    }

    #end(name) {
        this.dispatchEvent(new Event(name));
        this.dispatchEvent(new Event("loadend"));
    }
}

globalThis.XMLHttpRequest = Transfer;

/** A file that begins as a zip archive does. */
export const archive = (name = "mall.zip", size = 100) => new File([new Uint8Array([0x50, 0x4b, 3, 4]), new Uint8Array(Math.max(0, size - 4))], name);

/** Chooses files in the form, as the dialog of a browser does. */
export function chooseFiles(...files) {
    const input = document.getElementById("archive");
    Object.defineProperty(input, "files", { configurable: true, value: files });
    input.dispatchEvent(new Event("change"));
}
