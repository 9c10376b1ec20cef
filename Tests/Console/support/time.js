// Time that passes only when a test lets it pass: timers, `Date`, `performance` and the limits of signals. How fast the machine is changes
// nothing. Not the timers of `node:test`, of which Node 20 loses some. Import this module before those of the console.

const { setImmediate, Date: MachineDate } = globalThis;
const machineNow = performance.now.bind(performance);

/** The time at which tests begin: 13:00 on a Wednesday in Tokyo. */
export const noon = MachineDate.parse("2026-06-10T13:00:00+09:00");
/** How long, in milliseconds of the machine, a condition is waited for. It only ends tests that would wait for ever. */
const limit = 120_000;

/** The milliseconds that have passed, and the time at which they began to. */
let elapsed = 0;
let start = noon;
/** The timers that will fire: `{at, act, period}`, without a period if they fire once. */
const timers = new Set();
/** What threads compute: no time passes before they have ended. */
const working = new Set();

/** Forgets what the page before waited for, and sets the time. */
export function startClock(now = noon) {
    timers.clear();
    combined.clear();
    setTime(now);
}

/** Sets the clock, as a computer does after it has slept: timers do not notice. */
export function setTime(now) {
    start = now - elapsed;
}

function addTimer(act, delay, isRepeated) {
    const timer = { act, at: elapsed + delay, period: isRepeated ? delay : null };
    timers.add(timer);
    return timer;
}
function clearTimer(timer) {
    timers.delete(timer);
}
globalThis.setTimeout = (act, delay = 0, ...values) => {
    const timer = addTimer(() => act(...values), Math.max(0, Math.trunc(delay) || 0), false);
    // Without a delay, it is only a task of its own, for which no time has to pass.
    if (timer.at === elapsed) setImmediate(() => timers.has(timer) && fire(timer));
    return timer;
};
globalThis.setInterval = (act, delay, ...values) => addTimer(() => act(...values), Math.max(1, Math.trunc(delay) || 1), true);
globalThis.clearTimeout = globalThis.clearInterval = clearTimer;

globalThis.Date = class Date extends MachineDate {
    constructor(...values) {
        super(...(values.length === 0 ? [start + elapsed] : values));
    }

    static now() {
        return start + elapsed;
    }

    static [Symbol.hasInstance](value) {
        return value instanceof MachineDate;
    }
};
performance.now = () => elapsed;
AbortSignal.timeout = (milliseconds) => {
    const controller = new AbortController();
    globalThis.setTimeout(() => controller.abort(new DOMException("The operation timed out", "TimeoutError")), milliseconds);
    return controller.signal;
};
/** Node 20 forgets a combined signal that nothing else refers to, and with it its listeners: then a request would never end. */
const combined = new Set();
const { any } = AbortSignal;
AbortSignal.any = (signals) => {
    const signal = any.call(AbortSignal, signals);
    combined.add(signal);
    signal.addEventListener("abort", () => combined.delete(signal), { once: true });
    return signal;
};

function fire(timer) {
    if (timer.period === null) timers.delete(timer);
    else timer.at += timer.period;
    timer.act();
}

/** The next timer that fires until a moment, if there is one. */
function nextTimer(end) {
    let next = null;
    for (const timer of timers) if (timer.at <= end && timer.at < (next?.at ?? Infinity)) next = timer;
    return next;
}

// Threads compute these.
const { subtle } = globalThis.crypto;
for (const name of ["digest", "importKey", "verify"]) {
    const compute = subtle[name].bind(subtle);
    subtle[name] = (...values) => {
        const result = compute(...values);
        const work = result.then(() => {}, () => {}).then(() => { working.delete(work); });
        working.add(work);
        return result;
    };
}

const turn = () => new Promise((resolve) => { setImmediate(resolve); });

/** Lets everything happen that needs no time: responses arrive, and what waits for them continues. */
export async function settle(turns = 30) {
    for (let i = 0; i < turns; i += 1) {
        await turn();
        while (working.size > 0) await Promise.all(working);
        // Modules are imported by a thread, in the order in which they were asked for.
        if (i % 15 === 7) await import("node:test");
    }
}

/** Lets milliseconds pass. After each timer, everything happens that needs no time. */
export async function pass(milliseconds) {
    await settle();
    const end = elapsed + milliseconds;
    for (let timer = nextTimer(end); timer; timer = nextTimer(end)) await passTo(timer);
    elapsed = end;
    await settle();
}

async function passTo(timer) {
    elapsed = timer.at;
    fire(timer);
    await settle();
}

/** Waits, without letting time pass, until a function returns something, and returns that. */
export async function until(condition, description = condition) {
    for (const end = machineNow() + limit; machineNow() < end; await turn()) {
        const value = condition();
        if (value) return value;
    }
    throw neverHappened(description);
}

/** Lets time pass, at most so many minutes, until a function returns something, and returns that. */
export async function passUntil(condition, { minutes = 20, description = condition } = {}) {
    await settle();
    for (const end = elapsed + minutes * 60_000; ;) {
        const value = condition();
        if (value) return value;
        const timer = nextTimer(end);
        if (!timer) return until(condition, `within ${minutes} minutes: ${description}`);
        await passTo(timer);
    }
}

function neverHappened(description) {
    const text = globalThis.document?.body.textContent.replace(/\s+/g, " ").slice(0, 2_000) ?? "";
    return new Error(`it does not happen: ${description}\n${text}`);
}
