// Error correction of QR codes: Reed–Solomon codes over GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1.

const [exponents, logarithms] = [new Uint8Array(255), new Uint8Array(256)];
for (let power = 0, value = 1; power < 255; power += 1) {
    exponents[power] = value;
    logarithms[value] = power;
    value = (value << 1) ^ (value > 127 ? 0x11d : 0);
}

const product = (a, b) => (a === 0 || b === 0 ? 0 : exponents[(logarithms[a] + logarithms[b]) % 255]);

/** The coefficients of the product of (x − 2^i) for i below the degree, without the leading 1, the highest power first. */
function generator(degree) {
    const result = new Uint8Array(degree);
    result[degree - 1] = 1;
    for (let i = 0; i < degree; i += 1) {
        for (let j = 0; j < degree; j += 1) result[j] = product(result[j], exponents[i]) ^ (result[j + 1] ?? 0);
    }
    return result;
}

/** The error correction codewords of a block: the remainder of its division by the generator polynomial. */
export function errorCorrection(block, count) {
    const divisor = generator(count);
    const remainder = new Uint8Array(count);
    for (const codeword of block) {
        const factor = codeword ^ remainder[0];
        remainder.copyWithin(0, 1);
        remainder[count - 1] = 0;
        divisor.forEach((coefficient, i) => { remainder[i] ^= product(coefficient, factor); });
    }
    return remainder;
}
