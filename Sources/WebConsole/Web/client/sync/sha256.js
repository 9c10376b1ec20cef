// SHA-256 (FIPS 180-4), for pages without a secure context.

/** The fractional parts of roots of the first primes, as 32-bit words. */
function constants(count, root) {
    const words = [];
    for (let candidate = 2; words.length < count; candidate += 1) {
        let isPrime = true;
        for (let factor = 2; factor * factor <= candidate; factor += 1) isPrime &&= candidate % factor !== 0;
        if (isPrime) words.push(((candidate ** (1 / root)) % 1) * 2 ** 32 | 0);
    }
    return Int32Array.from(words);
}

const initial = constants(8, 2);
const rounds = constants(64, 3);

/** The 32 bytes of the hash. */
export function sha256(bytes) {
    const state = Int32Array.from(initial);
    const schedule = new Int32Array(64);
    const whole = bytes.length - (bytes.length % 64);
    for (let offset = 0; offset < whole; offset += 64) compress(state, schedule, bytes, offset);
    // The rest, a one bit, zeros, and the length in bits as 64-bit integer.
    const rest = new Uint8Array(bytes.length - whole < 56 ? 64 : 128);
    rest.set(bytes.subarray(whole));
    rest[bytes.length - whole] = 0x80;
    const view = new DataView(rest.buffer);
    view.setUint32(rest.length - 8, Math.floor(bytes.length / 2 ** 29));
    view.setUint32(rest.length - 4, (bytes.length << 3) >>> 0);
    for (let offset = 0; offset < rest.length; offset += 64) compress(state, schedule, rest, offset);
    const hash = new DataView(new ArrayBuffer(32));
    state.forEach((word, index) => hash.setInt32(index * 4, word));
    return new Uint8Array(hash.buffer);
}

function compress(state, w, bytes, offset) {
    for (let i = 0; i < 16; i += 1) {
        const at = offset + i * 4;
        w[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
    }
    for (let i = 16; i < 64; i += 1) {
        const x = w[i - 15], y = w[i - 2];
        const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
        const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
        w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i += 1) {
        const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
        const t1 = (h + s1 + ((e & f) ^ (~e & g)) + rounds[i] + w[i]) | 0;
        const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
        const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        h = g; g = f; f = e; e = (d + t1) | 0; d = c; c = b; b = a; a = (t1 + t2) | 0;
    }
    state[0] += a; state[1] += b; state[2] += c; state[3] += d; state[4] += e; state[5] += f; state[6] += g; state[7] += h;
}
