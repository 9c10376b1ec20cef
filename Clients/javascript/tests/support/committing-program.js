// Commits one state after the other to the folder in its argument, and prints the number of each that is committed, until it is killed.

import { FileReplicaStore } from "@venuesync/client/files";

import { digestOf } from "../../src/sync/digest.js";

const store = new FileReplicaStore(process.argv[2]);
for (let commits = ((await store.read())?.state.commits ?? 0) + 1; ; commits += 1) {
    const text = new TextEncoder().encode(`state ${commits}`.repeat(20_000));
    const digest = await digestOf(text);
    await store.commit({ format: 1, commits, catalogue: null, venues: { mall: { levels: { "-": digest } } } }, new Map([[digest, text]]));
    console.log(commits);
}
