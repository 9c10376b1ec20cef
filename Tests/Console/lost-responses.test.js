import { dialog, hasDialog, open, toasts } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { pass, until } from "./support/time.js";
import { DeskService } from "./support/desk-service.js";
import { id, summary, upload, venue } from "./support/desk-records.js";
import { problem } from "./support/server.js";
import { textOf } from "./support/page.js";

const noResponseTitles = { en: "The server does not respond", ja: "サーバーが応答しません" };
/** What the page says of an action that had been carried out, when it is tried again. */
const alreadyDone = {
    decision: { en: "This upload has already been published or discarded.", ja: "このアップロードはすでに処理されました。" },
    rollback: { en: "A new revision was published in the meantime.", ja: "その間に新しいリビジョンが公開されました。" },
};

/** The actions: the address of their page, what they send, and the outcome of the upload. */
const actions = {
    publish: { address: `#/mall/desk/uploads/${id(100)}`, route: `POST /uploads/${id(100)}/publish\\?wait=30`, outcome: "published", button: 0 },
    discard: { address: `#/mall/desk/uploads/${id(100)}`, route: `DELETE /uploads/${id(100)}`, outcome: "discarded", button: 1 },
    rollback: { address: "#/mall/desk/restore?to=1", route: "POST /venues/mall/rollback", outcome: null, button: 0 },
};

/** A service that carries out actions, as a real one does. */
class Service extends DeskService {
    carryOut(name, request) {
        const [staged] = this.uploads;
        const isDecided = staged.state !== "staged";
        switch (name) {
            case "publish":
                if (isDecided) return problem(409, "wrong-state", { title: "The state of the upload does not allow this" });
                this.uploads = [{ ...staged, state: "published", revision: this.publish() }];
                return this.uploads[0];
            case "discard":
                if (isDecided) return problem(409, "wrong-state", { title: "The state of the upload does not allow this" });
                this.uploads = [{ ...staged, state: "discarded" }];
                return new Response(null, { status: 204 });
            default: {
                const { dry_run: dry, base, to } = JSON.parse(request.body);
                if (dry && this.revisions[0].kind === "rollback") return problem(409, "nothing-to-restore", { title: "The venue is already in this state" });
                if (dry) return { venue: "mall", from: this.venue.head, restores: to, levels: null, changes: summary([]) };
                if (base !== this.venue.head) return problem(409, "head-moved", { title: "A newer revision was published" });
                this.publish({ kind: "rollback", restores: to });
                return Response.json(this.revisions[0], { status: 201 });
            }
        }
    }
}

for (const [name, { address, route, outcome, button }] of Object.entries(actions)) {
    for (const isCarriedOut of [false, true]) {
        for (const language of ["en", "ja"]) {
            test(`${name} without a response can be tried again, where the ${isCarriedOut ? "response" : "request"} was lost (${language})`, async () => {
                const service = new Service({ venue: venue({ head: 2 }), uploads: [upload(100, { changes: summary([]) })] });
                let isDown = false;
                const isPreview = (request) => name === "rollback" && JSON.parse(request.body).dry_run;
                service.start({ [route]: (request) => {
                    if (!isDown || isPreview(request)) return service.carryOut(name, request);
                    if (isCarriedOut) service.carryOut(name, request);
                    return new Promise(() => {});
                } });
                await open(address, { language, isLoaded: () => document.querySelector(".decision .desk-actions") });
                document.querySelectorAll(".decision .desk-actions button")[button].click();
                const confirm = dialog().querySelector("footer button:last-child");
                // On a network that answers nothing.
                isDown = true;
                const { fetch } = globalThis;
                globalThis.fetch = (path, options) => (options?.method && options.method !== "GET" ? fetch(path, options) : new Promise((_, reject) => {
                    options?.signal?.addEventListener("abort", () => reject(options.signal.reason));
                }));
                confirm.click();
                // A server that waits for the publication gets its time. Until then the action cannot be started again.
                await pass(30_000);
                const error = () => textOf(dialog().querySelector(".error-message"));
                assert.equal(confirm.disabled, true);
                assert.equal(error(), "");
                await pass(31_000);
                assert.ok(error().includes(noResponseTitles[language]), error());
                assert.equal(confirm.disabled, false);
                assert.equal(document.querySelector(".outcome"), null);
                assert.deepEqual(toasts().filter(({ kind }) => kind === "done"), [], "nothing claims success");

                isDown = false;
                globalThis.fetch = fetch;
                confirm.click();
                await until(() => !hasDialog() && toasts().length > 0);
                const [shown] = toasts();
                if (isCarriedOut) {
                    assert.equal(shown.kind, "problem");
                    assert.ok(shown.text.includes(alreadyDone[name === "rollback" ? "rollback" : "decision"][language]), shown.text);
                } else assert.equal(shown.kind, "done");
                assert.equal(toasts().length, 1);
                if (outcome) await until(() => document.querySelector(`.outcome.is-${outcome}`));
                else if (isCarriedOut) {
                    await until(() => document.querySelector(".preview .notice"));
                    assert.equal(document.querySelector(".preview button"), null);
                } else await until(() => location.hash === "#/mall/desk/history");
                assert.equal(service.venue.head, name === "discard" ? 2 : 3, "it was done once");
            });
        }
    }
}
