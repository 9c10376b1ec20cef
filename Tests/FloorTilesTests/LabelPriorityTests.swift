import FloorTiles
import IMDF
import Testing

extension PlacedLabel {
    fileprivate func overlaps(_ other: PlacedLabel) -> Bool {
        PixelBox(left: self.left, top: self.top, width: self.width, height: self.height).overlaps(
            PixelBox(left: other.left, top: other.top, width: other.width, height: other.height))
    }
}

/// Which labels give way, and how large they are.
@Suite struct LabelPriorityTests {
    private static func labels(_ level: HandmadeLevel, zoom: Int) -> [UInt64: PlacedLabel] {
        let labels = level.prepared.labels(zoom: zoom, language: nil, by: renderer.engine)
        return Dictionary(uniqueKeysWithValues: labels.map { ($0.id.low & 0xFFFF, $0) })
    }

    /// A shop with an amenity where its label is.
    private static func level(amenity category: String, id: UInt64) -> HandmadeLevel {
        var level = HandmadeLevel(1, .init(0, 0, 60, 60))
        level.add(2, .unit, .init(0, 0, 60, 60), ["category": "room"])
        level.addOccupant(50, named: "Books", at: (30, 30), in: 2)
        level.addAmenity(id, category, at: (30, 30))
        return level
    }

    @Test(arguments: [10, 90])
    func `the pictogram of an amenity gives way to an occupant, whatever their ids`(id: UInt64) {
        let labels = Self.labels(Self.level(amenity: "atm", id: id), zoom: 19)
        #expect(labels[50] != nil && labels[id] == nil)
    }

    @Test(arguments: [(10, 90), (90, 10)] as [(UInt64, UInt64)])
    func `a dot gives way to a pictogram, whatever their ids`(icon: UInt64, dot: UInt64) throws {
        var level = HandmadeLevel(1, .init(0, 0, 60, 60))
        level.addAmenity(icon, "atm", at: (30, 30))
        level.addAmenity(dot, "something.unknown", at: (30.2, 30))
        let labels = Self.labels(level, zoom: 19)
        #expect(labels[icon] != nil && labels[dot] == nil)
        // Alone, there is one.
        var other = HandmadeLevel(1, .init(0, 0, 60, 60))
        other.addAmenity(dot, "something.unknown", at: (30, 30))
        #expect(Self.labels(other, zoom: 19)[dot] != nil)
    }

    @Test func `pictograms are smaller at lower zooms, and dots smaller than pictograms`() throws {
        var level = HandmadeLevel(1, .init(0, 0, 60, 60))
        level.addAmenity(10, "atm", at: (10, 30))
        level.addAmenity(11, "something.unknown", at: (50, 30))
        func size(_ number: UInt64, zoom: Int) throws -> Int {
            let label = try #require(Self.labels(level, zoom: zoom)[number], "\(number), zoom \(zoom)")
            guard case .icon(_, let size) = label.content else { return 0 }
            #expect(label.width == size && label.height == size)
            return size
        }
        #expect(try [17, 18, 20].map { try size(10, zoom: $0) } == [14, 18, 22])
        #expect(try [19, 20].map { try size(11, zoom: $0) } == [7, 9])
    }

    @Test func `a part of the structure does not show its name`() {
        var level = HandmadeLevel(1, .init(0, 0, 60, 60))
        level.add(2, .unit, .init(0, 0, 30, 60), ["category": "concrete", "name": ["en": "Wall"]])
        level.add(3, .unit, .init(30, 0, 60, 60), ["category": "nonpublic", "name": ["en": "Staff"]])
        #expect(Set(Self.labels(level, zoom: 20).keys) == [3])
    }

    @Test(arguments: [2, 60])
    func `a room that is not for visitors is named only from close by, and never before a shop`(id: UInt64) {
        var level = HandmadeLevel(1, .init(0, 0, 60, 60))
        level.add(id, .unit, .init(0, 0, 60, 60), ["category": "nonpublic", "name": ["en": "NONPUBLIC"]])
        #expect(Self.labels(level, zoom: 19).isEmpty)
        #expect(Self.labels(level, zoom: 20)[id] != nil)
        level.add(3, .unit, .init(20, 20, 40, 40), ["category": "room"])
        level.addOccupant(50, named: "Books", at: (30, 30), in: 3)
        let (shop, staff) = (Self.labels(level, zoom: 20)[50], Self.labels(level, zoom: 20)[id])
        #expect(shop != nil)
        if let shop, let staff { #expect(!shop.overlaps(staff)) }
    }

    @Test(arguments: [(10, 20), (20, 10)] as [(UInt64, UInt64)])
    func `of two rooms at the same place the larger one is named, whatever their ids`(large: UInt64, small: UInt64) {
        var level = HandmadeLevel(1, .init(0, 0, 60, 60))
        level.add(large, .unit, .init(10, 25, 50, 35), ["category": "room", "name": ["en": "Auditorium"]])
        level.add(small, .unit, .init(15, 26, 45, 34), ["category": "room", "name": ["en": "Auditorium"]])
        let labels = Self.labels(level, zoom: 18)
        #expect(labels[large] != nil && labels[small] == nil)
    }

    @Test func `rooms for visitors come before other rooms, and large areas before small ones of their kind`() throws {
        var level = HandmadeLevel(1, .init(0, 0, 200, 60))
        level.add(2, .unit, .init(0, 0, 20, 20), ["category": "foodservice", "name": ["en": "Canteen"]])
        level.add(3, .unit, .init(20, 0, 60, 40), ["category": "room", "name": ["en": "Hall"]])
        level.add(4, .unit, .init(60, 0, 70, 10), ["category": "room", "name": ["en": "Cell"]])
        level.add(5, .unit, .init(70, 0, 110, 60), ["category": "nonpublic", "name": ["en": "Staff"]])
        level.add(6, .unit, .init(110, 0, 120, 10), ["category": "room"])
        level.addOccupant(50, named: "Books", at: (115, 5), in: 6)
        level.add(7, .unit, .init(120, 0, 200, 60), ["category": "room"])
        level.addOccupant(51, named: "Toys", at: (160, 30), in: 7)
        let candidates = level.prepared.candidates
        #expect(candidates.map { $0.id.low & 0xFFFF } == [51, 50, 2, 3, 4, 5])
        #expect(candidates.map(\.rank) == candidates.map(\.rank).sorted() && Set(candidates.map(\.rank)).count == 6)
    }

    @Test func `a short text in a narrow room uses its width, of which its margin takes as much as of its height`()
        throws
    {
        var level = HandmadeLevel(1, .init(0, 0, 60, 60))
        // 20 pixels wide at zoom 18.
        level.add(2, .unit, .init(0, 0, 9.8, 40), ["category": "room", "name": ["en": "12"]])
        #expect(Self.labels(level, zoom: 18)[2] != nil)
        let label = try #require(Self.labels(level, zoom: 19)[2])
        let size = if case .text(_, let size, _) = label.content { size } else { 0.0 }
        #expect(size >= 11)
    }

    @Test func `a text is smaller in a smaller room, and left out where it would be too small`() throws {
        var level = HandmadeLevel(1, .init(0, 0, 400, 100))
        let widths = [40.0, 22, 20, 18, 16.5, 15, 13.5, 4]
        for (index, width) in widths.enumerated() {
            let west = 45 * Double(index)
            level.add(
                UInt64(10 + index), .unit, .init(west, 10, west + width, 16),
                ["category": "room", "name": ["en": "Mathematics"]])
        }
        let labels = Self.labels(level, zoom: 19)
        let sizes = widths.indices.map { index -> Double in
            guard case .text(_, let size, _)? = labels[UInt64(10 + index)]?.content else { return 0 }
            return size
        }
        #expect(sizes == sizes.sorted(by: >) && sizes.last == 0)
        #expect(Set(sizes).count >= 4, "\(sizes)")
    }
}
