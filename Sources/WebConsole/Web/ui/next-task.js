/** Resolves in a task of its own, before which the browser can draw and handle what the user does. */
export const nextTask = () => globalThis.scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));
