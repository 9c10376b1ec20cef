// The findings of an upload on its page: marks on the map of the floor, the steps from one to the next, and what is said without a map.

import { open } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { settle, until } from "./support/time.js";
import { DeskService, noResponse, wrongState } from "./support/desk-service.js";
import { change, edited, finding, firstFloor, id, mallFeatures, position, secondFloor, summary, upload, venue } from "./support/desk-records.js";
import { only, textOf } from "./support/page.js";

const address = `#/mall/desk/uploads/${id(500)}`;
const [, , , , , bookBay] = mallFeatures().get(firstFloor);
const [, , cloudShoes] = mallFeatures().get(secondFloor);
const changes = [change(bookBay, edited(bookBay, { name: { en: "Boat Bay" } }), firstFloor, ["name"])];

const wrongCategory = "“classroom” is not a category of occupants.";

/** Findings of three rules, the most severe first; the second one of TO-13 is on the other floor. */
const sample = () => [
    finding("SE-18", "warning", "The name is equal to the category."),
    finding("TO-13", "info", "Unit overlaps unit 1.", { feature_id: id(100), at: position(4, 4) }),
    finding("TO-13", "info", "Unit overlaps unit 2.", { feature_id: id(200), at: position(4, 4) }),
    finding("TO-13", "info", "Unit overlaps unit 3.", { feature_id: id(101), at: position(24, 4) }),
    finding("SE-25", "info", "There is no name.", { feature_id: id(210), at: position(24, 24) }),
];
const counts = (findings) => ["error", "warning", "info"].map((severity) => [severity, findings.filter((each) => each.severity === severity).length]);

/** A page of a report. */
const reportOf = (findings, members) => ({ findings, counts: {}, truncated: false, complete: true, skipped: [], rule_set: "2026.3", next: null, ...members });

/** The page of an upload with findings, opened at `query`. */
async function openUpload({ findings = sample(), query = "", routes = {}, service = new DeskService(), language = "en", ...values } = {}) {
    service.uploads = [upload(500, {
        changes: summary(changes), findings: { complete: true, ...Object.fromEntries(counts(findings)) }, ...values })];
    service.changes.set(id(500), changes);
    service.findings.set(id(500), findings);
    service.start(routes);
    await open(address + query, { language, isLoaded: () => document.querySelector("#findings .rules, #findings .state.error") });
    return service;
}

const view = () => only(".finding-view");
const message = () => textOf(only(".finding-message", view()));
const note = () => textOf(view().querySelector(".help"));
const marks = () => [...view().querySelectorAll(".diff-mark")];
const current = () => marks().filter((mark) => mark.classList.contains("is-current"));
const countText = () => textOf(only(".count", view()));
const step = (name) => only(`[data-step=${name}]`, view());
const rule = (name) => [...document.querySelectorAll(".rule")].find((each) => textOf(each).includes(name));
const isShown = (text) => until(() => document.querySelector(".finding-view:not([hidden]) .finding-message")?.textContent.includes(text), text);
const isDrawn = () => until(() => document.querySelector(".finding-view .diff-pin path"), "the pin");
const urlFinding = () => decodeURIComponent(location.hash.split("finding=")[1] ?? "");
/** jsdom opens the element, but has no event for it. */
async function openRule(name) {
    rule(name).open = true;
    rule(name).dispatchEvent(new Event("toggle"));
    return until(() => rule(name).querySelector(".finding-link"));
}

for (const [language, text] of [["en", "have findings. Click a mark"], ["ja", "か所に指摘があります"]]) {
    test(`findings of the floor are marked, and a click on a mark opens it (${language})`, async () => {
        await openUpload({ language });
        (await openRule("TO-13")).click();
        await isDrawn();
        assert.equal(current().length, 1);
        assert.ok(note().includes(text), note());
        // That on the other floor is not marked.
        assert.equal(marks().length, 3);
        const other = marks().find((mark) => mark.classList.contains("is-warning"));
        other.dispatchEvent(new MouseEvent("click"));
        await until(() => urlFinding() === "SE-18:0");
        await isDrawn();
        assert.ok(message().includes(only("title", current()[0]).textContent));
        // After a reload.
        await openUpload({ language, query: "?finding=SE-18:0" });
        await isDrawn();
        assert.equal(urlFinding(), "SE-18:0");
    });
}

test("findings at one position have one mark, which opens them in turns", async () => {
    const findings = ["First.", "Second.", "Third."].map((text) => finding("TO-13", "info", text));
    await openUpload({ findings, query: "?finding=TO-13:0" });
    await isDrawn();
    assert.deepEqual(marks().map((mark) => [textOf(only("text", mark)), only("title", mark).textContent]), [["3", "First.\nSecond.\nThird."]]);
    for (const text of ["Second.", "Third.", "First."]) {
        marks()[0].dispatchEvent(new MouseEvent("click"));
        await isShown(text);
        await isDrawn();
    }
});

for (const [language, heading] of [["en", "What it would have changed"], ["ja", "却下された変更の内容"]]) {
    for (const isFirst of [false, true]) {
        test(`findings of a rejected ${isFirst ? "first " : ""}archive are marked on what was uploaded (${language})`, async () => {
            const findings = [0, 1].map((i) => finding(
                "PV-08", "error", `“by letter ${i} only” is not a number of the form +81312345678.`, { feature_id: id(100 + i), at: position(20 * i + 4, 4) }));
            const service = new DeskService({ venue: isFirst ? null : venue() });
            const shops = isFirst ? mallFeatures().get(firstFloor).map((each) => change(null, each, firstFloor)) : changes;
            service.changes.set(id(500), shops);
            await openUpload({ service, findings, language, state: "rejected", base: isFirst ? 0 : 2, changes: summary(shops) });
            service.changes.set(id(500), shops);
            const headings = [...document.querySelectorAll(".upload-page section h2")].map(textOf);
            // The errors come first.
            assert.equal(headings.length, 3);
            assert.equal(headings.at(-1), heading);
            assert.equal(document.querySelector(".decision"), null);
            (await openRule("PV-08")).click();
            await isDrawn();
            assert.equal(view().querySelectorAll(".diff-mark.is-error.is-current").length, 1);
            assert.doesNotMatch(note(), /not stored|保存されていない/);
            const first = message();
            step("next").click();
            await until(() => message() !== first);
            await isDrawn();
            assert.equal(view().querySelectorAll(".diff-mark.is-error.is-current").length, 1);
        });
    }
}

test("page of a rejected upload is drawn again when its changes are not stored any more", async () => {
    const findings = [finding("PV-08", "error", "Wrong.")];
    const both = [...changes, change(cloudShoes, edited(cloudShoes, { phone: "x" }), secondFloor, ["contact"])];
    let isStored = true;
    const service = new DeskService();
    await openUpload({ service, findings, state: "rejected", changes: summary(both), routes: {
        [`GET /uploads/${id(500)}/changes\\?.*`]: (request) => {
            if (!isStored) return wrongState();
            const level = new URLSearchParams(request.path.split("?")[1]).get("level");
            return { venue: "mall", from: 2, to: null, words: [], overrides: [], next: null, changes: both.filter((each) => each.level_id === level) };
        },
    } });
    await until(() => document.querySelector(".level-rail tr.is-selected"));
    isStored = false;
    service.uploads = [{ ...service.uploads[0], changes: null }];
    document.querySelector(".level-rail tr:not(.is-selected) button").click();
    await until(() => ![...document.querySelectorAll("h2")].some((each) => textOf(each) === "What it would have changed"));
    (await openRule("PV-08")).click();
    await isDrawn();
    assert.match(note(), /The server has not stored the rejected features/);
    assert.equal(view().querySelectorAll(".diff-mark.is-error.is-current").length, 1);
});

test("finding whose changes are not stored any more draws the page again", async () => {
    const service = new DeskService();
    let isStored = true;
    await openUpload({ service, findings: [finding("PV-08", "error", "Wrong.")], state: "rejected", routes: {
        [`GET /uploads/${id(500)}/changes\\?bodies=false.*`]: () => (isStored ? { changes, next: null } : wrongState()),
    } });
    isStored = false;
    service.uploads = [{ ...service.uploads[0], changes: null }];
    (await openRule("PV-08")).click();
    await until(() => ![...document.querySelectorAll("h2")].some((each) => textOf(each) === "What it would have changed"));
});

test("findings of an earlier rejected archive are marked on the published floor, with a notice", async () => {
    const findings = [100, 101, 110].map((number, i) => finding("RF-01", "error", `Lost ${i}.`, { feature_id: id(number), at: position(20 * i + 4, 4) }));
    await openUpload({ findings, state: "rejected", changes: null, query: "?finding=RF-01:0" });
    await isDrawn();
    assert.match(note(), /The server has not stored the rejected features, so the map shows the published ones/);
    assert.equal(view().querySelectorAll(".diff-mark.is-error").length, 3);
    marks().at(-1).dispatchEvent(new MouseEvent("click"));
    await until(() => /^RF-01:[12]$/.test(urlFinding()));
});

test("report with very many findings is marked partly, and says so", async () => {
    const findings = Array.from({ length: 1_000 }, (_, i) => finding("TO-13", "info", `Finding ${i}.`, { at: position(44 + i, 4) }));
    await openUpload({ findings, query: "?finding=TO-13:0" });
    await isDrawn();
    assert.match(note(), /Not all findings have marks/);
    assert.equal(marks().length, 500);
});

for (const [language, details, sentence, place] of [
    ["en", "Show details", "There is no map to show this finding on", "Place in the archive"],
    ["ja", "詳細を表示", "表示できる地図がありません", "アーカイブ内の場所"],
]) {
    test(`finding of an earlier rejected upload of a new venue is explained in words (${language})`, async () => {
        const findings = [finding("RF-01", "error", "The level does not exist.")];
        const options = { findings, language, state: "rejected", base: 0, changes: null, service: new DeskService({ venue: null }) };
        await openUpload(options);
        const link = await openRule("RF-01");
        assert.ok(textOf(link).includes(details));
        link.click();
        await until(() => document.querySelector(".finding-view dl"));
        assert.ok(note().includes(sentence));
        assert.notEqual(message(), "");
        assert.deepEqual([textOf(view().querySelector("dt")), textOf(view().querySelector("dd"))], [place, "unit.geojson /features/2/geometry"]);
        assert.equal(view().querySelector(".diff-map"), null);
        await openUpload({ ...options, service: new DeskService({ venue: null }), query: "?finding=RF-01:0" });
        await until(() => document.querySelector(".finding-view dl"));
        assert.ok(note().includes(sentence));
    });
}

test("finding about a feature with another stored id is shown on its floor", async () => {
    const archiveID = id(7000);
    const service = new DeskService();
    const both = [[bookBay, firstFloor], [cloudShoes, secondFloor]].map(([each, floor]) =>
        change(each, edited(each, { category: "classroom" }), floor, ["category"]));
    await openUpload({
        service, findings: [finding("RQ-02", "error", wrongCategory, { feature_id: archiveID, feature_type: "occupant", at: position(4, 4) })],
        identity: { kept: 13, aliased: 0, matched: 1, near: 0, new: 0, gone: 0 }, changes: summary(both), query: "?finding=RQ-02:0",
        routes: {
            "GET /uploads/[^/]+/matches\\?limit=10000": { matches: [{ archive_id: archiveID, id: id(2200), kind: "matched" }], next: null },
            [`GET /uploads/${id(500)}/changes\\?bodies=false.*`]: { changes: both.map((each) => ({ ...each, before: null, after: null })), next: null },
        },
    });
    await isDrawn();
    assert.match(message(), /is not a category/);
    assert.equal(current().length, 1);
    assert.doesNotMatch(note(), /None of these changes has a position/);
    const paths = service.requests.map(({ path }) => path);
    assert.ok(paths.some((path) => path.includes(`/features?level=${secondFloor}`)));
    assert.equal(paths.some((path) => path.includes("/history?")), false, "the server does not know the id");
});

for (const isFloorKnown of [true, false]) {
    test(`finding about an unknown feature is shown at its position, ${isFloorKnown ? "on a floor with features" : "also without a floor"}`, async () => {
        const empty = { type: "FeatureCollection", features: [], next: null };
        const service = new DeskService();
        // One more ground floor, the first one by its id, without features.
        service.venue.levels.splice(1, 0, { ...service.venue.levels[1], level_id: id(0), features: 0 });
        const [shoes] = mallFeatures().get(secondFloor);
        await openUpload({
            service, changes: summary([change(shoes, edited(shoes, { category: "office" }), secondFloor, ["category"])]),
            findings: [finding("RQ-02", "error", wrongCategory, { feature_id: id(7000) })], query: "?finding=RQ-02:0",
            routes: {
                [`GET /venues/mall/features/${id(7000)}/history\\?limit=1`]: () => new Response('{"type":"/problems/feature-not-found"}', { status: 404 }),
                ...(isFloorKnown ? {} : {
                    "GET /venues/mall/revisions/2/features\\?level=.*spanning=true.*": empty,
                    [`GET /uploads/${id(500)}/changes\\?level=${firstFloor}.*`]: { changes: [], next: null, words: [] },
                }),
            },
        });
        await isDrawn();
        assert.equal(current().length, 1);
        assert.equal(view().querySelector(".diff-empty").hidden, true);
        assert.equal(view().querySelector(".floor-unit") !== null, isFloorKnown);
    });
}

test("next and previous lead through all rules, in the order of the list, and keep the focus", async () => {
    await openUpload({ query: "?finding=SE-18:0" });
    const steps = [["SE-18", 0, 1], ["TO-13", 0, 3], ["TO-13", 1, 3], ["TO-13", 2, 3], ["SE-25", 0, 1]];
    assert.deepEqual([...document.querySelectorAll(".rules .rule code")].map(textOf).filter((text) => /^[A-Z]{2}-/.test(text)), ["SE-18", "TO-13", "SE-25"]);
    const isAt = async ([name, index, count]) => {
        await until(() => urlFinding() === `${name}:${index}`, `${name}:${index}`);
        assert.equal(countText(), `Finding ${index + 1} of ${count} of rule ${name}`);
    };
    await isAt(steps[0]);
    assert.ok(step("previous").disabled);
    step("next").focus();
    for (const each of steps.slice(1, -1)) {
        step("next").click();
        await isAt(each);
        assert.equal(document.activeElement, step("next"));
    }
    step("next").click();
    await isAt(steps.at(-1));
    assert.ok(step("next").disabled);
    step("previous").focus();
    step("previous").click();
    await isAt(steps.at(-2));
    assert.equal(document.activeElement, step("previous"));
    await openUpload({ query: "?finding=TO-13:2" });
    await isAt(["TO-13", 2, 3]);
});

for (const [language, text] of [["en", "Finding 1000 of 2345 of rule MF-06"], ["ja", "ルール MF-06 の指摘 1000/2345"]]) {
    test(`previous finding is the last stored one of a rule with more (${language})`, async () => {
        const stored = [["MF-06", "warning", 1_000], ["RQ-02", "info", 2]].flatMap(([name, severity, count]) =>
            Array.from({ length: count }, (_, i) => finding(name, severity, `${name} ${i}.`)));
        const reports = [];
        await openUpload({ language, findings: stored, query: "?finding=RQ-02:0", routes: {
            [`GET /uploads/${id(500)}/findings\\?(?<query>.*)`]: (_, { query }) => {
                const values = new URLSearchParams(query);
                reports.push(query);
                const matching = stored.filter((each) => !values.has("rule") || each.rule === values.get("rule"));
                const start = Number(values.get("after") ?? 0);
                const end = start + Number(values.get("limit"));
                values.set("after", end);
                return reportOf(matching.slice(start, end), {
                    counts: { "MF-06": 2_345, "RQ-02": 2 }, truncated: true, next: end < matching.length ? `/uploads/${id(500)}/findings?${values}` : null });
            },
        } });
        await isShown("RQ-02 0.");
        step("previous").click();
        await isShown("MF-06 999.");
        assert.equal(countText(), text);
        assert.equal(urlFinding(), "MF-06:999");
        assert.ok(reports.length <= 4, "the rest of a rule is one request");
        // What is not stored is passed over.
        step("next").click();
        await isShown("RQ-02 0.");
    });
}

test("finding that was left before its map is loaded does not replace the next one", async () => {
    let respond;
    const held = new Promise((resolve) => { respond = resolve; });
    let isHeld = false;
    const service = new DeskService();
    const changesOf = () => ({ venue: "mall", from: 2, to: null, words: [], overrides: [], next: null, changes });
    await openUpload({ service, routes: {
        [`GET /uploads/${id(500)}/changes\\?level=${secondFloor}.*`]: async () => {
            isHeld = true;
            await held;
            return { ...changesOf(), changes: [] };
        },
        "GET /venues/mall/features/[^/]+/history\\?limit=1": ({ path }) => ({
            versions: [{ level_id: path.includes(id(200)) || path.includes(id(210)) ? secondFloor : firstFloor }], next: null }),
    }, query: "?finding=TO-13:1" });
    await until(() => isHeld);
    step("next").click();
    await isDrawn();
    const map = only(".diff-map", view());
    respond();
    await until(() => service.requests.length > 0);
    await settle(50);
    assert.ok(map.isConnected);
    assert.equal(countText(), "Finding 3 of 3 of rule TO-13");
});

test("closed finding is hidden, and not in the address any more", async () => {
    await openUpload({ query: "?finding=TO-13:0" });
    await isDrawn();
    only("header button:last-child", view()).click();
    assert.equal(view().hidden, true);
    assert.equal(location.hash, address);
});

test("finding is shown without its neighbours if these cannot be loaded", async () => {
    const findings = [finding("TO-13", "info", "Unit overlaps unit 1.")];
    let reports = 0;
    await openUpload({ findings, query: "?finding=TO-13:0", routes: {
        [`GET /uploads/${id(500)}/findings\\?rule=.*`]: () =>
            ((reports += 1) > 1 ? noResponse() : reportOf(findings, { next: `/uploads/${id(500)}/findings?rule=TO-13&limit=100&after=1` })),
        [`GET /uploads/${id(500)}/findings\\?limit=1000`]: reportOf([], {
            counts: { "TO-13": 2 }, next: `/uploads/${id(500)}/findings?limit=1000&after=1` }),
    } });
    await isShown("Unit overlaps unit 1.");
    assert.deepEqual([step("previous").disabled, step("next").disabled], [true, true]);
});
