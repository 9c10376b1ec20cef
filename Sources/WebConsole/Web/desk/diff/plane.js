// A local tangent plane in metres, x to the east and y to the south, as in SVG. A venue is small enough to ignore the curvature
// of the Earth.

const metresPerDegree = 111_320;

export class Plane {
    constructor([longitude, latitude]) {
        this.longitude = longitude;
        this.latitude = latitude;
        this.eastScale = metresPerDegree * Math.cos((latitude * Math.PI) / 180);
    }

    /** Converts a position to the plane, rounded to millimetres, which keeps SVG paths short. */
    point([longitude, latitude]) {
        const x = (longitude - this.longitude) * this.eastScale;
        const y = (this.latitude - latitude) * metresPerDegree;
        return [Math.round(x * 1000) / 1000, Math.round(y * 1000) / 1000];
    }
}
