// Boxes on the screen, in a grid, so that a test looks at few of them.

const cellSize = 64;

export class Boxes {
    #cells = new Map();

    isFree(box) {
        return cellsOf(box).every((cell) => (this.#cells.get(cell) ?? []).every((other) =>
            box.right <= other.left || box.left >= other.right || box.bottom <= other.top || box.top >= other.bottom));
    }

    add(box) {
        for (const cell of cellsOf(box)) this.#cells.set(cell, [...(this.#cells.get(cell) ?? []), box]);
    }
}

function cellsOf({ left, top, right, bottom }) {
    const cells = [];
    for (let x = Math.floor(left / cellSize); x <= Math.floor(right / cellSize); x += 1) {
        for (let y = Math.floor(top / cellSize); y <= Math.floor(bottom / cellSize); y += 1) cells.push(`${x},${y}`);
    }
    return cells;
}
