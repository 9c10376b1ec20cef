// Evaluates the modules of the bundles that the server makes of these files (`ModuleBundles.swift`). The text of this file stands at the
// beginning of the first bundle, behind the constant `version`.

const definitions = new Map();
const evaluated = new Map();
const base = new URL("./", import.meta.url);

/** `body(need, load, exports, base)` is the text of a module. A module that is in several bundles is defined by the first one. */
function define(name, body) {
    if (!definitions.has(name)) definitions.set(name, body);
}

/** The exports of a module. It is evaluated when it is needed for the first time. */
function need(name) {
    if (!evaluated.has(name)) {
        const exports = {};
        evaluated.set(name, exports);
        definitions.get(name)(need, load, exports, base);
    }
    return evaluated.get(name);
}

/** How often the bundle of a module could not be loaded. */
const failures = new Map();

/**
 * Loads the bundle of a module that is imported lazily. Some browsers keep the failure for as long as the page is open, so that the next
 * attempt has another address.
 */
async function load(name) {
    if (definitions.has(name)) return need(name);
    const failed = failures.get(name) ?? 0;
    try {
        await import(new URL(failed > 0 ? `${name}?attempt=${failed + 1}` : name, base).href);
    } catch (error) {
        failures.set(name, failed + 1);
        throw error;
    }
    return need(name);
}

const storageKey = "venuesync.reloaded";

/** Whether the page was opened again for a version; notes that it will be. True without storage, as in some frames, against a loop. */
function hasReloaded(other) {
    try {
        const isNoted = sessionStorage.getItem(storageKey) === other;
        sessionStorage.setItem(storageKey, other);
        return isNoted;
    } catch {
        return true;
    }
}

/**
 * What a bundle needs of this one. If the server has been updated since the page was opened, it sends the bundles of the new version,
 * which do not fit; then the page is opened again, which loads the new version. That happens once for each version, because two servers
 * behind one address may differ for a while.
 */
globalThis.venueModules = async (other) => {
    if (other === version) return { define };
    if (hasReloaded(other)) throw new Error("The page and the server have different versions. Reload the page.");
    location.reload();
    return new Promise(() => {});
};

