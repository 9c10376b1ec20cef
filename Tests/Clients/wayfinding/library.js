// Answers queries with a copy of the JavaScript library: lines of JSON on standard input are maps (`features`, `language`), queries for the
// last map, or `{ "report": true }` for what can be reached in it. For each query and report it prints the answer.
//
//   node library.js FOLDER_OF_SOURCES [--with-points] <queries >answers
//
// `--with-points` appends to each position of an answer the point of the plane from which it was made, in millimetres.

import { once } from "node:events";
import { resolve } from "node:path";
import process, { stdin, stdout } from "node:process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const load = (name) => import(pathToFileURL(resolve(process.argv[2], "wayfinding", name)));
const { WayfindingMap } = await load("wayfinding-map.js");
const { reachabilityReport } = await load("reachability-report.js");
let map = null;

if (process.argv.includes("--with-points")) {
    const { LocalFrame } = await load("local-frame.js");
    const { degrees } = LocalFrame.prototype;
    LocalFrame.prototype.degrees = function withPoint(point) { return [...degrees.call(this, point), point.x, point.y]; };
}

async function answerOf({ report, from, to, profile, closed, languages }) {
    return report ? reachabilityReport(map, { egress: true }) : map.route({ from, to, profile, closed: new Map(closed), languages });
}

for await (const line of createInterface({ input: stdin, crlfDelay: Infinity })) {
    const value = JSON.parse(line);
    if (value.features !== undefined) {
        map = new WayfindingMap(value.features, { language: value.language });
        continue;
    }
    const answer = JSON.stringify(await answerOf(value));
    if (!stdout.write(`${answer}\n`)) await once(stdout, "drain");
}
