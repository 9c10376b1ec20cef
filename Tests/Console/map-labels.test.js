// Where labels are, how large they are, and which ones are drawn. How they look is tested in a browser.

import "./support/open-map.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { areaOf, colours, degree, labels, rectangle, shop, viewOf } from "./support/label-layout.js";

const { groupsOf } = await import("../../Sources/WebConsole/Web/map/label-groups.js");
const { layOutInSteps } = await import("../../Sources/WebConsole/Web/map/label-layout.js");
const { LabelBoxes, boxAround, contains } = await import("../../Sources/WebConsole/Web/map/label-boxes.js");
const { LabelImages } = await import("../../Sources/WebConsole/Web/map/label-images.js");
const { excerptsOf, shortNamesOf } = await import("../../Sources/WebConsole/Web/map/short-names.js");

/** The height of a label in which the name has one line. */
const heightOf = ([{ image }]) => image.height;

test("a shop has its name where the room is wide, also if most of its outline is elsewhere", () => {
    // A narrow corridor with many small steps in the outline leads to a room of 140 by 60 pixels.
    const steps = Array.from({ length: 20 }, (_, index) => [[100 + index * 8, 100 + (index % 2)], [108 + index * 8, 100 + (index % 2)]]).flat();
    const area = areaOf([100, 110], ...steps, [260, 60], [400, 60], [400, 120], [260, 120], [260, 110]);
    const { boxes: [box], names } = labels([[shop("a", "Coffee and cakes"), area]]);
    assert.deepEqual(names, ["a"]);
    // The halo may reach over the wall by three pixels.
    assert.ok(box.left > 257 && box.right < 403 && box.top > 57 && box.bottom < 123, `${box.left}–${box.right}, ${box.top}–${box.bottom}`);
});

test("a name is as large as its room permits, between two sizes", () => {
    const heights = [[60, 16], [110, 40], [260, 90], [700, 300], [790, 590]].map(([width, height]) =>
        heightOf(labels([[shop("a", "Starling"), rectangle([400, 300], width, height)]]).boxes));
    assert.deepEqual(heights, [...heights].sort((one, other) => one - other));
    assert.ok(heights[2] > heights[0] && heights[4] === heights[3], heights.join());
});

for (const degrees of [30, -30, 60, 90, 135]) {
    test(`a name is turned along a narrow room, and never upside down: ${degrees}°`, () => {
        const { boxes: [box], names } = labels([[shop("a", "Bookshop at the corner"), rectangle([400, 300], 190, 18, degrees)]]);
        assert.deepEqual(names, ["a"]);
        const turn = (box.angle * 180) / Math.PI;
        assert.ok(Math.abs(((turn - degrees + 270) % 180) - 90) < 1 && turn >= -99 && turn <= 82, String(turn));
    });
}

test("a name stays horizontal in a room that is turned if it is nearly as large so", () => {
    const { boxes: [box] } = labels([[shop("a", "Tea"), rectangle([400, 300], 200, 160, 40)]]);
    assert.equal(box.angle, 0);
});

test("a shop that shares a room has its name where it is", () => {
    const area = rectangle([400, 300], 600, 200);
    const shared = [150, 400, 640].map((x, index) => shop(`shop ${index}`, "Tea", { unit: "hall", point: [x * degree, -300 * degree] }));
    const { names, boxes, dots } = labels(shared.map((each) => [each, area]));
    assert.equal(names.length, 3);
    assert.deepEqual(boxes.map(({ x }) => Math.round(x)).sort(), [150, 400, 640]);
    assert.deepEqual(dots, []);
});

test("a shop whose middle is beyond the view or covered has its name where it is, if that is seen", () => {
    const at = (x, y) => [x * degree, -y * degree];
    const [low, left] = [rectangle([600, 750], 300, 500), rectangle([100, 300], 500, 300)];
    const entries = [[shop("low", "Tea", { point: at(620, 560) }), low], [shop("left", "Bread", { point: at(280, 300) }), left]];
    const covers = [{ left: 0, top: 0, right: 200, bottom: 600 }];
    const { boxes } = labels(entries, { covers });
    assert.deepEqual(boxes.map(({ place, image, x, y }) => [place.id, image.isName, Math.round(x), Math.round(y)]).sort(), [
        ["left", true, 280, 300], ["low", true, 620, 560]]);
    // Where both are seen, the name is in the middle.
    const { boxes: [box] } = labels(entries.slice(1));
    assert.deepEqual([Math.round(box.x), Math.round(box.y)], [100, 300]);
});

test("rooms that are not for visitors have a name only where one looks closely, and never before a shop", () => {
    const staff = { ...shop("staff", "NONPUBLIC"), kind: "room", group: "private", isBackOfHouse: true, rank: 5, labelRank: 5 };
    const entries = [[staff, rectangle([400, 300], 500, 300)], [shop("a", "Tea"), rectangle([100, 100], 90, 40)]];
    assert.deepEqual(labels(entries, { metres: 0.2 }).names, ["a"]);
    assert.deepEqual(labels(entries, { metres: 0.02 }).names, ["a", "staff"]);
    const [box] = labels(entries, { metres: 0.02 }).boxes.filter(({ place }) => place === staff);
    assert.ok(box.image.height < 20, "small");
    const overlapping = [[staff, rectangle([400, 300], 80, 40)], [shop("a", "Tea"), rectangle([400, 300], 80, 40)]];
    assert.deepEqual(labels(overlapping, { metres: 0.02 }).names, ["a"]);
});

test("of two shops whose names would overlap, the larger one has its name", () => {
    const entries = [["small", 100], ["large", 300], ["middle", 200]].map(([id, side]) => [shop(id, "The same long name"), rectangle([400, 300], side, side)]);
    assert.deepEqual(labels(entries).names, ["large"]);
});

test("a name with enough space has its pictogram above it", () => {
    const [[high], [low]] = [120, 22].map((height) => labels([[shop("a", "Starling"), rectangle([400, 300], 200, height)]]).boxes);
    assert.ok(high.image.height > low.image.height + 16, `${high.image.height} and ${low.image.height}`);
});

test("no name and no dot is under what covers the map, but that of a selected place is", () => {
    const entries = [[shop("a", "Starling"), rectangle([700, 300], 160, 60)], [shop("b", "Tea"), rectangle([200, 300], 160, 60)]];
    const covers = [{ left: 705, top: -1e6, right: 1e6, bottom: 320 }, { left: 5_000, top: 0, right: 6_000, bottom: 10 }];
    assert.ok(labels(entries).boxes.some(({ right }) => right > 705));
    const { names, boxes, dots } = labels(entries, { covers });
    assert.deepEqual(names, ["b", "a"], "beside its room");
    for (const { right, x } of [...boxes, ...dots]) assert.ok((right ?? x) < 705);
    const { boxes: [selected] } = labels(entries, { covers, selected: "a" });
    assert.ok(selected.place.id === "a" && selected.right > 705);
});

test("turned labels beside each other do not take each other's space", () => {
    const angle = Math.PI / 4;
    const taken = new LabelBoxes();
    taken.add(boxAround({ x: 100, y: 100 }, 100, 12, angle));
    assert.ok(taken.isFree(boxAround({ x: 112, y: 88 }, 100, 12, angle)), "parallel, 17 pixels apart");
    assert.ok(!taken.isFree(boxAround({ x: 106, y: 94 }, 100, 12, angle)), "parallel, 8 pixels apart");
    assert.ok(!taken.isFree(boxAround({ x: 100, y: 100 }, 100, 12, -angle)), "across");
    assert.ok(taken.isFree(boxAround({ x: 130, y: 70 }, 30, 12)), "in a corner of the upright box");
    const box = boxAround({ x: 100, y: 100 }, 100, 12, angle);
    assert.deepEqual([[130, 130], [130, 70]].map(([x, y]) => contains(box, { x, y })), [true, false]);
});

// Names that have no space inside of their walls.

/** Shops side by side along a corridor, each of a width and a height in pixels, from the most important one on. */
const row = (names, width, height, more = {}) => names.map((name, index) => [
    shop(`shop ${index}`, name, { labelRank: index / 100, ...more }), rectangle([100 + width * index, 300], width, height)]);
const inRow = (box, width) => Math.round((box.x - 100) / width);

test("rooms that are numbered show their numbers where the whole name has no space", () => {
    const rooms = (names) => labels(row(names, 26, 40, { group: "room" })).boxes.filter(({ isShort }) => isShort).map(({ place, image }) => [place.name, image.text]);
    const names = ["Classroom 146", "Classroom 147", "Classroom 148b", "Classroom 149"];
    assert.deepEqual(rooms(names).toSorted(), names.map((name) => [name, name.split(" ")[1]]));
    assert.deepEqual(rooms(["Classroom 146", "Studio 2", "Hall 3", "Office 7"]), [], "not one of a series");
    const ambiguous = rooms([...names, "Auditorium 149", "Auditorium 150", "Auditorium 151"]).map(([name]) => name);
    assert.ok(!ambiguous.some((name) => name.endsWith("149")) && ambiguous.includes("Auditorium 150"), ambiguous.join());
});

test("a shop is not called by a number", () => {
    const names = Array.from({ length: 6 }, (_, index) => `Kiosk Number ${index}`);
    assert.ok(labels(row(names, 30, 40)).boxes.every(({ isShort }) => !isShort));
});

test("a name that is longer than its room reaches over what has no name, and over no other place", () => {
    // A corridor is beside the first room; the second one is between both and another room.
    const [free, between, last] = [["free", 240], ["between", 500], ["last", 560]].map(([id, x]) => [shop(id, "Lakeside Tea"), rectangle([x, 300], 60, 16)]);
    const { boxes } = labels([free, between, last]);
    const box = boxes.find(({ place }) => place.id === "free");
    assert.ok(box.isBeyond && box.image.isName && box.right - box.left > 60, "over the walls");
    assert.ok(Math.abs(box.y - 300) < 1, "along the room");
    for (const each of boxes.filter(({ place, isBeyond }) => isBeyond && place.id === "between")) assert.ok(each.right <= 532, "not over the last room");
});

test("a name reaches over no room that several shops share", () => {
    const hall = rectangle([480, 300], 100, 60);
    const tenants = [460, 500].map((x, index) => [shop(`tenant ${index}`, "T", { unit: "hall", point: [x * degree, -300 * degree], labelRank: 1 }), hall]);
    const box = labels([[shop("a", "Lakeside Tea"), rectangle([400, 300], 60, 16)], ...tenants]).boxes.find(({ place }) => place.id === "a");
    assert.ok(box.isBeyond && box.right <= 434, String(box.right));
});

test("in a row of narrow shops the most important ones have names, with a mark in them, instead of pictograms for all", () => {
    const names = Array.from({ length: 24 }, (_, index) => `Merchant ${"abcdefghijklmnopqrstuvwx"[index]}`);
    const { boxes, names: named } = labels(row(names, 24, 26));
    assert.ok(named.length >= 6, `${named.length} of ${names.length}`);
    assert.ok(named.includes("shop 0"), "the most important one");
    for (const [index, box] of boxes.entries()) {
        for (const other of boxes.slice(index + 1)) {
            assert.ok(box.right <= other.left || other.right <= box.left || box.bottom <= other.top || other.bottom <= box.top, `${box.place.id} and ${other.place.id}`);
        }
        if (box.image.mark) assert.equal(inRow({ x: box.left + box.image.mark.x + 8 }, 24), Number(box.place.id.split(" ")[1]), "the mark is in the shop");
    }
});

test("staff rooms and pictograms do not keep the names of shops from reaching over them", () => {
    const staff = { ...shop("staff", "NONPUBLIC"), kind: "room", group: "private", isBackOfHouse: true, rank: 5, labelRank: 5 };
    const drinks = shop("drinks", "Drinks", { kind: "amenity", isMarked: true, facility: "drinks", labelRank: 1, unit: null, point: [470 * degree, -300 * degree] });
    const entries = [[shop("a", "Lakeside Tea"), rectangle([400, 300], 60, 16)], [staff, rectangle([470, 300], 80, 16)], [staff, rectangle([330, 300], 80, 16)]];
    assert.deepEqual(labels(entries, { metres: 0.2 }).names, ["a"]);
    assert.deepEqual(labels([...entries, [drinks, undefined]], { metres: 0.2 }).names, ["a"]);
    assert.ok(labels(entries, { metres: 0.02 }).boxes.every(({ place, isBeyond }) => place.id === "a" || !isBeyond));
});

test("names reach only over the part of the map that nothing covers", () => {
    const entries = [[shop("a", "Lakeside Tea"), rectangle([100, 300], 60, 16)]];
    const [box] = labels(entries, { frame: { left: 66, top: 0, right: 800, bottom: 600 } }).boxes;
    assert.ok(box.isBeyond && box.left >= 66, String(box.left));
});

test("of a name that has no space at all, the first words are shown", () => {
    const around = Array.from({ length: 4 }, (_, index) => [shop(`other ${index}`, "Tea", { labelRank: -1 }), rectangle([[400, 200], [400, 400], [230, 300], [570, 300]][index], 90, 90)]);
    const { boxes } = labels([...around, [shop("a", "Meeting room of the Academic Council of the whole university", { labelRank: 2 }), rectangle([400, 300], 90, 44)]]);
    const box = boxes.find(({ place }) => place.id === "a");
    assert.match(box.image.text, /^Meeting room.*…$/s);
});

test("equal facilities beside each other are one label with their number, until there is space for each", () => {
    const lifts = (distance) => Array.from({ length: 6 }, (_, index) => [shop(`lift ${index}`, "Lift", {
        kind: "amenity", isMarked: true, facility: "elevator", kindName: "Lift", level: "1F", unit: null, labelRank: 1,
        point: [(300 + distance * (index % 3)) * degree, -(300 + distance * Math.floor(index / 3)) * degree] }), undefined]);
    const [group, ...none] = labels(lifts(12)).boxes;
    assert.deepEqual([group.count, group.image.text, none], [6, "Lift (6)", []]);
    assert.equal(labels(lifts(60)).boxes.length, 6);
    const found = labels(lifts(12), { results: new Set(["lift 2"]) }).boxes.map(({ place, count }) => [place.id, count]);
    assert.deepEqual(found[0], ["lift 2", 1], "what was found is shown itself");
});

test("a long row of equal facilities is several labels, each of which is near what it stands for", () => {
    const places = Array.from({ length: 50 }, (_, index) => ({ place: shop(`locker ${index}`, "Locker", { isMarked: true, facility: "locker", level: "1F" }), point: { x: 100 + 12 * index, y: 300 } }));
    const groups = new Set(groupsOf(places).values());
    assert.ok(groups.size >= 5 && groups.size <= 25, String(groups.size));
    assert.equal([...groups].flat().length, 50);
    for (const [first, ...others] of groups) for (const { point } of others) assert.ok(Math.abs(point.x - first.point.x) <= 60, `${first.point.x} and ${point.x}`);
});

// The time that labels take.

test("finding equal neighbours takes time in proportion to the number of facilities", () => {
    let reads = 0;
    const candidates = Array.from({ length: 10_000 }, (_, index) => ({
        place: shop(`locker ${index}`, "Locker", { isMarked: true, facility: "locker", level: "1F" }),
        get point() {
            reads += 1;
            return { x: 30 * (index % 100), y: 30 * Math.floor(index / 100) };
        } }));
    groupsOf(candidates);
    assert.ok(reads < 100 * candidates.length, `${reads} reads of a point`);
});

test("an area that is much larger than the screen takes no more of the grid than the screen has", (context) => {
    const { add } = LabelBoxes.prototype;
    context.after(() => { LabelBoxes.prototype.add = add; });
    const sizes = [];
    LabelBoxes.prototype.add = function (box) {
        sizes.push(Math.max(box.right - box.left, box.bottom - box.top));
        add.call(this, box);
    };
    const hall = shop("hall", "Hall", { labelRank: 5 });
    const { boxes } = labels([[hall, rectangle([400, 300], 40_000, 40_000)], [shop("a", "Lakeside Tea"), rectangle([400, 300], 60, 16)]]);
    assert.ok(boxes.length > 0 && sizes.length > 2);
    assert.ok(Math.max(...sizes) <= 800 + 2 * 64, String(Math.max(...sizes)));
});

/** Ten thousand shops at points of the screen, and images that count the lines that are measured, each of which takes a millisecond. */
function manyPlaces(context) {
    const { now } = performance;
    context.after(() => { performance.now = now; });
    const counter = { count: 0 };
    performance.now = () => counter.count;
    class CountingImages extends LabelImages {
        lines(...options) {
            counter.count += 1;
            return super.lines(...options);
        }
    }
    const entries = Array.from({ length: 10_000 }, (_, index) => [
        shop(`shop ${index}`, `Merchant number ${index}`, { labelRank: index / 1e5, point: [8 * (index % 100) * degree, -6 * Math.floor(index / 100) * degree] }), undefined]);
    return { entries, counter, images: new CountingImages() };
}

test("while the map moves, only the most important of 10,000 places and the visible ones are measured", (context) => {
    const { entries, counter, images } = manyPlaces(context);
    const { names, dots } = labels(entries, { images, isMoving: true, visible: new Set(["shop 9999"]) });
    assert.ok(names.includes("shop 9999") && names.length > 10);
    assert.ok(counter.count <= 2 * 1_501 + 10, `${counter.count} measured`);
    assert.ok(dots.length > 1_500, "the others are dots");
});

test("when the map is still, a step of the layout of 10,000 places takes a few milliseconds, and names beyond areas end", (context) => {
    const { entries, counter, images } = manyPlaces(context);
    const steps = layOutInSteps(viewOf(entries, { images }));
    let [longest, count, ends] = [0, 0, false];
    for (; !ends; count += 1) {
        const before = counter.count;
        ends = steps.next().done;
        longest = Math.max(longest, counter.count - before);
    }
    assert.ok(longest <= 20, `${longest} measured in a step`);
    // Two forms of each name in its place, and three beside at most 250 marks.
    assert.ok(counter.count <= 2 * 10_000 + 250 * 8, `${counter.count} measured`);
    assert.ok(count <= counter.count / 6 + 1, `${count} steps`);
});

test("the texts that were measured last stay known when there are too many", () => {
    const images = new LabelImages();
    const linesOf = (index) => images.lines(`Name ${index}`, 1, { isInArea: false });
    const known = Array.from({ length: 12_000 }, (_, index) => linesOf(index));
    linesOf(12_000);
    assert.equal(linesOf(11_999), known[11_999]);
    assert.notEqual(linesOf(0), known[0]);
});

// Texts of all languages.

test("numbers of rooms are found in all scripts", () => {
    const numbersOf = (...names) => [...shortNamesOf(names.map((name, id) => ({ id, name, group: "room" }))).values()];
    for (const [format, numbers] of [
        ["教室#", ["101", "102", "103b"]], ["会議室#", ["101", "A-102", "103号室"]], ["Room #", ["１０１", "１０２", "１０３"]], ["خزانة #", ["١٠١", "١٠٢", "١٠٣"]],
        ["Room #", ["2F-12", "2F-13", "3F-12"]], ["Room #", ["B1-23-4", "B1-23-5", "B2-1.2"]], ["コーナー#", ["1", "2", "3"]], ["教室 #", ["1", "2", "3"]],
    ]) assert.deepEqual(numbersOf(...numbers.map((number) => format.replace("#", number))), numbers);
    assert.deepEqual(numbersOf("第1教室", "第2教室", "第3教室"), [], "no number after a name");
    assert.deepEqual(numbersOf("教室101", "教室102", "教室103", "Room １０１"), ["102", "103"], "the same number in another script");
});

test("excerpts of names without spaces end between words, and wide characters count twice", () => {
    assert.deepEqual([...excerptsOf("中央図書館大会議室")].filter((text) => !/^中央図書館?(大|大会議)?…$/u.test(text)), []);
    assert.ok([...excerptsOf("中央図書館大会議室")].length > 0);
    assert.deepEqual([...excerptsOf("会議室 受付")], ["会議室…"]);
    assert.deepEqual([...excerptsOf("Cafe Nova")], [], "too short");
    assert.deepEqual([...excerptsOf("Meeting room of the Council")], ["Meeting room of the…", "Meeting room of…", "Meeting room…"]);
});

test("excerpts of a very long name are few", () => {
    const name = Array.from({ length: 3_000 }, (_, index) => (index < 12 ? "universities".repeat(300) : "x")).join(" ");
    const excerpts = [...excerptsOf(name)];
    assert.ok(excerpts.length > 0 && excerpts.length <= 12, String(excerpts.length));
    assert.equal(excerptsOf(name).next().value, excerpts[0], "made one by one");
});

test("the letters of Arabic and Hebrew names are drawn from right to left, with what they end in", () => {
    const directionsOf = (...texts) => {
        const drawn = [];
        const { getContext } = window.HTMLCanvasElement.prototype;
        window.HTMLCanvasElement.prototype.getContext = () => new Proxy(
            { fillText() { drawn.push(this.direction); } }, { get: (target, name) => target[name] ?? (() => {}) });
        try {
            assert.ok(new LabelImages().text(shop("a", ""), { texts, width: 5 }, 12, colours).canvas);
        } finally {
            window.HTMLCanvasElement.prototype.getContext = getContext;
        }
        return drawn;
    };
    assert.deepEqual(directionsOf("مصعد (6)"), ["rtl"]);
    assert.deepEqual(directionsOf("(6) מעלית…"), ["rtl"]);
    assert.deepEqual(directionsOf("مقهى", "Nova…"), ["rtl", "rtl"], "all lines as the first");
    assert.deepEqual(directionsOf("Lift (6)"), ["ltr"]);
    assert.deepEqual(directionsOf("101"), ["ltr"]);
});
