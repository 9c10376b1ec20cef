// What the stores have in common. A store keeps one JSON value, the state, and the texts of levels, which are named by their digest.
//
// `read(known)` resolves to `{state, levels}`, or to null if the store is empty. `levels` is a map from digests to texts (Uint8Array)
// of the levels that the state refers to, without those in the set `known` and without missing ones. Both are from one commit.
//
// `commit(state, levels)` replaces the state and adds the texts of `levels`, all of it or nothing. It rejects with `StateChanged` if the
// stored state is not the one before, by its member `commits`. Texts that the new state does not refer to may be deleted. The promise
// resolves when the commit survives a crash.
//
// `close()` releases what the store has open.

import { StateChanged, SyncError } from "../sync/sync-error.js";

/** The format of the stored state. */
export const format = 1;

/** The digests of all levels that a state refers to. */
export function digestsOf(state) {
    return new Set(Object.values(state.venues).flatMap(({ levels }) => Object.values(levels)));
}

/** Refuses a state that another version of this package has written. */
export function checkFormat(state) {
    const isState = state?.format === format && Number.isSafeInteger(state.commits) && typeof state.venues === "object";
    if (!isState) throw new SyncError("file", "the store was written by another version of this package, or is damaged");
    return state;
}

export function checkPredecessor(stored, state) {
    if ((stored?.commits ?? 0) !== state.commits - 1) throw new StateChanged();
}
