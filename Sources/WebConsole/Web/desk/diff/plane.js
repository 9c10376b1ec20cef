// Metres on the ground around one place, x to the east and y to the south, as a drawing wants them.
// A venue is small: the Earth counts as flat across it.

const metresPerDegree = 111_320;

export class Plane {
    constructor([longitude, latitude]) {
        this.longitude = longitude;
        this.latitude = latitude;
        this.eastScale = metresPerDegree * Math.cos((latitude * Math.PI) / 180);
    }

    /** To millimetres, which keeps the paths short. */
    point([longitude, latitude]) {
        const x = (longitude - this.longitude) * this.eastScale;
        const y = (this.latitude - latitude) * metresPerDegree;
        return [Math.round(x * 1000) / 1000, Math.round(y * 1000) / 1000];
    }

    place([x, y]) {
        return [this.longitude + x / this.eastScale, this.latitude - y / metresPerDegree];
    }
}
