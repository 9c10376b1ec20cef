import Foundation

/// The space for a name around a point of the area that it names, as styles use it: images have the place of each label at each zoom.
struct LabelSpace: Hashable, Sendable {
    /// The heights of the largest horizontal boxes with this middle inside of the area, in the order of ``aspects``. The world is 1 high.
    private let level: [Double]
    /// Those of boxes in the direction of the long side of the area; empty if that is horizontal.
    private let along: [Double]
    /// By how many degrees the long side is turned clockwise; more than -100, at most 80.
    private let rotation: Int

    /// Width by height of the boxes: those of names in several lines, and in one.
    private static let aspects = [1.0, 2, 4, 7]
    /// Names are not turned by fewer degrees.
    private static let leastRotation = 3
    /// What is nearly vertical is read from below.
    private static let nearlyVertical = 10

    /// The space in an area, and its middle, where the name is: that of the largest box along the area, because names may be turned; nil if there is
    /// no space.
    ///
    /// - Parameters:
    ///   - preferred: Where the middle should be, if there is enough space.
    ///   - work: Increased by the number of edges that are looked at.
    static func find(
        in area: LabelArea, preferred: WorldPoint?, work: inout Int
    ) -> (space: LabelSpace, middle: WorldPoint)? {
        // What has a place of its own in the area, such as a stand in a walkway, is named there.
        let rotation = area.window == nil ? area.polygon.first.map { Self.rotation(of: $0) } ?? 0 : 0
        work += 4 * (area.polygon.first?.count ?? 0)
        if rotation != 0, let found = Self.find(in: area.polygon, along: rotation, preferred: preferred, work: &work) {
            return found
        }
        guard let middle = BoxSearch(area, aspect: 2)?.best(preferred: preferred, work: &work)?.center else {
            return nil
        }
        let level = Self.heights(in: area.polygon, at: middle, work: &work)
        return (LabelSpace(level: level, along: [], rotation: 0), middle)
    }

    private static func find(
        in polygon: [WorldShape.Ring], along rotation: Int, preferred: WorldPoint?, work: inout Int
    ) -> (space: LabelSpace, middle: WorldPoint)? {
        guard let origin = polygon.first?.first else { return nil }
        work += polygon.reduce(0) { $0 + $1.count }
        let turned = polygon.map { $0.map { $0.turned(by: -rotation, around: origin) } }
        let preferred = preferred?.turned(by: -rotation, around: origin)
        guard let box = BoxSearch(turned, aspect: 2)?.best(preferred: preferred, work: &work) else { return nil }
        let middle = box.center.turned(by: rotation, around: origin)
        let space = LabelSpace(
            level: Self.heights(in: polygon, at: middle, work: &work),
            along: Self.heights(in: turned, at: box.center, work: &work), rotation: rotation)
        return (space, middle)
    }

    private static func heights(in polygon: [WorldShape.Ring], at middle: WorldPoint, work: inout Int) -> [Double] {
        self.aspects.map { aspect in
            work += polygon.reduce(0) { $0 + $1.count }
            return BoxSearch(polygon, aspect: aspect).map { 2 * $0.halfHeight(at: middle) } ?? 0
        }
    }

    /// Appends bytes that determine it.
    func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: self.along.count)
        for height in self.level + self.along { bytes.append(bigEndian: height.bitPattern) }
        bytes.append(bigEndian: self.rotation)
    }

    /// The direction of the long side of a ring: the walls of a room are parallel or perpendicular to it. 0 for nearly horizontal.
    private static func rotation(of ring: WorldShape.Ring) -> Int {
        var (x, y) = (0.0, 0.0)
        for (start, end) in zip(ring, ring.dropFirst()) {
            let (dx, dy) = (end.x - start.x, end.y - start.y)
            // Directions that differ by a right angle are equal when multiplied by four.
            let (length, angle) = (hypot(dx, dy), 4 * atan2(dy, dx))
            x += length * cos(angle)
            y += length * sin(angle)
        }
        let angle = atan2(y, x) / 4
        guard angle.isFinite, let origin = ring.first else { return 0 }
        func extent(_ angle: Double) -> Double {
            let values = ring.map { ($0.x - origin.x) * cos(angle) + ($0.y - origin.y) * sin(angle) }
            return (values.max() ?? 0) - (values.min() ?? 0)
        }
        // A square is not turned because of the last digits of its coordinates.
        let isAlong = 1.05 * extent(angle) >= extent(angle + .pi / 2)
        var degrees = Int((angle * 180 / .pi).rounded()) + (isAlong ? 0 : 90)
        while degrees > 90 - self.nearlyVertical { degrees -= 180 }
        return abs(degrees) < self.leastRotation ? 0 : degrees
    }
}

// MARK: - Names

extension LabelSpace {
    /// How a name is set in the space.
    struct Fit: Hashable {
        /// The largest size of the horizontal text, in pixels at the last zoom; half of it at the zoom before, and so on.
        let size: Int
        /// How long its lines are at most, in sizes of the text.
        let lineWidth: Int
        /// The degrees by which the text is turned clockwise, and its size then; nil if that gains too little.
        let turned: Turned?

        struct Turned: Hashable {
            let rotation: Int
            let size: Int
        }

        /// The properties of a label in vector tiles.
        var properties: [(key: String, value: Int)] {
            var properties = [(key: "size", value: self.size), (key: "line_width", value: self.lineWidth)]
            if let turned { properties += [("rotate", turned.rotation), ("turned_size", turned.size)] }
            return properties
        }
    }

    /// How much larger a name must be along its area to be turned: horizontal ones are easier to read.
    private static let turningGain = 1.25
    /// From this size on, no text is larger at any zoom.
    static let largestSize = 1_000

    func fit(_ name: String) -> Fit {
        let text = TextExtent(name)
        let horizontal = Self.largest(text, lines: 1...3, in: self.level)
        let along = Self.largest(text, lines: 1...1, in: self.along)
        let gains = along.size > Self.turningGain * horizontal.size
        return Fit(
            size: Self.pixels(horizontal.size), lineWidth: text.lineWidth(ofLines: horizontal.lines),
            turned: gains ? Fit.Turned(rotation: self.rotation, size: Self.pixels(along.size)) : nil)
    }

    private static func largest(
        _ text: TextExtent, lines: ClosedRange<Int>, in heights: [Double]
    ) -> (size: Double, lines: Int) {
        var best = (size: 0.0, lines: 1)
        for count in lines where count <= text.maximumLines {
            for (aspect, height) in zip(self.aspects, heights) {
                let size = min(
                    height / (LabelLayout.lineHeight * Double(count)), aspect * height / text.width(ofLines: count))
                if size > best.size { best = (size, count) }
            }
        }
        return best
    }

    private static func pixels(_ size: Double) -> Int {
        Int(min(size * Double(256 << TileAddress.zooms.upperBound), Double(self.largestSize)))
    }
}

/// About how much space a text takes, in sizes of the text. Maps set it with fonts and breaks of their own.
private struct TextExtent {
    private var width = 0.0
    private var widestWord = 0.0
    private(set) var maximumLines = 1

    init(_ text: String) {
        var word = 0.0
        for character in text.unicodeScalars {
            let isWide = Self.isWide(character)
            self.width += isWide ? 1 : 0.6
            // Lines end at spaces, and between the characters of scripts without spaces.
            if isWide || character == " " {
                word = isWide ? 1 : 0
                self.maximumLines += 1
            } else {
                word += 0.6
            }
            self.widestWord = max(self.widestWord, word)
        }
        self.width = max(self.width, 0.6)
    }

    /// The width of the widest of some lines: they are not equally long.
    func width(ofLines count: Int) -> Double {
        max(count == 1 ? self.width : 1.2 * self.width / Double(count), self.widestWord)
    }

    /// A limit for which a map makes this many lines.
    func lineWidth(ofLines count: Int) -> Int { Int((1.15 * self.width / Double(count) + 1).rounded(.up)) }

    private static func isWide(_ character: Unicode.Scalar) -> Bool {
        switch character.value {
        case 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF01...0xFF60, 0x2_0000...0x3_FFFF: true
        default: false
        }
    }
}

extension WorldPoint {
    fileprivate func turned(by degrees: Int, around origin: WorldPoint) -> WorldPoint {
        let angle = Double(degrees) * .pi / 180
        let (x, y) = (self.x - origin.x, self.y - origin.y)
        return WorldPoint(
            x: origin.x + x * cos(angle) - y * sin(angle), y: origin.y + x * sin(angle) + y * cos(angle))
    }
}
