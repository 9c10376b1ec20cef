import { check, control, dialog, enter, hasDialog, open, plain, toasts } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { settle, until } from "./support/time.js";
import { DeskService, headMoved } from "./support/desk-service.js";
import { change, edited, firstFloor, id, level, mallFeatures, revision, secondFloor, summary, venue } from "./support/desk-records.js";
import { problem } from "./support/server.js";
import { only, textOf } from "./support/page.js";

const preview = () => document.querySelector(".preview");
const title = () => plain(textOf(preview().querySelector("h3")));
const isBusy = () => preview().hasAttribute("aria-busy");
const bodies = (service) => service.sent.map(({ body }) => JSON.parse(body));
/** What was sent to roll back, without the previews. */
const carriedOut = (service) => bodies(service).filter(({ dry_run: dry }) => !dry);
const confirm = () => dialog().querySelector("footer .primary").click();

const renamed = (floor) => {
    const [, , shop] = mallFeatures().get(floor);
    return change(shop, edited(shop, { name: { en: "Another" } }), floor, ["name"]);
};

/** The service rolls back: a preview has the changes of the levels; otherwise it publishes a revision. */
function rollback(service, { body }) {
    const { to, levels = null, dry_run: dry, base, message } = JSON.parse(body);
    if (base !== undefined && base !== service.venue.head) return headMoved();
    if (dry) {
        const changes = [firstFloor, secondFloor].filter((floor) => levels === null || levels.includes(floor)).map(renamed);
        return { venue: "mall", from: service.venue.head, restores: to, levels, changes: summary(changes, ["1 shop renamed on 1F"]) };
    }
    const number = service.publish({ kind: "rollback", restores: to, levels, message });
    return Response.json(service.revisions.find((each) => each.number === number), { status: 201 });
}

async function openRollback(values = { head: 3 }, routes = {}) {
    const service = new DeskService({ venue: venue(values) });
    service.revisions = Array.from({ length: values.head }, (_, i) => revision(values.head - i, { author: "ana", message: "Opening" }));
    service.start({ "POST /venues/mall/rollback": (request) => rollback(service, request), ...routes });
    await open("#/mall/desk/restore?to=1", { isLoaded: () => preview()?.hasChildNodes() && !isBusy() });
    return service;
}

test("rollback shows first what it would change, and does so after a confirmation", async () => {
    const service = await openRollback();
    assert.equal(textOf(only("h2")), "Roll back to revision 1");
    assert.match(plain(textOf(only("#main"))), /Revision 1 was published by ana: “Opening”/);
    assert.equal(title(), "A rollback from revision 3 to 1 would change");
    assert.match(textOf(preview()), /0 added · 2 changed · 0 removed.*1 shop renamed on 1F/);
    assert.deepEqual([...preview().querySelectorAll(".level-table tbody th")].map(textOf), ["2F", "1F"]);
    assert.equal(service.venue.head, 3, "the preview changes nothing");
    enter("#restore-message", " Too early ");
    control("Roll back to revision 1 …").click();
    assert.match(textOf(dialog()), /Roll back to revision 1\?.*0 added · 2 changed · 0 removed/);
    assert.deepEqual(bodies(service), [{ to: 1, levels: null, dry_run: true }]);
    confirm();
    await until(() => location.hash === "#/mall/desk/history");
    assert.deepEqual(carriedOut(service), [{ to: 1, levels: null, message: "Too early", base: 3 }]);
    assert.deepEqual(toasts(), [{ kind: "done", text: "Revision 4 was published. It is equal to revision 1." }]);
    await until(() => document.getElementById("revision-4"));
    assert.match(plain(textOf(document.getElementById("revision-4"))), /Rolled back to revision 1.*Too early/);
});

test("rollback of some floors sends these", async () => {
    const service = await openRollback();
    check("#scope-some");
    assert.match(textOf(preview()), /Select the floors to roll back/);
    check(`#level-${firstFloor}`);
    await until(() => !isBusy() && preview().querySelectorAll(".level-table tbody tr").length === 1);
    control("Roll back 1F to revision 1 …").click();
    confirm();
    await until(() => location.hash === "#/mall/desk/history");
    assert.deepEqual(bodies(service)[1], { to: 1, levels: [firstFloor], dry_run: true });
    assert.deepEqual(carriedOut(service), [{ to: 1, levels: [firstFloor], base: 3 }]);
});

test("rollback offers the floors that were removed since", async () => {
    const removed = level(7, 2);
    await openRollback({ head: 3 }, { "GET /venues/mall/revisions/1/features\\?level=venue&type=level": {
        type: "FeatureCollection", features: [removed, level(1, 0)] } });
    check("#scope-some");
    assert.deepEqual([...document.querySelectorAll(".level-checkboxes label")].map(textOf), ["3Fremoved since then", "2F", "1F"]);
});

const entangled = (added) => problem(409, "levels-entangled", {
    title: "These levels cannot be rolled back by themselves", detail: "Some features belong to other levels.", add_levels: added,
    crossed: [{ id: id(110), feature_type: "unit", level_id: firstFloor, level_id_then: secondFloor }], dangling: [], displaced: [],
    counts: { crossed: 12, dangling: 0, displaced: 0 },
});

test("rollback of entangled floors says why, and offers to add the others", async () => {
    const service = await openRollback({ head: 3 }, { "POST /venues/mall/rollback": (request) => {
        const { levels } = JSON.parse(request.body);
        return levels?.length === 1 ? entangled([secondFloor]) : rollback(service, request);
    } });
    check("#scope-some");
    check(`#level-${firstFloor}`);
    await until(() => preview().querySelector(".decision.is-guarded"));
    const text = plain(textOf(preview()));
    assert.match(text, /These floors cannot be rolled back separately.*They are connected with 2F,/);
    assert.match(text, /12 features were moved to or from these floors since then.*Unit 00000000 now 1F, then 2F.*and 2 more/);
    control("Add 2F").click();
    await until(() => !isBusy() && preview().querySelector(".level-table"));
    assert.equal(document.querySelectorAll(".level-checkboxes input:checked").length, 2);
    assert.equal(title(), "A rollback of 2F and 1F from revision 3 to 1 would change");
    control("Roll back 2F and 1F to revision 1 …").click();
    await until(hasDialog);
    assert.equal(plain(textOf(dialog().querySelector("h2"))), "Roll back 2F and 1F to revision 1?");
    confirm();
    await until(() => location.hash === "#/mall/desk/history");
    assert.deepEqual(carriedOut(service)[0].levels.sort(), [firstFloor, secondFloor]);
    // The venue is not equal to revision 1.
    assert.equal(toasts().at(-1).text, "Revision 4 was published. It restores 2F and 1F as in revision 1. Everything else is unchanged.");
});

test("rollback of floors that are entangled with the venue offers the whole venue", async () => {
    const service = await openRollback({ head: 3 }, { "POST /venues/mall/rollback": (request) =>
        (JSON.parse(request.body).levels ? entangled([]) : rollback(service, request)) });
    check("#scope-some");
    check(`#level-${firstFloor}`);
    await until(() => preview().querySelector(".decision.is-guarded"));
    control("Roll back the whole venue").click();
    await until(() => !isBusy() && preview().querySelector(".level-table"));
    assert.equal(only("#scope-all").checked, true);
});

test("rollback to an equal state has nothing to do", async () => {
    await openRollback({ head: 1 }, { "POST /venues/mall/rollback": () =>
        problem(409, "nothing-to-restore", { title: "The venue is already in this state" }) });
    assert.match(textOf(preview().querySelector(".notice")), /There is nothing to roll back/);
    assert.equal(preview().querySelector("button"), null);
});

test("rollback of floors that are as they were says so of these floors", async () => {
    await openRollback({ head: 3 }, { "POST /venues/mall/rollback": (request) => {
        const { levels } = JSON.parse(request.body);
        return levels ? problem(409, "nothing-to-restore", { title: "The venue is already in this state" }) : rollback(null, request);
    } });
    check("#scope-some");
    check(`#level-${firstFloor}`);
    await until(() => preview().querySelector(".notice"));
    assert.equal(plain(textOf(preview())), "Nothing on 1F has changed since revision 1. There is nothing to roll back.");
});

test("rollback preview is updated after a publication", async () => {
    const service = await openRollback({ head: 2 });
    assert.match(title(), /from revision 2 to 1/);
    service.publish();
    await until(() => !isBusy() && /from revision 3 to 1/.test(title()));
});

test("rollback is not carried out if a revision was published meanwhile, and its preview is updated", async () => {
    const service = await openRollback({ head: 2 });
    control("Roll back to revision 1 …").click();
    service.venue = { ...service.venue, head: 3 };
    confirm();
    await until(() => toasts().length > 0 && !hasDialog());
    assert.deepEqual(toasts(), [{ kind: "problem", text: "A new revision was published in the meantime. Check the updated preview." }]);
    await until(() => !isBusy() && /from revision 3 to 1/.test(title()));
    assert.deepEqual(bodies(service).map(({ dry_run: dry, base }) => [dry, base]), [[true, undefined], [undefined, 2], [true, undefined]]);
    assert.equal(location.hash, "#/mall/desk/restore?to=1");
});

test("rollback shows the preview that was requested last", async () => {
    const held = [];
    const service = await openRollback({ head: 3 }, { "POST /venues/mall/rollback": async (request) => {
        if (JSON.parse(request.body).levels?.length === 1) await new Promise((resolve) => { held.push(resolve); });
        return rollback(service, request);
    } });
    check("#scope-some");
    check(`#level-${firstFloor}`);
    await until(() => held.length === 1);
    check(`#level-${secondFloor}`);
    await until(() => !isBusy() && preview().querySelectorAll(".level-table tbody tr").length === 2);
    held[0]();
    await settle();
    assert.equal(preview().querySelectorAll(".level-table tbody tr").length, 2);
});

for (const query of ["", "?to=0", "?to=x", "?to=1.5"]) {
    test(`rollback without a revision shows an error (${query})`, async () => {
        new DeskService().start();
        await open(`#/mall/desk/restore${query}`, { isLoaded: () => document.querySelector("#main [role=alert]") });
        assert.match(textOf(only("#main [role=alert]")), /There is no such revision/);
    });
}
