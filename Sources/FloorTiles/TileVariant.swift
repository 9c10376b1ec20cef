/// The light or the dark colours of the cartography.
package enum TileTheme: String, Hashable, Sendable, CaseIterable {
    case light, dark
}

/// The format of tiles.
package enum TileFormat: String, Hashable, Sendable, CaseIterable {
    case png, mvt

    package var mediaType: String {
        switch self {
        case .png: "image/png"
        case .mvt: "application/vnd.mapbox-vector-tile"
        }
    }
}

/// What a tile shows of its level, besides its address.
package struct TileVariant: Hashable, Sendable {
    package var format: TileFormat
    /// A BCP 47 tag; nil for the language of the venue. The language of a vector tile is that of its property `name`.
    package var language: String?
    /// Of no effect on vector tiles.
    package var theme: TileTheme
    /// 1 for 256 pixels, 2 for 512. Of no effect on vector tiles.
    package var scale: Int

    package init(format: TileFormat, language: String? = nil, theme: TileTheme = .light, scale: Int = 1) {
        self.format = format
        self.language = language
        self.theme = theme
        self.scale = scale
    }
}
