/// The distance up to which two coordinates are treated as equal.
package enum Tolerance {
    /// In degrees, inclusive, for each ordinate: about a centimetre on the ground.
    package static let degrees = 1e-7

    /// Decimals are not exact doubles: up to 180, two decimals that are exactly 1e-7 apart are at most 2^-45 further apart as
    /// doubles. Twice that includes the limit itself and excludes 1e-7 plus a thousandth of it.
    static let limit = degrees + 0x1p-44

    package static func near(_ left: Double, _ right: Double) -> Bool {
        abs(left - right) <= Self.limit
    }

    /// Wide enough that all ordinates within the tolerance of one lie in its cell or in one neighboring cell.
    private static let cellSize = 8 * degrees

    /// The cells of all ordinates within the tolerance: one or two.
    static func cells(around ordinate: Double) -> [Double] {
        let cells = (low: Self.cell(of: ordinate - 2 * Self.degrees), high: Self.cell(of: ordinate + 2 * Self.degrees))
        return cells.low == cells.high ? [cells.low] : [cells.low, cells.high]
    }

    /// Rounded towards zero, so that the two cells next to zero are one. Very large ordinates have no fraction.
    static func cell(of ordinate: Double) -> Double {
        let cells = ordinate / Self.cellSize
        return abs(cells) < 0x1p53 ? Double(Int64(cells)) : cells
    }
}
