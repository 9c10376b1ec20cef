// A local tangent plane in metres, x to the east and y to the south, as in SVG. A venue is small enough to ignore the curvature
// of the Earth.

const metresPerDegree = 111_320;

/** The shorter way between two longitudes, which crosses the antimeridian if that is shorter, in degrees from -180 to 180. */
const eastward = (from, to) => to - from - 360 * Math.round((to - from) / 360);

/** The way from one position of a venue to another in metres, `[east, north]`. */
export function displacement(from, to) {
    const eastScale = metresPerDegree * Math.cos((from[1] * Math.PI) / 180);
    return [eastward(from[0], to[0]) * eastScale, (to[1] - from[1]) * metresPerDegree];
}

export class Plane {
    constructor([longitude, latitude]) {
        this.longitude = longitude;
        this.latitude = latitude;
        this.eastScale = metresPerDegree * Math.cos((latitude * Math.PI) / 180);
    }

    /** Converts a position to the plane, rounded to millimetres, which keeps SVG paths short. */
    point([longitude, latitude]) {
        const x = eastward(this.longitude, longitude) * this.eastScale;
        const y = (this.latitude - latitude) * metresPerDegree;
        return [Math.round(x * 1000) / 1000, Math.round(y * 1000) / 1000];
    }
}
