// The codewords of a QR code (ISO/IEC 18004): bytes in UTF-8, with error correction level M, versions 1 to 20.

import { errorCorrection } from "./reed-solomon.js";

/** By version: the number of error correction codewords in a block, and the number of blocks. */
const perBlock = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26];
const blockCounts = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];

/** The centres of the alignment patterns in each direction; none in version 1. */
export function alignmentCentres(version) {
    if (version === 1) return [];
    const count = Math.floor(version / 7) + 2;
    const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
    const size = version * 4 + 17;
    return [6, ...Array.from({ length: count - 1 }, (_, i) => size - 7 - (count - 2 - i) * step)];
}

/** The number of codewords of all kinds: the modules that no pattern uses, in groups of eight. */
function codewordCount(version) {
    const count = alignmentCentres(version).length;
    const alignment = count === 0 ? 0 : (25 * count - 10) * count - 55;
    return Math.floor(((16 * version + 128) * version + 64 - alignment - (version >= 7 ? 36 : 0)) / 8);
}

const dataCount = (version) => codewordCount(version) - perBlock[version - 1] * blockCounts[version - 1];
const lengthBits = (version) => (version < 10 ? 8 : 16);

/** `{version, codewords}` of the smallest version that holds a text. Throws a RangeError if none does: more than 666 bytes. */
export function encode(text) {
    const bytes = new TextEncoder().encode(text);
    const versions = perBlock.map((_, i) => i + 1);
    const version = versions.find((each) => 4 + lengthBits(each) + 8 * bytes.length <= 8 * dataCount(each));
    if (!version) throw new RangeError("the text is too long for a QR code");
    return { version, codewords: interleaved(data(bytes, version), version) };
}

/** Mode indicator (bytes), length, bytes, terminator, padding. */
function data(bytes, version) {
    const bits = [];
    const add = (value, count) => { for (let i = count - 1; i >= 0; i -= 1) bits.push((value >> i) & 1); };
    add(0b0100, 4);
    add(bytes.length, lengthBits(version));
    for (const byte of bytes) add(byte, 8);
    const capacity = 8 * dataCount(version);
    add(0, Math.min(4, capacity - bits.length));
    add(0, (8 - (bits.length % 8)) % 8);
    for (let padding = 0xec; bits.length < capacity; padding ^= 0xec ^ 0x11) add(padding, 8);
    return Uint8Array.from({ length: capacity / 8 }, (_, i) => bits.slice(8 * i, 8 * i + 8).reduce((byte, bit) => 2 * byte + bit, 0));
}

/** Divides the data into blocks, of which the last ones may be longer by one codeword, and takes codewords of all blocks in turn. */
function interleaved(codewords, version) {
    const [count, correctionCount] = [blockCounts[version - 1], perBlock[version - 1]];
    const shortLength = Math.floor(codewords.length / count);
    const shortCount = count - (codewords.length % count);
    const blocks = Array.from({ length: count }, (_, i) => {
        const start = i * shortLength + Math.max(0, i - shortCount);
        return codewords.slice(start, start + shortLength + (i < shortCount ? 0 : 1));
    });
    const corrections = blocks.map((block) => errorCorrection(block, correctionCount));
    const inTurn = (lists, length) => Array.from({ length }, (_, i) => lists.filter((list) => i < list.length).map((list) => list[i])).flat();
    return [...inTurn(blocks, shortLength + 1), ...inTurn(corrections, correctionCount)];
}
