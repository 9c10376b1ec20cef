/// A color in light and dark mode, as `#rrggbb` in sRGB.
public struct MapColor: Hashable, Sendable {
    public let light: String
    public let dark: String

    init(_ light: String, _ dark: String) {
        self.light = light
        self.dark = dark
    }

    /// Red, green and blue from 0 to 255.
    public func components(inDarkMode isDark: Bool) -> (red: UInt8, green: UInt8, blue: UInt8) {
        let value = UInt32((isDark ? self.dark : self.light).dropFirst(), radix: 16) ?? 0
        return (UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255))
    }
}

/// The colors of a map. They are those of the web console.
public enum MapPalette {
    /// Behind everything.
    public static let ground = Cartography.shared.color("ground")
    public static let venue = Cartography.shared.color("venue")
    public static let footprint = Cartography.shared.color("footprint")
    public static let level = Cartography.shared.color("level")
    /// The border of a level.
    public static let outline = Cartography.shared.color("outline")
    /// The border of a unit or kiosk.
    public static let wall = Cartography.shared.color("wall")
    public static let shop = Cartography.shared.color("shop")
    public static let food = Cartography.shared.color("food")
    public static let service = Cartography.shared.color("service")
    public static let restroom = Cartography.shared.color("restroom")
    public static let vertical = Cartography.shared.color("vertical")
    public static let walkway = Cartography.shared.color("walkway")
    public static let outdoor = Cartography.shared.color("outdoor")
    public static let parking = Cartography.shared.color("parking")
    public static let nonpublic = Cartography.shared.color("private")
    public static let room = Cartography.shared.color("room")
    public static let opening = Cartography.shared.color("opening")
    public static let fixture = Cartography.shared.color("fixture")
    public static let section = Cartography.shared.color("section")
    public static let kiosk = Cartography.shared.color("kiosk")
    /// A feature that the user chose.
    public static let selected = Cartography.shared.color("selected")
    /// A feature that just changed.
    public static let changed = Cartography.shared.color("changed")
    /// The text of labels.
    public static let label = Cartography.shared.color("label")
    /// Around the text of labels.
    public static let halo = Cartography.shared.color("halo")

    /// All colors, by the names that the web console uses.
    public static let all = Cartography.shared.colors
}
