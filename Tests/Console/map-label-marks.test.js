// Labels where marks and lines are drawn over the map, such as the way of directions and its pin.

import assert from "node:assert/strict";
import { test } from "node:test";
import { degree, labels, rectangle, shop } from "./support/label-layout.js";

const { landmarksOf } = await import("../../Sources/WebConsole/Web/map/directions/landmarks.js");

/** A mark around a point `[x, y]`: a pin of 40 pixels. */
const pin = ([x, y], place = null) => ({ at: [x * degree, -y * degree], left: -20, top: -40, right: 20, bottom: 0, place });
const overlap = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

test("no name is over a line or a mark, and a line far beyond the screen takes none", () => {
    const entries = [[shop("crossed", "Tea"), rectangle([400, 300], 120, 60)], [shop("beside", "Milk"), rectangle([400, 400], 120, 60)],
        [shop("pinned", "Bread"), rectangle([200, 100], 120, 60)]];
    const line = (...points) => ({ coordinates: points.map(([x, y]) => [x * degree, -y * degree]), width: 11 });
    const more = { marks: [pin([200, 115])], lines: [line([-1e7, 300], [1e7, 301]), line([-5e6, 4e6], [5e6, 4e6])] };
    const inside = ({ boxes }) => boxes.filter(({ isBeyond }) => !isBeyond).map(({ place }) => place.id).sort();
    assert.deepEqual(inside(labels(entries)), ["beside", "crossed", "pinned"]);
    assert.deepEqual(inside(labels(entries, more)), ["beside"]);
    for (const { top, bottom } of labels(entries, more).boxes) assert.ok(bottom <= 296 || top >= 305, `${top}–${bottom}`);
});

test("the place of a mark is named beside it, before all others, where nothing covers the map", () => {
    const entries = [[shop("goal", "Bread"), rectangle([400, 300], 300, 200)], [shop("other", "Tea and cakes"), rectangle([400, 380], 300, 60)]];
    const nameAt = (point, more = {}) => {
        const { boxes } = labels(entries, { marks: [pin(point, "goal")], ...more });
        const named = boxes.filter(({ place }) => place.id === "goal");
        assert.equal(named.length, 1);
        const [x, y] = point;
        assert.ok(!overlap(named[0], { left: x - 20, top: y - 40, right: x + 20, bottom: y }));
        for (const other of boxes) assert.ok(other === named[0] || !overlap(named[0], other), other.place.id);
        return { x: Math.round(named[0].x - x), y: Math.round(named[0].y - y) };
    };
    const below = nameAt([400, 300]);
    assert.ok(below.x === 0 && below.y > 0);
    // The edge of the map is below, then also on the right.
    assert.ok(nameAt([400, 595]).x > 20);
    assert.ok(nameAt([780, 595]).x < -20);
    assert.ok(nameAt([400, 300], { frame: { left: 0, top: 0, right: 800, bottom: 310 } }).x > 20);
});

test("the name beside a mark covers as few other places as it can", () => {
    // There are rooms below, on the right and on the left of the mark, too small for a name.
    const around = [[400, 312], [460, 280], [340, 280]].map((point, index) => shop(`shop ${index}`, "Tea", { unit: null, point: [point[0] * degree, -point[1] * degree] }));
    const goal = shop("goal", "Bread", { unit: null, point: [400 * degree, -300 * degree] });
    const entries = [...around, goal].map((place) => [place, null]);
    const nameOfGoal = (others) => labels([...others, [goal, null]], { marks: [pin([400, 300], "goal")] }).boxes.find(({ place }) => place === goal);
    assert.ok(nameOfGoal([]).y > 300);
    const { x, y } = nameOfGoal(entries.slice(0, 3));
    assert.ok(x === 400 && y < 260, `${x}, ${y}`);
    // Where all sides cover one, the best side is taken.
    const above = shop("above", "Tea", { unit: null, point: [400 * degree, -245 * degree] });
    assert.ok(nameOfGoal([...entries.slice(0, 3), [above, null]]).y > 300);
});

test("the pictogram of a place with a mark is not one of a group, and rooms that are not for visitors are named too", () => {
    const lifts = ["a", "b"].map((each, index) => [{
        ...shop(each, "Lift"), kind: "amenity", isMarked: true, isNamed: false, facility: "elevator", kindName: "Lift", category: "elevator",
        point: [(400 + index * 10) * degree, -300 * degree],
    }, null]);
    const staff = { ...shop("staff", "Staff"), kind: "room", group: "private", isBackOfHouse: true, rank: 5, labelRank: 5 };
    const entries = [...lifts, [staff, rectangle([100, 100], 60, 40)]];
    assert.deepEqual(labels(entries, { metres: 1 }).names, ["a"]);
    assert.deepEqual(labels(entries, { metres: 1, marks: [pin([410, 300], "b"), pin([100, 100], "staff")] }).names.sort(), ["b", "staff"]);
});

// Landmarks: the places that the steps of a way name.

test("a landmark has its whole name before all other places, also beside its room and over others", () => {
    // Shops of 40 by 30 pixels, in rows without a space between.
    const entries = Array.from({ length: 80 }, (_, index) => {
        const at = [40 + (index % 16) * 44, 60 + Math.floor(index / 16) * 34];
        return [shop(`shop ${index}`, `Watches of street ${"abcdefgh"[index % 8]}`, { point: [at[0] * degree, -at[1] * degree] }), rectangle(at, 40, 30)];
    });
    const named = ({ boxes }) => boxes.find(({ place, image }) => place.id === "shop 56" && image.isName);
    assert.equal(named(labels(entries)), undefined);
    const { boxes } = labels(entries, { landmarks: ["shop 56"] });
    const box = named({ boxes });
    assert.equal(box.image.text.replaceAll("\n", " "), "Watches of street a");
    for (const other of boxes) assert.ok(other === box || !overlap(box, other), other.place.id);
    assert.ok(boxes.length > 20, "the others keep their labels");
});

test("a landmark that the way covers has its name beside the way, and one that a mark is for has it there", () => {
    const kiosk = shop("kiosk", "Juice", { unit: null, point: [400 * degree, -300 * degree] });
    const lines = [{ coordinates: [[0, -300 * degree], [800 * degree, -300 * degree]], width: 11 }];
    const boxOf = (more) => labels([[kiosk, rectangle([400, 300], 16, 8)]], { lines, ...more }).boxes.find(({ image }) => image.text === "Juice");
    assert.equal(boxOf({}), undefined);
    const { x, y, top, bottom } = boxOf({ landmarks: ["kiosk"] });
    assert.equal(x, 400);
    assert.ok((bottom <= 294.5 || top >= 305.5) && Math.abs(y - 300) < 30, `${top}–${bottom}`);
    const { boxes: [{ y: besideMark }, ...more] } = labels([[kiosk, null]], { landmarks: ["kiosk"], marks: [pin([400, 300], "kiosk")] });
    assert.deepEqual([besideMark > 300, more], [true, []]);
});

test("a facility that is a landmark has its name beside its pictogram, and is not one of a group", () => {
    const desks = ["a", "b"].map((each, index) => [{
        ...shop(each, `Desk ${each}`), kind: "amenity", isMarked: true, facility: "information", category: "information", unit: null,
        point: [(400 + index * 10) * degree, -300 * degree],
    }, null]);
    assert.deepEqual(labels(desks).boxes.map(({ count }) => count), [2]);
    const { boxes } = labels(desks, { landmarks: ["b"] });
    assert.deepEqual(boxes.filter(({ image }) => image.isName).map(({ place, image }) => [place.id, image.text]), [["b", "Desk b"]]);
});

test("the first landmark has its name where there is space for one", () => {
    const entries = ["a", "b"].map((each) => [shop(each, "Coffee", { unit: null, point: [60 * degree, -20 * degree] }), null]);
    const frame = { left: 50, top: 8, right: 110, bottom: 32 };
    for (const first of ["a", "b"]) {
        const landmarks = ["a", "b"].sort((one) => (one === first ? -1 : 1));
        assert.deepEqual(labels(entries, { landmarks, frame }).names, [first]);
    }
});

test("landmarks of a step are the places that it names, and of equal names the nearest", () => {
    const place = (name, [x, y], more = {}) => ({ name, isNamed: true, point: [x * degree, -y * degree], id: `${name} ${x}`, ...more });
    const geometry = { coordinates: [[0, 0], [400 * degree, 0], [400 * degree, -200 * degree]] };
    const places = [
        place("Kinari", [100, 10]), place("Kinari Records", [300, 10]), place("Tea", [410, 600]), place("Tea", [420, 100]), place("Tea", [200, 90]),
        place("Milk", [200, 10]), place("the", [5, 5], { isNamed: false }),
    ];
    const idsIn = (instruction) => landmarksOf({ instruction, geometry }, places).map(({ id }) => id).sort();
    assert.deepEqual(idsIn("Walk about 60 m past Kinari Records and Tea to the lift."), ["Kinari Records 300", "Tea 420"]);
    assert.deepEqual(idsIn("Kinari RecordsとKinariを過ぎて、Milkまで約60 m進みます。"), ["Kinari 100", "Kinari Records 300", "Milk 200"]);
    assert.deepEqual(idsIn("Take the lift up to 2F."), []);
});
