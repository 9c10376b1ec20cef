import FloorTiles
import Foundation
import IMDF
import SampleVenue
import Testing
import VenueMap

/// Styles, sprites, glyphs, and the cartography that they are made from.
@Suite struct StyleTests {
    private static func cartography() throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(CartographyDocument.json))
    }

    private static func style(
        _ ordinal: Int?, _ floorSwitch: MapStyle.FloorSwitch, bounds: BoundingBox? = nil
    ) -> JSONObject {
        MapStyle(
            name: "mall",
            addresses: .init(
                tiles: "http://x/{z}/{x}/{y}.mvt", sprite: "http://x/light", glyphs: "http://x/{fontstack}/{range}.pbf"),
            bounds: bounds, ordinal: ordinal, floorSwitch: floorSwitch, fontStack: "Sans JP", theme: .light
        ).json
    }

    @Test func `a style begins at a zoom that has tiles, however large the venue is`() {
        for degrees in [0.001, 0.05, 1] {
            let box = BoundingBox(west: 8, south: 50, east: 8 + degrees, north: 50 + degrees)
            let zoom = Self.style(0, .filter, bounds: box)["zoom"]?.number ?? 0
            #expect((Double(TileAddress.zooms.lowerBound)...21).contains(zoom), "\(degrees)")
        }
    }

    @Test func `the cartography names pictograms, colours and groups that exist`() throws {
        let document = try Self.cartography()
        let pictograms = try #require(document["pictograms"]?.object)
        let palette = try #require(document["palette"]?.object)
        #expect(pictograms.members.count > 40 && Pictogram.all.count == pictograms.members.count)
        var used: Set<String> = []
        for category in document["categories"]?.object?.members ?? [] {
            #expect(category.value["en"]?.string?.isEmpty == false && category.value["ja"]?.string?.isEmpty == false)
            guard let icon = category.value["icon"]?.string else { continue }
            #expect(pictograms[icon] != nil, "\(category.key): \(icon)")
            used.insert(icon)
        }
        #expect(Set(pictograms.members.map(\.key)) == used, "a pictogram is not used")
        for group in document["groups"]?.array ?? [] {
            for role in ["fill", "outline"] {
                let name = try #require(group[role]?.string)
                #expect(palette[name] != nil)
            }
        }
        for type in document["types"]?.object?.members ?? [] {
            for name in [type.value["fill"], type.value["outline"]].compactMap({ $0?.string }) where name != "group" {
                #expect(palette[name] != nil, "\(type.key)")
            }
        }
    }

    @Test func `every pictogram is a closed outline within its square`() {
        for pictogram in Pictogram.all {
            #expect(pictogram.outline.count > 3 && pictogram.outline.last == .close, "\(pictogram.id)")
            for command in pictogram.outline {
                switch command {
                case .move(let x, let y), .line(let x, let y), .curve(_, _, _, _, let x, let y):
                    #expect((0...Pictogram.side).contains(x) && (0...Pictogram.side).contains(y), "\(pictogram.id)")
                case .close: break
                }
            }
        }
    }

    @Test func `each layer of a style selects the floor by the second member of its filter`() throws {
        for floorSwitch in MapStyle.FloorSwitch.allCases {
            let style = Self.style(-1, floorSwitch)
            let shown: JSONValue = floorSwitch == .filter ? -1 : ["global-state", "ordinal"]
            let layers = try #require(style["layers"]?.array)
            #expect(layers.count > 10 && Set(layers.map { $0["id"] }).count == layers.count)
            for layer in layers {
                #expect(layer["filter"]?.array?[1] == ["==", ["get", "ordinal"], shown], "\(layer["id"] ?? nil)")
            }
            #expect((style["state"] == nil) == (floorSwitch == .filter))
        }
        let layers = try #require(Self.style(nil, .filter)["layers"]?.array)
        #expect(layers.allSatisfy { $0["filter"]?.array?.first ?? "all" == "all" })
    }

    @Test func `names along their area are below horizontal ones, and have a size and a rank at each zoom`() throws {
        let layers = try #require(Self.style(0, .filter)["layers"]?.array)
        #expect(layers.suffix(2).map { $0["id"] } == ["label-text-turned", "label-text"])
        for layer in layers.suffix(2) {
            let sizes = try #require(layer["layout"]?["text-size"]?.array)
            #expect(stride(from: 3, to: sizes.count, by: 2).map { sizes[$0].number } == [15, 16, 17, 18, 19, 20, 21])
            let ranks = try #require(layer["layout"]?["symbol-sort-key"]?.array)
            #expect(stride(from: 3, to: ranks.count, by: 2).map { ranks[$0].number } == [16, 17, 18, 19, 20, 21])
        }
    }

    @Test func `a sprite has every pictogram within its image, without overlaps`() throws {
        for scale in [1, 2] {
            let sheet = SpriteSheet(.dark, scale: scale, by: renderer)
            let size = sheet.png[16..<24].reduce(into: (UInt64(0))) { $0 = $0 << 8 | UInt64($1) }
            let (width, height) = (Int(size >> 32), Int(size & 0xFFFF_FFFF))
            var taken: [Range<Int>] = []
            #expect(sheet.index.members.count == Pictogram.all.count + 1)
            for member in sheet.index.members {
                let numbers = ["x", "y", "width", "height", "pixelRatio"].map { Int(member.value[$0]?.number ?? -1) }
                #expect(numbers[0] + numbers[2] <= width && numbers[1] + numbers[3] <= height && numbers[4] == scale)
                // In the rows of the image, one after the other.
                taken += (0..<numbers[3]).map { row in
                    let start = (numbers[1] + row) * width + numbers[0]
                    return start..<(start + numbers[2])
                }
            }
            taken.sort { $0.lowerBound < $1.lowerBound }
            #expect(zip(taken, taken.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
        }
    }

    @Test func `glyphs have a border of three pixels, and letters are deep inside and far outside somewhere`() throws {
        let stacks = FontStacks(fonts: TileFonts.installed)
        let latin = try #require(stacks.glyphs("Sans JP", block: 0))
        let stack = try #require(Message(latin).bytes(1).first)
        #expect(Message(stack).bytes(1) == [Array("Sans JP".utf8)] && Message(stack).bytes(2) == [Array("0-255".utf8)])
        let glyphs = Message(stack).bytes(3).map { Message($0) }
        let letter = try #require(glyphs.first { $0.number(1) == 0x41 })
        let (width, height) = (letter.number(3), letter.number(4))
        let field = try #require(letter.bytes(2).first)
        #expect((12...18).contains(width) && (15...20).contains(height) && (12...18).contains(letter.number(7)))
        #expect(field.count == Int((width + 6) * (height + 6)))
        #expect(field.max() ?? 0 > 200 && field.prefix(Int(width) + 6).allSatisfy { $0 < 191 })
        // A space has an advance, and nothing to draw.
        let space = try #require(glyphs.first { $0.number(1) == 0x20 })
        #expect(space.bytes(2).isEmpty && space.number(7) > 3)
        #expect(stacks.glyphs("Comic", block: 0) == nil)
        #expect(FontStacks.name(for: "zh-Hant-TW") == "Sans TC" && FontStacks.name(for: nil) == "Sans JP")
    }
}

/// A message of Protocol Buffers with numbers and texts.
struct Message {
    private var numbers: [UInt64: UInt64] = [:]
    private var contents: [UInt64: [[UInt8]]] = [:]

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        func varint() -> UInt64 {
            var (value, shift) = (UInt64(0), UInt64(0))
            while let byte = rest.popFirst() {
                value |= UInt64(byte & 127) << shift
                shift += 7
                if byte < 128 { break }
            }
            return value
        }
        while !rest.isEmpty {
            let tag = varint()
            if tag & 7 == 0 {
                self.numbers[tag >> 3] = varint()
            } else {
                let count = Int(varint())
                self.contents[tag >> 3, default: []].append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
        }
    }

    func number(_ field: UInt64) -> UInt64 { self.numbers[field] ?? 0 }
    func bytes(_ field: UInt64) -> [[UInt8]] { self.contents[field] ?? [] }
}
