import FloorTiles
import IMDF
import SampleVenue
import Testing

/// Where labels are.
@Suite struct LabelTests {
    @Test(arguments: 0..<4 as Range<UInt64>)
    func `labels overlap neither each other nor the outline of the level`(seed: UInt64) throws {
        let venue = SampleVenue(.init(levels: 2, unitsPerLevel: 60, seed: seed))
        var count = 0
        for level in venue.preparedLevels() {
            for zoom in TileAddress.zooms {
                let labels = level.labels(zoom: zoom, language: seed % 2 == 0 ? "en" : nil, by: renderer.engine)
                let boxes = labels.map {
                    PixelBox(left: $0.left, top: $0.top, width: $0.width, height: $0.height)
                }
                count += boxes.count
                for (index, box) in boxes.enumerated() {
                    #expect(!boxes[..<index].contains { $0.overlaps(box) }, "zoom \(zoom)")
                    #expect(level.facade.contains(box.world(Double(256 << zoom))), "zoom \(zoom)")
                }
            }
        }
        #expect(count > 100)
    }

    @Test(arguments: ["Twenty-four hour supermarket and pharmacy south", "木漏れ日化粧品セレクションプラス本館南口"])
    func `the outlines of a long text reach to its end`(text: String) throws {
        let line = try #require(renderer.engine.layouts(of: text, language: "ja").first?.lines.first)
        let scale = TextEngine.referenceSize / TextOutline.size
        let width = renderer.engine.outline(of: line.text, language: "ja").width * scale
        #expect(line.width > 200)
        #expect(width > line.width - 3 && width < line.width + 1)
    }

    @Test(arguments: [nil, "en"] as [String?])
    func `a text stays inside what it names`(language: String?) throws {
        let levels = SampleVenue(.init(levels: 1, unitsPerLevel: 80)).preparedLevels()
        let level = try #require(levels.max { $0.candidates.count < $1.candidates.count })
        let candidates = Dictionary(level.candidates.map { ($0.id, $0) }) { first, _ in first }
        var count = 0
        for zoom in TileAddress.zooms {
            for label in level.labels(zoom: zoom, language: language, by: renderer.engine) {
                guard case .text = label.content else { continue }
                let areas = try #require(candidates[label.id]?.areas)
                let box = PixelBox(left: label.left, top: label.top, width: label.width, height: label.height)
                #expect(areas.contains { Facade([$0.polygon]).contains(box.world(Double(256 << zoom))) })
                count += 1
            }
        }
        #expect(count > 50)
    }

    @Test func `labels do not depend on the order of the features`() throws {
        let venue = SampleVenue(.init(levels: 1, unitsPerLevel: 60))
        var shuffled = venue
        var random = SplitMix64(seed: 1)
        shuffled.features.shuffle(using: &random)
        let (first, second) = (venue.preparedLevels(), shuffled.preparedLevels())
        for (one, other) in zip(first, second) {
            for zoom in TileAddress.zooms {
                let labels = one.labels(zoom: zoom, language: nil, by: renderer.engine)
                #expect(labels == other.labels(zoom: zoom, language: nil, by: renderer.engine))
            }
        }
    }

    @Test func `a name with a thousand characters is wrapped and cut`() throws {
        for name in [String(repeating: "永", count: 1_000), String(repeating: "word ", count: 200)] {
            let layouts = renderer.engine.layouts(of: name, language: nil)
            #expect(layouts.count == 3)
            for layout in layouts {
                #expect(layout.lines.reduce(0) { $0 + $1.text.count } <= 49)
                #expect(layout.lines.last?.text.hasSuffix("…") == true)
            }
        }
    }

    @Test func `Japanese is not broken before punctuation, and words are not broken`() throws {
        for layout in renderer.engine.layouts(of: "これは、とても、長い、店名、です。", language: "ja") {
            for line in layout.lines { #expect(!["、", "。"].contains(line.text.prefix(1))) }
        }
        for layout in renderer.engine.layouts(of: "Auditorium 101", language: "en") {
            #expect(layout.lines.map(\.text).joined(separator: " ") == "Auditorium 101")
        }
    }

    @Test(arguments: [
        ("モザイカ生花店商会", ["モザイカ", "生花店商会"], ["モザイカ", "生花店", "商会"]),
        ("こがね時計店工房", ["こがね", "時計店工房"], []), ("風待ち婦人服", ["風待ち", "婦人服"], []),
        // Both ways: broken between words, and with shorter lines.
        ("朝顔クリニック", ["朝顔", "クリニック"], []), ("朝顔クリニック", ["朝顔クリ", "ニック"], []),
        ("第1駐車場入口", ["第1駐車", "場入口"], []), ("あまね紳士服商会", ["あまね", "紳士服商会"], ["あまね", "紳士服", "商会"]),
        // A word that is too long for its lines is broken all the same.
        ("スターバックスコーヒー", ["スターバック", "スコーヒー"], []),
        ("서울 분식집 본점", ["서울 분식집", "본점"], []), ("屋外実習室", ["屋外実", "習室"], []),
    ])
    func `East Asian names are broken between words if the lines are about equally long`(
        name: String, two: [String], three: [String]
    ) {
        let layouts = renderer.engine.layouts(of: name, language: nil).map { $0.lines.map(\.text) }
        #expect(layouts.contains(two), "\(layouts)")
        #expect(three.isEmpty || layouts.contains(three), "\(layouts)")
        for lines in layouts { #expect(!lines.joined().contains("\u{2060}")) }
        // A line is never punctuation alone.
        let dash = renderer.engine.layouts(of: "Auditorium -", language: nil)
        #expect(dash.map { $0.lines.map(\.text) } == [["Auditorium -"]])
    }

    @Test(arguments: [
        ("Midori Bicycles Selection", ["Midori Bicycles", "Selection"], ["Midori", "Bicycles", "Selection"]),
        ("Sorairo Hair Studio Atelier", ["Sorairo Hair", "Studio Atelier"], ["Sorairo", "Hair Studio", "Atelier"]),
        ("Café & Pâtisserie", ["Café &", "Pâtisserie"], []), ("L'Occitane", [], []), ("Gate 12", ["Gate", "12"], []),
        // The longest line would be nearly as long as the name.
        ("A Donaudampfschifffahrt", [], []),
        // Lines end after hyphens, too.
        ("Anglo-American Books", ["Anglo-American", "Books"], ["Anglo-", "American", "Books"]),
    ])
    func `names in Latin letters have lines that are about equally long`(
        name: String, two: [String], three: [String]
    ) throws {
        let layouts = renderer.engine.layouts(of: name, language: "en")
        for (count, expected) in [(2, two), (3, three)] {
            #expect(layouts.first { $0.lines.count == count }?.lines.map(\.text) ?? [] == expected)
        }
        for line in layouts.flatMap(\.lines) {
            let whole = try #require(renderer.engine.layouts(of: line.text, language: "en").first)
            #expect(whole.lines == [line])
        }
    }

    @Test func `the language of a level is a tag that it has, or the primary subtag`() throws {
        let id = FeatureID(high: 1, low: 1)
        let body: JSONObject = [
            "type": "Feature", "id": .string(id.description),
            "geometry": ["type": "Point", "coordinates": [139.7, 35.6]],
            "properties": ["ordinal": 0, "name": ["en-US": "A", "zh-Hant": "B", "ja": "C"]],
        ]
        let level = PreparedLevel(
            level: id, features: [(id: id, type: .level, body: CanonicalJSON.data(.object(body)))], language: "ja")
        #expect(level.effectiveLanguage("EN-us-x-1") == "en-us")
        #expect(level.effectiveLanguage("en-GB") == "en")
        #expect(level.effectiveLanguage("zh-Hant-TW") == "zh-hant")
        #expect(level.effectiveLanguage("zh-TW") == "zh-hant" && level.effectiveLanguage("zh-HK") == "zh-hant")
        #expect(level.effectiveLanguage("ja-JP") == "ja")
        #expect(level.effectiveLanguage("fr") == nil)
        #expect(level.effectiveLanguage(String(repeating: "en-", count: 100)) == nil)
        #expect(TileLayers.layers(of: [level]).allSatisfy { $0.fields.keys.count { $0.hasPrefix("name_") } == 3 })
    }

    /// Every request for a tile compares them, before anything of it is looked up.
    @Test func `the languages of a level are bounded`() {
        let level = FeatureID(high: 1, low: 1)
        // A feature has 50 names at most.
        let features = (0..<6).map { number in
            let id = FeatureID(high: 1, low: UInt64(number + 1))
            let names = (0..<50).map { index in
                let tag = "x\(100 + 50 * number + index)"
                return JSONObject.Member(key: tag, value: .string("in \(tag)"))
            }
            let body: JSONObject = [
                "type": "Feature", "id": .string(id.description),
                "geometry": ["type": "Point", "coordinates": [139.7, 35.6]],
                "properties": ["ordinal": 0, "category": "room", "name": .object(JSONObject(names))],
            ]
            return (
                id: id, type: number == 0 ? FeatureType.level : .unit, body: CanonicalJSON.data(.object(body))
            )
        }
        let prepared = PreparedLevel(level: level, features: features, language: "x100")
        #expect(prepared.effectiveLanguage("x100") == "x100" && prepared.effectiveLanguage("x199") == "x199")
        #expect(prepared.effectiveLanguage("x200") == nil && prepared.effectiveLanguage("x399") == nil)
        for layer in TileLayers.layers(of: [prepared]) {
            #expect(layer.fields.keys.count { $0.hasPrefix("name_") } == 100)
        }
    }

    @Test func `texts with different bytes are different`() {
        #expect(ExactText("\u{E9}") != ExactText("e\u{301}"))
        let (one, other) = (
            renderer.engine.layouts(of: "Caf\u{E9}", language: "fr"),
            renderer.engine.layouts(of: "Cafe\u{301}", language: "fr")
        )
        #expect(one.first?.lines.first?.text.utf8.count == 5)
        #expect(other.first?.lines.first?.text.utf8.count == 6)
        #expect(one != other)
        #expect(LanguageParameter.forText("zh-TW") == "zh-hant" && LanguageParameter.forText("iw-IL") == "he")
        #expect(LanguageParameter.forText("xx-invented") == "en")
    }
}
