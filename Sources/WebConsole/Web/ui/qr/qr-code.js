// Draws QR codes (ISO/IEC 18004).

import { alignmentCentres, encode } from "./codewords.js";
import { penalty } from "./penalty.js";

const masks = [
    (x, y) => (x + y) % 2 === 0, (x, y) => y % 2 === 0, (x) => x % 3 === 0, (x, y) => (x + y) % 3 === 0,
    (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0, (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
    (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The modules of the QR code of a text, row by row; true is dark. Around them belong four light modules on each side. */
export function qrModules(text) {
    const { version, codewords } = encode(text);
    const candidates = masks.map((_, mask) => modulesWith(mask, version, codewords));
    return candidates.reduce((best, each) => (penalty(each) < penalty(best) ? each : best));
}

function modulesWith(mask, version, codewords) {
    const size = version * 4 + 17;
    const modules = Array.from({ length: size }, () => new Array(size).fill(false));
    const isFunction = Array.from({ length: size }, () => new Array(size).fill(false));
    const set = (x, y, isDark) => {
        if (x < 0 || y < 0 || x >= size || y >= size) return;
        modules[y][x] = isDark;
        isFunction[y][x] = true;
    };
    drawPatterns(set, size, version);
    drawFormat(set, size, mask);
    if (version >= 7) drawVersion(set, size, version);
    drawCodewords(modules, isFunction, codewords);
    for (let y = 0; y < size; y += 1) {
        for (let x = 0; x < size; x += 1) if (!isFunction[y][x] && masks[mask](x, y)) modules[y][x] = !modules[y][x];
    }
    return modules;
}

function drawPatterns(set, size, version) {
    for (let i = 0; i < size; i += 1) {
        set(6, i, i % 2 === 0);
        set(i, 6, i % 2 === 0);
    }
    const square = (centreX, centreY, radius, isDark) => {
        for (let y = -radius; y <= radius; y += 1) {
            for (let x = -radius; x <= radius; x += 1) set(centreX + x, centreY + y, isDark(Math.max(Math.abs(x), Math.abs(y))));
        }
    };
    for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) square(x, y, 4, (distance) => distance !== 2 && distance !== 4);
    const centres = alignmentCentres(version);
    const last = centres.length - 1;
    centres.forEach((x, i) => centres.forEach((y, j) => {
        const isInCorner = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0);
        if (!isInCorner) square(x, y, 2, (distance) => distance !== 1);
    }));
}

/** Error correction level M and the mask, twice, with a BCH code. */
function drawFormat(set, size, mask) {
    const bits = ((mask << 10) | remainder(mask, 10, 0x537)) ^ 0x5412;
    const bit = (i) => ((bits >> i) & 1) === 1;
    for (let i = 0; i < 15; i += 1) {
        const distance = i < 6 ? i : i < 8 ? i + 1 : -1;
        if (distance >= 0) set(8, distance, bit(i));
        else set(i === 8 ? 7 : 14 - i, 8, bit(i));
        if (i < 8) set(size - 1 - i, 8, bit(i));
        else set(8, size - 15 + i, bit(i));
    }
    set(8, size - 8, true);
}

function drawVersion(set, size, version) {
    const bits = (version << 12) | remainder(version, 12, 0x1f25);
    for (let i = 0; i < 18; i += 1) {
        const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)];
        set(a, b, ((bits >> i) & 1) === 1);
        set(b, a, ((bits >> i) & 1) === 1);
    }
}

function remainder(value, degree, polynomial) {
    let result = value;
    for (let i = 0; i < degree; i += 1) result = (result << 1) ^ ((result >> (degree - 1)) * polynomial);
    return result;
}

/** From the lower right corner, in columns of two modules, up and down in turn; the column of the vertical timing pattern is left out. */
function drawCodewords(modules, isFunction, codewords) {
    const size = modules.length;
    let index = 0;
    for (let right = size - 1; right >= 1; right -= 2) {
        if (right === 6) right = 5;
        const isUpward = ((right + 1) & 2) === 0;
        for (let step = 0; step < size; step += 1) {
            const y = isUpward ? size - 1 - step : step;
            for (const x of [right, right - 1]) {
                if (isFunction[y][x]) continue;
                if (index < codewords.length * 8) modules[y][x] = ((codewords[index >> 3] >> (7 - (index & 7))) & 1) === 1;
                index += 1;
            }
        }
    }
}
