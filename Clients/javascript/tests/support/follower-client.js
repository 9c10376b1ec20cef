// The package as a client program for Tests/Clients/follower.py: reads commands and prints the state of its replica.

import { createInterface } from "node:readline";

import { RetryPolicy, SyncError, VenueReplica } from "@venuesync/client";
import { FileReplicaStore } from "@venuesync/client/files";

import { digest } from "./pages.js";
import { resultOf } from "./results.js";

const [server, key, venue, path] = process.argv.slice(2);
const replica = await VenueReplica.open({
    store: new FileReplicaStore(path), server, venue, key, policy: new RetryPolicy({ attempts: 2, minimumPause: 10 }),
});
for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(await responseTo(line.split(" "))));

async function responseTo([command, ...names]) {
    try {
        const report = await execute(command, names);
        return { result: "ok", report: report && described(report), ...held() };
    } catch (error) {
        if (!(error instanceof SyncError)) throw error;
        return { result: resultOf(error), message: error.message, report: null, ...held() };
    }
}

function execute(command, names) {
    switch (command) {
        case "show": return null;
        case "add": return replica.add(names);
        case "drop": return replica.drop(names);
        default: return replica.sync(names.length === 0 ? {} : { levels: names[0] === "*" ? "everything" : names });
    }
}

function described(report) {
    const { added, changed, removed, repaired, levelsAdded, levelsDropped } = report;
    const nameOf = (level) => level ?? "-";
    return {
        added, changed, removed, repaired: repaired.map(nameOf),
        levels_added: levelsAdded.map(({ level }) => nameOf(level)), levels_dropped: levelsDropped.map(({ level }) => nameOf(level)),
    };
}

function held() {
    if (replica.damagedLevels.length > 0) throw new Error(`damaged: ${replica.damagedLevels}`);
    const { revision, cursor } = replica.state;
    const levels = replica.levels().filter(({ isHeld }) => isHeld)
        .map(({ level }) => [level ?? "-", digest(replica.features({ level }).map(({ body }) => body))]);
    return { revision, cursor, levels: Object.fromEntries(levels) };
}
