// Keeps MapLibre from making a sky, which it makes for every map, whether its style has one or not.

const undrawn = { draw() {} };

/**
 * Draws no sky with the painter of a map; a map whose context was restored has another one. The horizon is never in view, because maps are
 * tilted by 60° at most; without a GPU, the shader of the sky takes as long as that of all areas of a floor.
 */
export function omitSky({ painter }) {
    const { useProgram } = painter;
    painter.useProgram = (name, ...rest) => (name === "sky" ? undrawn : useProgram.call(painter, name, ...rest));
}
