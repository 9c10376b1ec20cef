// The opening hours of several shops at once: who is chosen, the review, one edit, and undo.

import { openLiveMap } from "./support/map-page.js";
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { override, summary } from "./support/desk-records.js";
import { only, textOf } from "./support/page.js";
import { nameOfShop, openAllDay, shop } from "./support/sample-venue.js";
import { problem } from "./support/server.js";
import { changeRows, closeDialogs, dialog, dialogError, hasDialog, plain, proceed, title, undo } from "./support/step-dialog.js";
import { SyncServer } from "./support/sync-server.js";
import { type } from "./support/browser.js";
import { until } from "./support/time.js";

const path = "/venues/mall/edits";
/** A shop without hours on the ground floor is the fourth one. */
const [first, second, third, without, upper] = [shop(0, 0), shop(0, 1), shop(0, 2), shop(0, 4), shop(1, 1)];

/** A server whose key may publish, with `overrides` of shops. `refuse(body)` may return the response to an edit. */
function editServer({ overrides = [], refuse = () => null } = {}) {
    const server = new SyncServer();
    const publish = (edits) => server.publish((levels) => {
        for (const { id, properties } of [...levels.values()].flat()) {
            const edit = edits.find(({ feature, revert }) => [feature, revert].includes(id));
            if (edit) properties.hours = edit.patch?.properties.hours ?? openAllDay;
        }
    });
    Object.assign(server.routes, {
        "GET /venues/mall/overrides(\\?.*)?": ({ query }) => ({ overrides: query.has("state") ? [] : overrides, next: null }),
        "GET /venues/mall/features/[^/]+": ({ pathname }) => server.feature(pathname.split("/").at(-1)),
        [`POST ${path}`]: ({ body }) => {
            const json = JSON.parse(body);
            const refusal = refuse(json, server);
            if (refusal) return refusal;
            const base = server.head;
            if (!json.dry_run) publish(json.edits);
            return {
                venue: "mall", base, revision: json.dry_run ? null : server.head, overrides: [], ended: [], dependents: [], findings: [],
                changes: { ...summary([]), words: ["2 shops with other hours on 1F"] },
            };
        },
    });
    return server;
}

const sent = (server) => server.requests.filter(({ method }) => method === "POST").map(({ body }) => JSON.parse(body));
const published = (server) => sent(server).filter((body) => !body.dry_run);
const box = (id) => only(`.shop-list input[value="${id}"]`);
const boxes = () => [...document.querySelectorAll(".shop-list input")];
const status = () => textOf(only(".shop-tools [role=status]"));
const press = (text) => [...dialog().querySelectorAll("button")].find((each) => textOf(each) === text).click();

/** The list of shops. */
async function open(options) {
    const server = editServer(options);
    await openLiveMap();
    (await until(() => document.querySelector("[data-id=shop-hours]"))).click();
    await until(hasDialog);
    return server;
}

/** The form for the hours of shops. */
async function openForm(ids, options) {
    const server = await open(options);
    for (const id of ids) box(id).click();
    await proceed();
    return server;
}

afterEach(closeDialogs);

test("hours of several shops are published as one edit after a review, and undone", async () => {
    const former = override(1, { feature: second, pointer: "/properties/hours", value: openAllDay, source: "Mo-Su 09:00-18:00" });
    const server = await openForm([second, first, upper, without], { overrides: [former] });
    assert.equal(title(), "Opening hours: 4 places");
    assert.match(textOf(dialog()), /These places have different hours now/);
    assert.equal(only("#edit-hours").value, "");
    press("Add days");
    type(only("[aria-label='Closes at']"), "18:00");
    type(only("#edit-message"), "New hours");
    await proceed();
    assert.equal(title(), "Publish these changes to 4 places?");
    const after = "Mo-Su 10:00-18:00";
    assert.deepEqual(changeRows().map(([name, ...values]) => [plain(name), ...values]).sort(), [
        [`${nameOfShop(0, 0)} Floor 1`, openAllDay, after], [`${nameOfShop(0, 1)} Floor 1`, openAllDay, after],
        [`${nameOfShop(0, 4)} Floor 1`, "nothing", after], [`${nameOfShop(1, 1)} Floor 2`, openAllDay, after]].sort());
    assert.match(textOf(dialog()), /2 shops with other hours on 1F/);
    assert.deepEqual(published(server), [], "nothing is published before the review was confirmed");
    await proceed();
    assert.equal(hasDialog(), false);
    const [{ id, edits, ...rest }] = published(server);
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, { base: 1, message: "New hours" });
    assert.deepEqual(new Set(edits.map(({ feature }) => feature)), new Set([first, second, without, upper]));
    assert.ok(edits.every(({ patch }) => patch.properties.hours === after));
    assert.match(await undo(), /^Undone with revision 3/);
    const { edits: back, ...values } = published(server)[1];
    assert.deepEqual(values, { base: 2, message: "Undo revision 2" });
    const former2 = back.find(({ feature }) => feature === second);
    assert.deepEqual(former2, { feature: second, patch: { properties: { hours: openAllDay } } });
    assert.deepEqual(back.filter(({ revert }) => revert).map(({ revert, pointer }) => [revert, pointer]).sort(),
        [first, without, upper].map((each) => [each, "/properties/hours"]).sort());
});

test("hours that the chosen shops have in common are edited, and those that have the new ones already are left out", async () => {
    const server = await openForm([first, second]);
    assert.match(textOf(dialog()), /These places have the same hours now/);
    assert.equal(only("#edit-hours").value, openAllDay);
    await proceed();
    assert.equal(dialogError(), "You have not changed anything yet.");
    type(only("#edit-hours"), "Mo-Su 09:00-20:00");
    await proceed("Back");
    box(without).click();
    await proceed();
    assert.equal(only("#edit-hours").value, "Mo-Su 09:00-20:00", "what was entered stays");
    type(only("#edit-hours"), "off");
    await proceed();
    assert.deepEqual(changeRows().map(([, , after]) => after), Array(3).fill("closed every day"));
    assert.deepEqual(sent(server).map(({ dry_run: isDryRun }) => isDryRun), [true]);
});

test("shops are found by name and category, and stay chosen while others are searched", async () => {
    await open();
    const all = boxes().length;
    assert.ok(all > 50, "the shops of all floors");
    type(only("#edit-shops-search"), "coffee");
    const cafes = boxes().length;
    assert.ok(cafes > 1 && cafes < all / 3);
    press(`Select all ${cafes}`);
    assert.equal(status(), `${cafes} places selected`);
    type(only("#edit-shops-search"), "no such shop");
    assert.equal(boxes().length, 0);
    assert.equal(status(), `${cafes} places selected`);
    type(only("#edit-shops-search"), "");
    assert.equal(boxes().filter(({ checked }) => checked).length, cafes);
    press("Select none");
    assert.equal(status(), "0 places selected");
    await proceed();
    assert.equal(dialogError(), "Select at least one place.");
});

test("hours with a row that is wrong are not sent for several shops", async () => {
    const server = await openForm([first, second]);
    type(only("[aria-label='Closes at']"), "");
    await proceed();
    assert.equal(dialogError(), "Enter both times.");
    assert.equal(document.activeElement.getAttribute("aria-invalid"), "true");
    assert.deepEqual(sent(server), []);
});

test("hours that the server refuses are shown at the field, and a revision between is noticed", async () => {
    let refusal = null;
    const server = await openForm([first, third], { refuse: () => refusal });
    type(only("#edit-hours"), "whenever");
    refusal = problem(422, "edit-refused", {
        title: "The edit is refused", detail: "“whenever” are no opening hours.", pointer: "/edits/1/patch/properties/hours", rule: null, dependents: [] });
    await proceed();
    assert.match(textOf(only("#edit-hours-problem")), /are no opening hours/);
    assert.equal(document.activeElement.id, "edit-hours");
    refusal = null;
    type(only("#edit-hours"), "Mo-Su 10:00-18:00");
    await proceed();
    refusal = problem(409, "head-moved", { title: "A newer revision was published" });
    await proceed();
    assert.match(dialogError(), /in the meantime/);
    refusal = null;
    server.publish((levels) => {
        for (const { id, properties } of [...levels.values()].flat()) if (id === first) properties.hours = "Mo-Su 10:00-18:00";
    });
    await until(() => document.querySelector(".live-state").dataset.revision === "2");
    await proceed();
    assert.deepEqual(changeRows().map(([name]) => plain(name)), [`${nameOfShop(0, 2)} Floor 1`]);
    assert.match(textOf(dialog()), /1 selected place has these hours already/);
    await proceed();
    assert.deepEqual(published(server).at(-1).edits.map(({ feature }) => feature), [third]);
    assert.equal(published(server).at(-1).base, 2);
});

test("undo for several shops leaves all of them if somebody has changed one since", async () => {
    const server = await openForm([first, second]);
    type(only("#edit-hours"), "off");
    await proceed();
    await proceed();
    server.publish((levels) => {
        for (const { id, properties } of [...levels.values()].flat()) if (id === second) properties.hours = "24/7";
    });
    assert.match(await undo(), /^Not undone/);
    assert.equal(published(server).length, 1);
});
