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

    /// Wide enough that what is near an ordinate lies in its cell or in one neighbour.
    private static let cellSize = 8 * degrees

    /// The cells that hold what is near an ordinate: one or two.
    static func cells(around ordinate: Double) -> [Double] {
        let cells = (low: Self.cell(of: ordinate - 2 * Self.degrees), high: Self.cell(of: ordinate + 2 * Self.degrees))
        return cells.low == cells.high ? [cells.low] : [cells.low, cells.high]
    }

    /// Cut towards zero, so that the two cells beside it are one. What is far beyond the world has no fraction to cut.
    static func cell(of ordinate: Double) -> Double {
        let cells = ordinate / Self.cellSize
        return abs(cells) < 0x1p53 ? Double(Int64(cells)) : cells
    }
}
