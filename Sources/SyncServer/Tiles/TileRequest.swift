import FloorTiles
import Hummingbird
import IMDF
import RevisionStore
import SyncModel

/// The floor that tiles show.
enum TileFloor: Hashable, Sendable {
    case ordinal(Int)
    case level(FeatureID)
    /// Every level, for vector tiles whose clients choose what they show.
    case all

    /// Vector tiles with more levels would be too large.
    private static let maximumLevels = 64
    /// Each tile of an ordinal draws all of its levels: those of all buildings.
    private static let maximumLevelsOfOrdinal = 500

    /// Reads an ordinal such as `-1`, the id of a level, or `all`; anything else is no floor of any venue.
    init?(_ text: some StringProtocol, allowsAll: Bool = false) {
        if allowsAll, text == "all" {
            self = .all
        } else if let id = FeatureID(String(text)) {
            self = .level(id)
        } else if let ordinal = Int(text), "\(ordinal)" == text {
            self = .ordinal(ordinal)
        } else {
            return nil
        }
    }

    /// The levels of the floor in a revision, by id.
    ///
    /// - Throws: A problem if there are none.
    func levels(in revision: RevisionRecord) throws -> [FeatureID] {
        let levels = revision.levels.filter { level in
            switch self {
            case .ordinal(let ordinal): level.ordinal == ordinal
            case .level(let id): level.id == id
            case .all: true
            }
        }
        guard self != .all || levels.count <= Self.maximumLevels else {
            throw Problem.tileNotFound("The venue has more than \(Self.maximumLevels) levels; name one floor.")
        }
        guard levels.count <= Self.maximumLevelsOfOrdinal else {
            throw Problem.tileNotFound("More than \(Self.maximumLevelsOfOrdinal) levels have the ordinal; name one.")
        }
        guard !levels.isEmpty else { throw Problem.tileNotFound("There is no such floor in the revision.") }
        return levels.map(\.id)
    }
}

/// The tile that a path names.
struct TilePath: Hashable, Sendable {
    let floor: TileFloor
    let tile: TileAddress
    let format: TileFormat
    /// 1 for 256 pixels, 2 for 512.
    let scale: Int

    /// Reads `{floor}_{z}_{x}_{y}.png` or `…@2x.png`.
    init(flat name: String) throws {
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 4 else { throw Problem.notFound }
        try self.init(floor: parts[0], zoom: parts[1], x: parts[2], file: parts[3], formats: [.png])
    }

    /// Reads the components of `{floor}/{z}/{x}/{y}.png`, `…@2x.png` or `.mvt`.
    init(_ parameters: Parameters) throws {
        func component(_ name: String) throws -> Substring {
            guard let value = parameters.get(name) else { throw Problem.notFound }
            return value[...]
        }
        try self.init(
            floor: component("floor"), zoom: component("z"), x: component("x"), file: component("y"),
            formats: TileFormat.allCases)
    }

    private init(
        floor: Substring, zoom: Substring, x: Substring, file: Substring, formats: [TileFormat]
    ) throws {
        guard let dot = file.lastIndex(of: "."),
            let format = formats.first(where: { $0.rawValue == file[file.index(after: dot)...] })
        else { throw Problem.notFound }
        let name = file[..<dot]
        let isLarge = format == .png && name.hasSuffix("@2x")
        guard let zoom = Self.number(zoom), let x = Self.number(x),
            let y = Self.number(isLarge ? name.dropLast(3) : name)
        else { throw Problem.notFound }
        guard let floor = TileFloor(floor, allowsAll: format == .mvt) else {
            throw Problem.tileNotFound("A floor is an ordinal or the id of a level.")
        }
        guard let tile = TileAddress(zoom: zoom, x: x, y: y) else {
            let zooms = TileAddress.zooms
            throw Problem.tileNotFound(
                "The zoom must be from \(zooms.lowerBound) to \(zooms.upperBound), and x and y less than 2^zoom.")
        }
        (self.floor, self.tile, self.format, self.scale) = (floor, tile, format, isLarge ? 2 : 1)
    }

    /// A number without sign and leading zeros, so that a tile has one address.
    private static func number(_ text: Substring) -> Int? {
        guard let number = Int(text), number >= 0, "\(number)" == text else { return nil }
        return number
    }
}

extension QueryValues {
    private static let maximumTagLength = 35

    /// `lang=` and `theme=` of tiles.
    func tileVariant(_ format: TileFormat, scale: Int = 1) throws -> TileVariant {
        let language = try self.text("lang")
        if let language, !Self.isLanguageTag(language) {
            throw Problem.parameter("lang", "It must be a BCP 47 language tag, such as en or zh-Hant.")
        }
        let name = try self.text("theme")
        guard let theme = name.map(TileTheme.init(rawValue:)) ?? .light else {
            throw Problem.parameter("theme", "It must be light or dark.")
        }
        return TileVariant(format: format, language: language?.lowercased(), theme: theme, scale: scale)
    }

    /// `lang=` as a list of languages with commas between them, in lower case, each once.
    func languages(atMost count: Int) throws -> [String] {
        let tags = try self.text("lang")?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
        guard tags.count <= count, tags.allSatisfy(Self.isLanguageTag) else {
            throw Problem.parameter(
                "lang", "It must be a BCP 47 language tag, such as en or zh-Hant, or up to \(count) with commas.")
        }
        var known: Set<String> = []
        return tags.map { $0.lowercased() }.filter { known.insert($0).inserted }
    }

    private static func isLanguageTag(_ text: String) -> Bool {
        guard text.utf8.count <= Self.maximumTagLength else { return false }
        let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let first = subtags.first, (2...8).contains(first.utf8.count),
            first.utf8.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) })
        else { return false }
        return subtags.dropFirst().allSatisfy { subtag in
            (1...8).contains(subtag.utf8.count)
                && subtag.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) }
        }
    }

    func tileFormat() throws -> TileFormat {
        guard let format = try self.text("format").map(TileFormat.init(rawValue:)) ?? .mvt else {
            throw Problem.parameter("format", "It must be png or mvt.")
        }
        return format
    }
}
