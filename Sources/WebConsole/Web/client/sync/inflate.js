// Raw DEFLATE (RFC 1951) with a preset dictionary, which the decompression of browsers does not offer.

import { malformed } from "./sync-error.js";

const lengthBases = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385,
    24577];
const distanceBits = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
/** The order in which the lengths of the code length codes are sent. */
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const maximumBits = 15;
/** How far back a match can refer. */
const windowSize = 32_768;

/**
 * Decompresses a complete stream. Throws a `SyncError` of the kind `malformed` for a damaged or truncated one, for bytes after its end,
 * and as soon as the text has more than `limit` bytes.
 */
export function inflate(stream, dictionary, limit) {
    const input = new BitReader(stream);
    const output = new Output(dictionary.subarray(Math.max(0, dictionary.length - windowSize)), limit);
    for (let isLast = false; !isLast; ) {
        isLast = input.bits(1) === 1;
        switch (input.bits(2)) {
            case 0: copyStored(input, output); break;
            case 1: copyCoded(input, output, fixedLiterals, fixedDistances); break;
            case 2: copyCoded(input, output, ...readCodes(input)); break;
            default: throw damaged();
        }
    }
    input.expectEnd();
    return output.text();
}

function damaged() {
    return malformed("a compressed stream that is damaged or truncated");
}

class BitReader {
    #bytes;
    #offset = 0;
    #buffer = 0;
    #count = 0;

    constructor(bytes) {
        this.#bytes = bytes;
    }

    /** The next bits as a number; at most 16. */
    bits(count) {
        while (this.#count < count) {
            if (this.#offset >= this.#bytes.length) throw damaged();
            this.#buffer |= this.#bytes[this.#offset] << this.#count;
            this.#offset += 1;
            this.#count += 8;
        }
        const value = this.#buffer & ((1 << count) - 1);
        this.#buffer >>>= count;
        this.#count -= count;
        return value;
    }

    /** Whole bytes after the rest of the current one. */
    bytes(count) {
        if (this.#offset + count > this.#bytes.length) throw damaged();
        this.#offset += count;
        return this.#bytes.subarray(this.#offset - count, this.#offset);
    }

    skipToByte() {
        // Fewer than eight bits are buffered: `bits` reads no byte before it is needed.
        this.#buffer = this.#count = 0;
    }

    expectEnd() {
        if (this.#offset !== this.#bytes.length) throw damaged();
    }
}

/** The text, after the dictionary. */
class Output {
    #start;
    #bytes;
    #length;
    #maximum;

    constructor(dictionary, limit) {
        this.#start = this.#length = dictionary.length;
        this.#maximum = dictionary.length + limit;
        this.#bytes = new Uint8Array(dictionary.length + Math.min(limit, 4096));
        this.#bytes.set(dictionary);
    }

    text() {
        return this.#bytes.subarray(this.#start, this.#length);
    }

    #reserve(count) {
        const needed = this.#length + count;
        if (needed > this.#maximum) throw malformed("a text that is too large");
        if (needed <= this.#bytes.length) return;
        const larger = new Uint8Array(Math.min(this.#maximum, Math.max(needed, 2 * this.#bytes.length)));
        larger.set(this.#bytes);
        this.#bytes = larger;
    }

    add(byte) {
        this.#reserve(1);
        this.#bytes[this.#length] = byte;
        this.#length += 1;
    }

    addAll(bytes) {
        this.#reserve(bytes.length);
        this.#bytes.set(bytes, this.#length);
        this.#length += bytes.length;
    }

    /** Repeats what is `distance` bytes back. */
    copy(length, distance) {
        if (distance > this.#length) throw damaged();
        this.#reserve(length);
        // Byte by byte: the source may overlap what is written.
        for (let index = 0; index < length; index += 1) {
            this.#bytes[this.#length] = this.#bytes[this.#length - distance];
            this.#length += 1;
        }
    }
}

/** A canonical Huffman code: the number of codes of each length, and the symbols in the order of their codes. */
class Code {
    constructor(lengths) {
        this.counts = new Uint16Array(maximumBits + 1);
        for (const length of lengths) this.counts[length] += 1;
        this.counts[0] = 0;
        const offsets = new Uint16Array(maximumBits + 2);
        let left = 1;
        for (let bits = 1; bits <= maximumBits; bits += 1) {
            left = 2 * left - this.counts[bits];
            if (left < 0) throw damaged();
            offsets[bits + 1] = offsets[bits] + this.counts[bits];
        }
        /** Whether some bits are no code. Allowed only for a code with one symbol, or none. */
        this.isIncomplete = left > 0;
        this.symbolCount = offsets[maximumBits + 1];
        this.symbols = new Uint16Array(this.symbolCount);
        lengths.forEach((length, symbol) => {
            if (length > 0) {
                this.symbols[offsets[length]] = symbol;
                offsets[length] += 1;
            }
        });
    }

    read(input) {
        let [code, first, index] = [0, 0, 0];
        for (let bits = 1; bits <= maximumBits; bits += 1) {
            code |= input.bits(1);
            const count = this.counts[bits];
            if (code - count < first) return this.symbols[index + code - first];
            index += count;
            first = 2 * (first + count);
            code *= 2;
        }
        throw damaged();
    }
}

const fixedLiterals = new Code(Array.from({ length: 288 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8)));
const fixedDistances = new Code(Array(30).fill(5));

function copyStored(input, output) {
    input.skipToByte();
    const [low, high, lowComplement, highComplement] = input.bytes(4);
    const length = low | (high << 8);
    if (length !== (~(lowComplement | (highComplement << 8)) & 0xffff)) throw damaged();
    output.addAll(input.bytes(length));
}

function copyCoded(input, output, literals, distances) {
    for (;;) {
        const symbol = literals.read(input);
        if (symbol < 256) {
            output.add(symbol);
            continue;
        }
        if (symbol === 256) return;
        const lengthIndex = symbol - 257;
        if (lengthIndex >= lengthBases.length) throw damaged();
        const length = lengthBases[lengthIndex] + input.bits(lengthBits[lengthIndex]);
        const distanceIndex = distances.read(input);
        if (distanceIndex >= distanceBases.length) throw damaged();
        output.copy(length, distanceBases[distanceIndex] + input.bits(distanceBits[distanceIndex]));
    }
}

function readCodes(input) {
    const [literalCount, distanceCount, lengthCount] = [input.bits(5) + 257, input.bits(5) + 1, input.bits(4) + 4];
    if (literalCount > 286 || distanceCount > 30) throw damaged();
    const codeLengths = Array(19).fill(0);
    for (const symbol of codeLengthOrder.slice(0, lengthCount)) codeLengths[symbol] = input.bits(3);
    const code = new Code(codeLengths);
    if (code.isIncomplete) throw damaged();
    const lengths = [];
    while (lengths.length < literalCount + distanceCount) {
        const symbol = code.read(input);
        if (symbol < 16) {
            lengths.push(symbol);
            continue;
        }
        if (symbol === 16 && lengths.length === 0) throw damaged();
        const [value, count] = symbol === 16 ? [lengths.at(-1), 3 + input.bits(2)] : [0, symbol === 17 ? 3 + input.bits(3) : 11 + input.bits(7)];
        for (let repeated = 0; repeated < count; repeated += 1) lengths.push(value);
    }
    if (lengths.length > literalCount + distanceCount || lengths[256] === 0) throw damaged();
    const codes = [new Code(lengths.slice(0, literalCount)), new Code(lengths.slice(literalCount))];
    if (codes.some(({ isIncomplete, symbolCount }) => isIncomplete && symbolCount > 1)) throw damaged();
    return codes;
}
