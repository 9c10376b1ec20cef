/// How far apart two coordinates may be and still say the same place.
package enum Tolerance {
    /// In degrees, each ordinate by itself, this distance included: about a centimetre on the ground.
    package static let degrees = 1e-7

    /// Decimals have no exact doubles: two that are written exactly 1e-7 apart lie, up to 180, at most 2^-45 further apart
    /// as doubles. Twice that keeps the limit itself inside, and 1e-7 and a thousandth more outside.
    static let limit = degrees + 0x1p-44

    package static func near(_ left: Double, _ right: Double) -> Bool {
        abs(left - right) <= Self.limit
    }
}
