// A plane that touches the ellipsoid of WGS 84 at an origin, with coordinates in millimetres to the east and to the north. All operations
// are those that IEEE 754 defines to the last bit, so that every platform computes the same coordinates; `Math.cos` is not one of them.

import { rounded, roundedPoint } from "./grid.js";

/** Grid points have coordinates below this magnitude: 33 km. */
const limit = 33_000_000;

export class LocalFrame {
    /** The origin is a multiple of a hundredth of a degree, so that most changes of a venue leave it as it is. */
    constructor(longitude, latitude) {
        this.longitude = Math.floor(longitude * 100 + 0.5) / 100;
        this.latitude = Math.min(Math.max(Math.floor(latitude * 100 + 0.5) / 100, -90), 90);
        const cosine = Math.max(cosineOf(this.latitude), 0.01);
        const double = 2 * cosine * cosine - 1;
        const triple = 4 * cosine * cosine * cosine - 3 * cosine;
        const fourfold = 2 * double * double - 1;
        const fivefold = 2 * cosine * fourfold - triple;
        // Millimetres in a degree: the series of the lengths of a degree of latitude and of longitude.
        this.scaleY = (111_132.954 - 559.822 * double + 1.175 * fourfold) * 1_000;
        this.scaleX = (111_412.84 * cosine - 93.5 * triple + 0.118 * fivefold) * 1_000;
    }

    /** A frame at the median of some positions, which a few stray ones do not move. */
    static around(positions) {
        if (positions.length === 0) return new LocalFrame(0, 0);
        const ascending = (one, other) => one - other;
        let longitudes = positions.map(([longitude]) => longitude).sort(ascending);
        if (longitudes[longitudes.length - 1] - longitudes[0] > 180) {
            longitudes = longitudes.map((each) => (each < 0 ? each + 360 : each)).sort(ascending);
        }
        const latitudes = positions.map(([, latitude]) => latitude).sort(ascending);
        const middle = Math.floor(positions.length / 2);
        return new LocalFrame(longitudes[middle], latitudes[middle]);
    }

    isSame({ longitude, latitude }) {
        return this.longitude === longitude && this.latitude === latitude;
    }

    /** The grid point of a position; null if it is too far away. */
    point([longitude, latitude]) {
        const x = wrapped(longitude - this.longitude) * this.scaleX;
        const y = (latitude - this.latitude) * this.scaleY;
        return Math.abs(x) < limit && Math.abs(y) < limit ? roundedPoint({ x, y }) : null;
    }

    /** Longitude and latitude with eight decimals (1 mm). */
    degrees({ x, y }) {
        const longitude = wrapped(this.longitude + x / this.scaleX);
        const latitude = this.latitude + y / this.scaleY;
        return [rounded(longitude * 1e8) / 1e8, rounded(latitude * 1e8) / 1e8];
    }
}

const wrapped = (degrees) => (degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees);

/** Taylor's series up to 90°, where its error is below 10^-14. */
function cosineOf(degrees) {
    const angle = degrees * 0.017453292519943295;
    const square = angle * angle;
    let term = 1;
    let sum = 1;
    for (let factor = 1; factor < 24; factor += 2) {
        term = -(term * square) / (factor * (factor + 1));
        sum += term;
    }
    return sum;
}
