import IMDF
import IMDFDiff
import SampleVenue
import Testing

struct ChangeDescriptionTests {
    private static let levels = (1...5).map { FeatureID(high: 0, low: $0) }
    private static let roof = FeatureID(high: 0, low: 99)
    private static let names = Dictionary(
        uniqueKeysWithValues: zip(levels, ["B1", "L1", "L2", "L3", "L4"]) + [(roof, "Roof")])
    private let b1 = Self.levels[0]
    private let l1 = Self.levels[1]
    private let l2 = Self.levels[2]

    private func words(_ facts: [Fact], _ language: String = "en") -> [String] {
        ChangeDescription.sentences(of: facts, language: language) { Self.names[$0].map { LevelName($0) } }
    }

    private func both(_ fact: String, _ places: (level: FeatureID?, count: Int)...) -> [String] {
        let facts = places.map { Fact(fact: fact, count: $0.count, levelID: $0.level) }
        return self.words(facts) + self.words(facts, "ja")
    }

    @Test func `descriptions say that shops opened, closed and moved`() {
        #expect(self.both("occupant.opened", (nil, 3)) == ["3 shops opened", "店舗が3件オープン"])
        #expect(self.both("occupant.opened", (self.l1, 1)) == ["1 shop opened on L1", "L1で店舗が1件オープン"])
        #expect(
            self.both("occupant.closed", (self.b1, 1), (self.l1, 1)) == [
                "2 shops closed on B1 and L1", "B1・L1で店舗が2件閉店",
            ])
        #expect(self.both("occupant.moved", (self.l2, 1)) == ["1 shop moved to L2", "店舗が1件L2へ移動"])
        #expect(
            self.both("occupant.moved", (nil, 1))
                == ["1 shop no longer belongs to a single floor", "店舗1件を単独フロアの所属から解除"])
        #expect(self.both("occupant.moved", (nil, 2))[0] == "2 shops no longer belong to a single floor")
        #expect(
            self.both("occupant.moved", (nil, 1), (self.l1, 1)) == ["2 shops moved to other floors", "店舗が2件別のフロアへ移動"])
        #expect(
            self.both("occupant.moved", (FeatureID(high: 5, low: 5), 1))
                == ["1 shop moved to another floor", "店舗が1件別のフロアへ移動"])
    }

    @Test func `descriptions distinguish a move within a floor from one between floors`() {
        #expect(self.both("occupant.relocated", (self.l2, 1)) == ["1 shop moved within L2", "L2内で店舗が1件移動"])
        #expect(
            self.both("occupant.relocated", (self.l1, 1), (self.l2, 2))
                == ["3 shops moved within L1 and L2", "L1・L2内で店舗が3件移動"])
        #expect(
            self.both("occupant.relocated", (FeatureID(high: 5, low: 5), 1))
                == ["1 shop moved within its floor", "フロア内で店舗が1件移動"])
        #expect(
            self.both("occupant.relocated", (FeatureID(high: 5, low: 5), 2))[0] == "2 shops moved within their floors")
        #expect(self.both("occupant.relocated", (nil, 1)) == ["1 shop moved to another place", "店舗が1件移動"])
        #expect(
            self.both("occupant.relocated", (nil, 1), (self.l1, 1)) == ["2 shops moved to other places", "店舗が2件移動"])
        let all = Self.levels.map { Fact(fact: "occupant.relocated", count: 1, levelID: $0) }
        #expect(self.words(all) + self.words(all, "ja") == ["5 shops moved within 5 floors", "5フロア内で店舗が5件移動"])
    }

    @Test func `descriptions begin with what visitors lose, whatever its type`() {
        let facts = [
            ("building.added", 74), ("occupant.opened", 5), ("occupant.closed", 78), ("unit.redrawn", 2),
            ("anchor.removed", 9), ("occupant.step-free-lost", 3),
        ].map { Fact(fact: $0, count: $1, levelID: nil) }
        #expect(
            self.words(facts) == [
                "78 shops closed", "3 shops lose their step-free way", "74 buildings added", "5 shops opened",
                "2 units redrawn", "9 anchors removed",
            ])
        #expect(self.words(facts, "ja").first == "店舗が78件閉店")
    }

    /// Every event that facts are made of, and one that a later version may add.
    private static let events = [
        "added", "opened", "removed", "closed", "moved", "relocated", "renamed", "redrawn", "shifted", "recategorised",
        "renumbered", "translated", "rehoured", "recontacted", "relinked", "retyped", "updated", "changed", "gilded",
    ]

    @Test(arguments: FeatureType.standard + [FeatureType(rawValue: "navPath"), FeatureType(rawValue: "feature")])
    func `descriptions of any fact, type, count and level are well-formed sentences`(type: FeatureType) {
        let unknown = FeatureID(high: 5, low: 5)
        let places: [[FeatureID?]] = [
            [nil], [self.l1], [unknown], [self.l1, self.l2], [nil, self.l1], [self.l1, unknown],
            Self.levels.map(Optional.some),
        ]
        for event in Self.events {
            for (place, each) in places.flatMap({ place in [1, 7].map { (place, $0) } }) {
                let facts = place.map { Fact(fact: "\(type.rawValue).\(event)", count: each, levelID: $0) }
                let count = each * place.count
                for language in ["en", "ja"] {
                    let sentences = self.words(facts, language)
                    #expect(sentences.count == 1)
                    self.check(sentences.first ?? "", type, count, on: place.count, language)
                }
            }
        }
    }

    private func check(_ sentence: String, _ type: FeatureType, _ count: Int, on places: Int, _ language: String) {
        #expect(!sentence.contains("  ") && !sentence.hasPrefix(" ") && !sentence.hasSuffix(" "), "\(sentence)")
        #expect(!sentence.hasSuffix(".") && !sentence.hasSuffix("。") && !sentence.contains("nil"), "\(sentence)")
        // Names of floors hold digits too, and several floors are counted.
        var bare = Self.names.values.reduce(sentence) { $0.replacing($1, with: "") }
        if type != .level { bare = bare.replacing("\(places) floors", with: "").replacing("\(places)フロア", with: "") }
        let numbers = bare.split { !("0"..."9" ~= $0) }.compactMap { Int($0) }
        let isListed = type == .level && Self.names.values.contains { sentence.contains($0) }
        #expect(numbers == (type == .venue && count == 1 || isListed ? [] : [count]), "\(sentence)")
        guard language == "en" else { return }
        #expect(sentence.first.map { $0.isUppercase || $0.isNumber } == true, "\(sentence)")
        let nouns: [FeatureType: (String, String)] = [
            .occupant: ("1 shop ", "shops "), .amenity: ("1 amenity ", "amenities "), .unit: ("1 unit ", "units "),
            .opening: ("1 doorway ", "doorways "), .address: ("1 address ", "addresses "),
        ]
        guard let (one, many) = nouns[type] else { return }
        #expect(sentence.contains(count == 1 ? one : many), "\(sentence)")
        #expect(!sentence.contains("no longer belong") || sentence.contains("belongs") == (count == 1), "\(sentence)")
    }

    @Test func `descriptions name up to three floors, and count more`() {
        #expect(
            self.both("unit.redrawn", (self.b1, 1), (self.l1, 2), (self.l2, 3))
                == ["6 units redrawn on B1, L1 and L2", "B1・L1・L2の区画6件の形状を変更"])
        let places = Self.levels.map { Fact(fact: "unit.removed", count: 2, levelID: $0) }
        #expect(self.words(places) == ["10 units removed from 5 floors"])
        #expect(self.words(places, "ja") == ["5フロアから区画を10件削除"])
        #expect(self.both("unit.added", (nil, 1), (self.l1, 2)) == ["3 units added", "区画を3件追加"])
        #expect(self.both("unit.added", (self.l1, 4)) == ["4 units added on L1", "L1に区画を4件追加"])
    }

    @Test func `descriptions of floors have their names`() {
        #expect(self.both("level.added", (Self.roof, 1)) == ["Floor added: Roof", "フロアを追加：Roof"])
        #expect(
            self.both("level.removed", (self.l1, 1), (self.l2, 1)) == ["Floors removed: L1 and L2", "フロアを削除：L1・L2"])
        #expect(self.both("level.renamed", (self.l1, 1)) == ["Floor renamed: L1", "フロアの名称を変更：L1"])
        #expect(self.both("level.added", (FeatureID(high: 5, low: 5), 1)) == ["1 floor added", "フロアを1件追加"])
        let all = Self.levels.map { Fact(fact: "level.redrawn", count: 1, levelID: $0) }
        #expect(self.words(all) == ["5 floors redrawn"])
        #expect(self.words(all, "ja") == ["フロア5件の形状を変更"])
    }

    @Test func `descriptions distinguish floors that have the same short name`() {
        let facts = [self.b1, self.l1, self.l2].map { Fact(fact: "occupant.opened", count: 1, levelID: $0) }
        let added = facts.map { Fact(fact: "level.added", count: 1, levelID: $0.levelID) }
        for (names, english, japanese) in [
            // By the building, also where only some floors have the same name.
            (
                [("1F", "1階", "North"), ("1F", "1階", "South"), ("2F", "2階", "South")],
                ["1F (North)", "1F (South)", "2F"], ["North 1F", "South 1F", "2F"]
            ),
            // By the full name, where the building is the same or unknown.
            (
                [("1F", "Lower hall", "North"), ("1F", "Upper hall", "North"), ("2F", "2階", "North")],
                ["Lower hall", "Upper hall", "2F"], ["Lower hall", "Upper hall", "2F"]
            ),
            ([("1F", "East", nil), ("1F", nil, nil), ("2F", nil, nil)], ["East", "1F", "2F"], ["East", "1F", "2F"]),
            // By both.
            (
                [("1F", nil, "North"), ("1F", "Arcade", "South"), ("1F", "Hall", "South")],
                ["1F (North)", "Arcade", "Hall"], ["North 1F", "Arcade", "Hall"]
            ),
            // Once, where nothing distinguishes them, and where the full name is that of another floor.
            ([("1F", "1階", "North"), ("1F", "1階", "North"), ("2F", nil, nil)], ["1F", "2F"], ["1F", "2F"]),
            ([("1F", "2F", nil), ("1F", "3F", nil), ("2F", nil, nil)], ["1F", "2F"], ["1F", "2F"]),
        ] as [([(String, String?, String?)], [String], [String])] {
            let named = Dictionary(
                uniqueKeysWithValues: zip(
                    [self.b1, self.l1, self.l2], names.map { LevelName($0, full: $1, building: $2) }))
            func words(_ facts: [Fact], _ language: String) -> [String] {
                ChangeDescription.sentences(of: facts, language: language) { named[$0] }
            }
            let list = "\(english.dropLast().joined(separator: ", ")) and \(english.last ?? "")"
            #expect(words(facts, "en") == ["3 shops opened on \(list)"])
            #expect(words(facts, "ja") == ["\(japanese.joined(separator: "・"))で店舗が3件オープン"])
            let (noun, number) = english.count < 3 ? ("3 floors", "3件") : ("Floors", "")
            #expect(words(added, "en") == ["\(noun) added: \(list)"])
            #expect(words(added, "ja") == ["フロアを\(number)追加：\(japanese.joined(separator: "・"))"])
        }
    }

    @Test func `descriptions of one floor do not name its building`() {
        let facts = [Fact(fact: "occupant.opened", count: 2, levelID: self.l1)]
        let name = LevelName("1F", full: "Ground floor", building: "North")
        #expect(ChangeDescription.sentences(of: facts, language: "en") { _ in name } == ["2 shops opened on 1F"])
    }

    @Test func `descriptions of the venue have no count`() {
        #expect(self.both("venue.renamed", (nil, 1)) == ["Venue renamed", "施設の名称を変更"])
        #expect(self.both("venue.added", (nil, 1)) == ["Venue added", "施設を追加"])
        #expect(self.both("venue.removed", (nil, 2)) == ["2 venues removed", "施設を2件削除"])
    }

    @Test func `descriptions exist for all other facts`() {
        #expect(
            self.both("occupant.rehoured", (self.l1, 2)) == ["2 shops with new opening hours on L1", "L1の店舗2件の営業時間を変更"])
        #expect(self.both("occupant.recontacted", (nil, 1)) == ["1 shop with new contact details", "店舗1件の連絡先を変更"])
        #expect(self.both("amenity.retyped", (nil, 1)) == ["1 amenity turned into another type", "設備1件の種別を変更"])
        #expect(self.both("amenity.retyped", (nil, 2)) == ["2 amenities turned into other types", "設備2件の種別を変更"])
        #expect(self.both("address.changed", (nil, 2)) == ["2 addresses changed", "住所2件を変更"])
        #expect(self.both("navPath.added", (self.l1, 1)) == ["1 “navPath” feature added on L1", "L1に「navPath」を1件追加"])
        #expect(self.both("unit.gilded", (nil, 2)) == ["2 units changed", "区画2件を変更"])
        #expect(
            self.words([.manifestChanged]) + self.words([.manifestChanged], "ja") == ["Manifest changed", "マニフェストを変更"])
    }

    @Test func `descriptions say what features were before they turned into another type`() {
        func both(_ type: FeatureType, from: FeatureType, _ count: Int, on level: FeatureID? = nil) -> [String] {
            let fact = Fact(fact: "\(type.rawValue).retyped", count: count, levelID: level, typeBefore: from)
            return self.words([fact]) + self.words([fact], "ja")
        }
        #expect(
            both(.fixture, from: .unit, 1, on: self.l1) == ["1 unit turned into a fixture on L1", "L1の区画1件を什器に変更"])
        #expect(both(.amenity, from: .occupant, 1) == ["1 shop turned into an amenity", "店舗1件を設備に変更"])
        #expect(both(.unit, from: .kiosk, 2) == ["2 kiosks turned into units", "キオスク2件を区画に変更"])
        #expect(both(.unit, from: .kiosk, 1)[0] == "1 kiosk turned into a unit")
        #expect(both(.level, from: .init(rawValue: "deck"), 1)[0] == "1 “deck” feature turned into a floor")
        let facts = [FeatureType.unit, .kiosk].map {
            Fact(fact: "fixture.retyped", count: 1, levelID: self.l1, typeBefore: $0)
        }
        #expect(self.words(facts) == ["1 unit turned into a fixture on L1", "1 kiosk turned into a fixture on L1"])
    }

    @Test func `descriptions without facts mention formatting only`() {
        #expect(self.words([]) == ["Nothing but formatting changed"])
        #expect(self.words([], "ja") == ["書式以外の変更なし"])
    }

    @Test func `descriptions are Japanese for Japanese language tags, otherwise English`() {
        for language in ["ja", "ja-JP", "JA", "ja-Hira-JP"] {
            #expect(self.words([], language) == self.words([], "ja"))
        }
        for language in ["en-GB", "fi", "", "jam", "ja_JP"] {
            #expect(self.words([], language) == self.words([], "en"))
        }
    }

    @Test func `descriptions stay sentences with any name of a type`() {
        let name = "\u{202e}a\nb\u{0}\u{200b}" + String(repeating: "c", count: 100) + ".added"
        let fact = Fact(fact: name, count: 1, levelID: nil)
        #expect(self.words([fact]) == ["1 “ab\(String(repeating: "c", count: 62))” feature added"])
    }

    @Test(arguments: 0..<16 as Range<UInt64>, ["en", "ja"])
    func `descriptions have numbers that add up to the changes`(seed: UInt64, language: String) {
        var random = SplitMix64(seed: seed)
        let changes = randomChanges(.random(in: 1...600, using: &random), levels: [], using: &random)
            .filter { $0.type != .venue }
        let sentences = self.words(Fact.facts(of: changes), language)
        #expect(sentences.count <= 40)
        let numbers = sentences.compactMap { sentence in
            // 什 is a number too.
            Int(sentence.drop { !("0"..."9" ~= $0) }.prefix { "0"..."9" ~= $0 })
        }
        #expect(numbers.reduce(0, +) == changes.count, "\(sentences)")
    }
}
