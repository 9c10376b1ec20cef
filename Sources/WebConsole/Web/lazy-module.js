// Loads modules that only some pages need.

import { Problem } from "./api.js";
import { nextTask } from "./ui/next-task.js";
import { noResponse } from "./network.js";

/**
 * The module that `load` imports, in a task of its own: evaluating the modules of a page takes a moment. If it cannot be fetched, the
 * `Problem` is that of a request without a response: browsers describe it in English, each in other words. Errors of the module itself
 * are thrown unchanged.
 */
export async function lazyModule(load) {
    try {
        await nextTask();
        return await load();
    } catch (error) {
        const isFetch = error instanceof TypeError && /\bmodule\b/i.test(error.message);
        throw isFetch ? new Problem(0, { title: noResponse().title }) : error;
    }
}
