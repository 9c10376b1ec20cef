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
    public static let ground = MapColor("#e9ebe6", "#101412")
    public static let venue = MapColor("#dfe5d8", "#17201a")
    public static let footprint = MapColor("#d3d8cf", "#1c2420")
    public static let level = MapColor("#fbfbf9", "#252c28")
    /// The border of a level.
    public static let outline = MapColor("#8f998f", "#6a766e")
    /// The border of a unit or kiosk.
    public static let wall = MapColor("#b9bfb6", "#5a6760")
    public static let shop = MapColor("#fde3c4", "#5b4731")
    public static let food = MapColor("#fbd3c8", "#603c34")
    public static let service = MapColor("#d5e4f7", "#2e4a66")
    public static let restroom = MapColor("#cfdcf5", "#2d3c5c")
    public static let vertical = MapColor("#d9d3f0", "#3d3858")
    public static let walkway = MapColor("#ffffff", "#2d3531")
    public static let outdoor = MapColor("#d5ebcf", "#27402d")
    public static let parking = MapColor("#dfe3ea", "#2f353d")
    public static let nonpublic = MapColor("#e3e3df", "#1f2522")
    public static let room = MapColor("#efe9dc", "#383b3d")
    public static let opening = MapColor("#ffffff", "#9aa59e")
    public static let fixture = MapColor("#cfd4cb", "#3a433e")
    public static let section = MapColor("#8a6fb3", "#b59ae0")
    public static let kiosk = MapColor("#ffd98a", "#6b5521")
    /// A feature that the user chose.
    public static let selected = MapColor("#0f6b62", "#5cc9bb")
    /// A feature that just changed.
    public static let changed = MapColor("#e0218a", "#ff6cc0")
    /// The text of labels.
    public static let label = MapColor("#2a312c", "#eef2ef")
    /// Around the text of labels.
    public static let halo = MapColor("#ffffff", "#1a1f1c")

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
