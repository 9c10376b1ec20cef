// How hard a QR code is to read, which determines its mask (ISO/IEC 18004 §7.8.3).

const finder = [true, false, true, true, true, false, true];
const margin = [false, false, false, false];
const finderLike = [[...margin, ...finder], [...finder, ...margin]];

/** The penalty of modules; less is better. */
export function penalty(modules) {
    const size = modules.length;
    const columns = modules.map((_, x) => modules.map((row) => row[x]));
    let sum = 0;
    for (const line of [...modules, ...columns]) sum += runs(line) + finders(line);
    for (let y = 1; y < size; y += 1) {
        for (let x = 1; x < size; x += 1) {
            const isDark = modules[y][x];
            if (modules[y][x - 1] === isDark && modules[y - 1][x] === isDark && modules[y - 1][x - 1] === isDark) sum += 3;
        }
    }
    const dark = modules.flat().filter(Boolean).length;
    return sum + 10 * Math.floor(Math.abs(dark * 20 - size * size * 10) / (size * size));
}

function runs(line) {
    let [sum, length] = [0, 0];
    line.forEach((isDark, i) => {
        length = i > 0 && isDark === line[i - 1] ? length + 1 : 1;
        if (length === 5) sum += 3;
        else if (length > 5) sum += 1;
    });
    return sum;
}

function finders(line) {
    let sum = 0;
    for (let start = 0; start + 11 <= line.length; start += 1) {
        for (const pattern of finderLike) if (pattern.every((isDark, i) => line[start + i] === isDark)) sum += 40;
    }
    return sum;
}
