/// A plane that touches the ellipsoid of WGS 84 at an origin, with coordinates in millimeters to the east and to the north.
///
/// All operations are additions, multiplications, divisions and square roots, which IEEE 754 defines to the last bit, so that every
/// platform computes the same coordinates. The cosine is a polynomial for the same reason.
struct LocalFrame: Hashable, Sendable {
    /// Grid points have coordinates below this magnitude: 33 km.
    static let limit = 33_000_000

    let longitude: Double
    let latitude: Double
    /// Millimeters in a degree.
    let scaleX: Double
    let scaleY: Double

    /// A frame with its origin at a multiple of a hundredth of a degree, so that most changes of a venue leave it as it is.
    init(longitude: Double, latitude: Double) {
        self.longitude = (longitude * 100 + 0.5).rounded(.down) / 100
        self.latitude = min(max((latitude * 100 + 0.5).rounded(.down) / 100, -90), 90)
        let cosine = max(Self.cosine(ofDegrees: self.latitude), 0.01)
        let double = 2 * cosine * cosine - 1
        let triple = 4 * cosine * cosine * cosine - 3 * cosine
        let fourfold = 2 * double * double - 1
        let fivefold = 2 * cosine * fourfold - triple
        // The series of the lengths of a degree of latitude and of longitude.
        self.scaleY = (111_132.954 - 559.822 * double + 1.175 * fourfold) * 1_000
        self.scaleX = (111_412.84 * cosine - 93.5 * triple + 0.118 * fivefold) * 1_000
    }

    /// A frame at the median of some positions, which a few stray ones do not move. Nil for no positions.
    init?(around positions: [(longitude: Double, latitude: Double)]) {
        guard !positions.isEmpty else { return nil }
        var longitudes = positions.map(\.longitude).sorted()
        if longitudes[longitudes.count - 1] - longitudes[0] > 180 {
            longitudes = longitudes.map { $0 < 0 ? $0 + 360 : $0 }.sorted()
        }
        let latitudes = positions.map(\.latitude).sorted()
        self.init(longitude: longitudes[longitudes.count / 2], latitude: latitudes[latitudes.count / 2])
    }

    /// The grid point of a position; nil if it is too far away.
    func point(longitude: Double, latitude: Double) -> GridPoint? {
        let x = self.wrapped(longitude - self.longitude) * self.scaleX
        let y = (latitude - self.latitude) * self.scaleY
        guard x.magnitude < Double(Self.limit), y.magnitude < Double(Self.limit) else { return nil }
        return FramePosition(x: x, y: y).rounded
    }

    /// Longitude and latitude in units of 10^-8 degrees (1 mm), which print alike everywhere.
    func degrees(of position: FramePosition) -> (longitude: Int, latitude: Int) {
        let longitude = self.wrapped(self.longitude + position.x / self.scaleX)
        let latitude = self.latitude + position.y / self.scaleY
        return (FramePosition.rounded(longitude * 1e8), FramePosition.rounded(latitude * 1e8))
    }

    private func wrapped(_ degrees: Double) -> Double {
        degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
    }

    /// Taylor's series up to 90°, where its error is below 10^-14.
    static func cosine(ofDegrees degrees: Double) -> Double {
        let angle = degrees * 0.017453292519943295
        let square = angle * angle
        var term = 1.0
        var sum = 1.0
        var factor = 1.0
        while factor < 24 {
            term = -(term * square) / (factor * (factor + 1))
            sum += term
            factor += 2
        }
        return sum
    }
}
