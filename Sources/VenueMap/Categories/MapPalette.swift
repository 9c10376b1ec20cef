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
    public static let ground = MapColor("#eceee9", "#0f1316")
    public static let venue = MapColor("#dfe9d3", "#16211b")
    public static let footprint = MapColor("#cfd6cc", "#1d2629")
    public static let level = MapColor("#ffffff", "#2b343b")
    /// The border of a level.
    public static let outline = MapColor("#4d5a66", "#93a4b2")
    /// The border of a unit or kiosk.
    public static let wall = MapColor("#b9ab98", "#56646f")
    public static let shop = MapColor("#ffdca3", "#7a5620")
    public static let food = MapColor("#ffb9a0", "#82412f")
    public static let service = MapColor("#aed5ff", "#25537f")
    public static let restroom = MapColor("#b3c3ff", "#334a96")
    public static let vertical = MapColor("#cdbcf8", "#533f87")
    public static let walkway = MapColor("#ffffff", "#2b343b")
    public static let outdoor = MapColor("#b4e0a0", "#2a5632")
    public static let parking = MapColor("#d5dbe6", "#343e4c")
    public static let nonpublic = MapColor("#dedcd6", "#22292d")
    public static let room = MapColor("#f2e9d6", "#423f38")
    public static let opening = MapColor("#ffffff", "#2b343b")
    public static let fixture = MapColor("#d5d0c6", "#414c52")
    public static let section = MapColor("#8a6fb3", "#b59ae0")
    public static let kiosk = MapColor("#ffc93f", "#94701a")
    /// A feature that the user chose.
    public static let selected = MapColor("#0b57d0", "#7db4ff")
    /// A feature that just changed.
    public static let changed = MapColor("#d6197e", "#ff6cc0")
    /// The text of labels.
    public static let label = MapColor("#232b33", "#f1f5f8")
    /// Around the text of labels.
    public static let halo = MapColor("#ffffff", "#14191d")

    /// All colors, by the names that the web console uses.
    public static let all: [String: MapColor] = [
        "ground": Self.ground, "venue": Self.venue, "footprint": Self.footprint, "level": Self.level,
        "outline": Self.outline, "wall": Self.wall, "shop": Self.shop, "food": Self.food, "service": Self.service,
        "restroom": Self.restroom, "vertical": Self.vertical, "walkway": Self.walkway, "outdoor": Self.outdoor,
        "parking": Self.parking, "private": Self.nonpublic, "room": Self.room, "opening": Self.opening,
        "fixture": Self.fixture, "section": Self.section, "kiosk": Self.kiosk, "selected": Self.selected,
        "changed": Self.changed, "label": Self.label, "halo": Self.halo,
    ]
}
