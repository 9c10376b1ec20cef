/** Whether the user prefers that nothing moves: then a camera or a scroll position changes at once. Style sheets ask for it themselves. */
export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
