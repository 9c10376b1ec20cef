// What pages do without a network: they say so, and continue when the server can be reached again.

import { backoffDelay, pause } from "./retry.js";
import { localized } from "./localization/localization.js";

/** How long the server may take to say that it is there, in milliseconds: on a dead line, a request does not fail for minutes. */
const timeLimit = 10_000;

/** Whether the browser knows that there is no network. */
export const isOffline = () => navigator.onLine === false;

/**
 * Why a request got no response: `{title, text}`, without a full stop after the title. `isRepeated` is whether the page repeats it when
 * there is a network.
 */
export function noResponse({ isRepeated = false } = {}) {
    if (!isOffline()) return { title: localized("state.offline"), text: localized("state.offlineHelp") };
    return { title: localized("state.noNetwork"), text: localized(isRepeated ? "state.noNetworkRepeated" : "state.noNetworkHelp") };
}

/**
 * Calls `act` once when the browser has a network again and the server responds, if `isWanted()` still holds. Browsers report a network
 * some time before requests succeed.
 */
export function whenReachable(isWanted, act) {
    window.addEventListener("online", async () => {
        for (let attempt = 0; isWanted() && !isOffline(); attempt += 1) {
            if (await isReachable()) return isWanted() && act();
            await pause(backoffDelay(attempt));
        }
        if (isWanted()) whenReachable(isWanted, act);
    }, { once: true });
}

async function isReachable() {
    const limit = new AbortController();
    try {
        const { status } = await withinTimeLimit(limit, timeLimit, fetch("/", { method: "HEAD", cache: "no-store", signal: limit.signal }));
        return status < 500;
    } catch {
        return false;
    }
}

/**
 * Waits for a step of a request, which `limit` ends if the step takes longer than some milliseconds. Not by `AbortSignal.timeout`, whose
 * time tests cannot let pass.
 */
export async function withinTimeLimit(limit, milliseconds, step) {
    const timer = setTimeout(() => limit.abort(), milliseconds);
    try {
        return await step;
    } finally {
        clearTimeout(timer);
    }
}
