import IMDF

/// Places the labels of a level at one zoom, in the order of their priorities. The result depends on the level, the zoom and the
/// language alone.
struct LabelPlacement {
    private let engine: TextEngine
    private let level: PreparedLevel
    private let language: String?
    private let zoom: Int
    /// The side of the world in pixels.
    private let worldSize: Double
    private var taken = TakenBoxes()
    private var placed: [PlacedLabel] = []

    /// The labels that are placed at most, which bounds memory and time.
    private static let maximumLabels = 20_000
    /// The edges and boxes that are looked at, at most. The candidates that remain then have no label.
    private static let budget = 100_000_000
    private var work = 0

    static func labels(of level: PreparedLevel, zoom: Int, language: String?, by engine: TextEngine) -> [PlacedLabel] {
        var placement = LabelPlacement(engine: engine, level: level, language: language, zoom: zoom)
        for candidate in level.candidates
        where placement.placed.count < Self.maximumLabels && placement.work < Self.budget {
            placement.place(candidate)
        }
        return placement.placed
    }

    private init(engine: TextEngine, level: PreparedLevel, language: String?, zoom: Int) {
        self.engine = engine
        self.level = level
        self.language = language
        self.zoom = zoom
        self.worldSize = Double(256 << zoom)
    }

    private mutating func place(_ candidate: LabelCandidate) {
        let labelClass = candidate.labelClass
        guard labelClass.zooms.contains(self.zoom) else { return }
        if let pictogram = candidate.pictogram {
            let size = candidate.labelClass.iconSize(at: self.zoom)
            guard let box = self.iconBox(candidate, size) else { return }
            return self.keep(candidate, .icon(pictogram, size: size), box)
        }
        guard let polygon = candidate.polygon, let names = candidate.names else {
            return self.placeText(atPoint: candidate)
        }
        let sizes = candidate.labelClass.textSizes(at: self.zoom)
        var best: (layout: LabelLayout, size: Double, center: WorldPoint)?
        for layout in self.layouts(names) {
            guard let place = self.level.place(of: candidate, aspect: layout.aspect, work: &self.work) else { continue }
            let size = self.size(of: layout, in: place.halfHeight, sizes)
            if size >= sizes.lowerBound, size > best?.size ?? 0 { best = (layout, size, place.center) }
        }
        guard let best else { return }
        if let box = self.freeBox(best.center, best.layout, best.size) {
            return self.keep(candidate, .text(best.layout, size: best.size, candidate.labelClass), box)
        }
        // Something else is there: use the largest place that is left.
        guard let place = self.remainingPlace(in: polygon, aspect: best.layout.aspect) else { return }
        let size = min(best.size, self.size(of: best.layout, in: place.halfHeight, sizes))
        guard size >= sizes.lowerBound, let free = self.freeBox(place.center, best.layout, size) else { return }
        self.keep(candidate, .text(best.layout, size: size, candidate.labelClass), free)
    }

    /// The largest place that other labels leave.
    private mutating func remainingPlace(in polygon: [WorldShape.Ring], aspect: Double) -> InscribedBox? {
        guard let box = self.level.box(of: polygon) else { return nil }
        let obstacles = self.taken.boxes(near: self.pixels(box)).map { $0.world(self.worldSize) }
        // Finding a box takes longer than looking at an edge.
        self.work += 16 * obstacles.count
        return BoxSearch(polygon, aspect: aspect, obstacles: obstacles)?.best(preferred: nil, work: &self.work)
    }

    private mutating func placeText(atPoint candidate: LabelCandidate) {
        guard let names = candidate.names, let point = candidate.preferred, let layout = self.layouts(names).first
        else {
            return
        }
        let size = candidate.labelClass.textSizes(at: self.zoom).lowerBound + 1
        guard let box = self.freeBox(point, layout, size) else { return }
        self.keep(candidate, .text(layout, size: size, candidate.labelClass), box)
    }

    private func layouts(_ names: Labels) -> [LabelLayout] {
        let text = names.text(for: [self.language].compactMap(\.self), archiveLanguage: self.level.archiveLanguage)
        return self.engine.layouts(of: text, language: self.language ?? self.level.archiveLanguage)
    }

    /// The largest size, in steps of half a pixel, with which a text fits into a box.
    private func size(of layout: LabelLayout, in halfHeight: Double, _ sizes: ClosedRange<Double>) -> Double {
        // Positions are rounded to whole pixels, and the halo needs space.
        let margin = LabelPlacement.margin
        let height = 2 * halfHeight * self.worldSize
        let available = min(height - 2 * margin, (height * layout.aspect - 2 * margin) / layout.aspect)
        return min((available / layout.height(at: 1) * 2).rounded(.down) / 2, sizes.upperBound)
    }

    private static let margin = LabelLayout.padding + 1

    private mutating func freeBox(_ center: WorldPoint, _ layout: LabelLayout, _ size: Double) -> PixelBox? {
        let width = Int((layout.width(at: size) + 2 * LabelLayout.padding).rounded(.up))
        let height = Int((layout.height(at: size) + 2 * LabelLayout.padding).rounded(.up))
        return self.free(center, width, height)
    }

    private mutating func free(_ center: WorldPoint, _ width: Int, _ height: Int) -> PixelBox? {
        let left = Int((center.x * self.worldSize - Double(width) / 2).rounded())
        let top = Int((center.y * self.worldSize - Double(height) / 2).rounded())
        let box = PixelBox(left: left, top: top, width: width, height: height)
        guard self.taken.isFree(box), self.level.facade.contains(box.world(self.worldSize), work: &self.work) else {
            return nil
        }
        return box
    }

    private mutating func iconBox(_ candidate: LabelCandidate, _ size: Int) -> PixelBox? {
        // An amenity is where its point is; a unit's pictogram is where there is space for it.
        if candidate.type == .amenity, let point = candidate.preferred { return self.free(point, size, size) }
        guard let polygon = candidate.polygon, let place = self.level.place(of: candidate, aspect: 1, work: &self.work),
            2 * place.halfHeight * self.worldSize >= Double(size)
        else { return nil }
        if let box = self.free(place.center, size, size) { return box }
        guard let other = self.remainingPlace(in: polygon, aspect: 1),
            2 * other.halfHeight * self.worldSize >= Double(size)
        else { return nil }
        return self.free(other.center, size, size)
    }

    private func pixels(_ box: WorldBox) -> PixelBox {
        let (left, top) = (
            Int((box.minX * self.worldSize).rounded(.down)), Int((box.minY * self.worldSize).rounded(.down))
        )
        return PixelBox(
            left: left, top: top, width: Int((box.maxX * self.worldSize).rounded(.up)) - left,
            height: Int((box.maxY * self.worldSize).rounded(.up)) - top)
    }

    private mutating func keep(_ candidate: LabelCandidate, _ content: PlacedLabel.Content, _ box: PixelBox) {
        self.taken.insert(box)
        self.placed.append(
            PlacedLabel(
                id: candidate.id, content: content, left: box.left, top: box.top, width: box.width, height: box.height))
    }
}

/// A rectangle of whole pixels.
package struct PixelBox: Hashable, Sendable {
    let left: Int
    let top: Int
    let width: Int
    let height: Int

    package init(left: Int, top: Int, width: Int, height: Int) {
        (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }

    var right: Int { self.left + self.width }
    var bottom: Int { self.top + self.height }

    package func overlaps(_ other: PixelBox) -> Bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    package func world(_ worldSize: Double) -> WorldBox {
        WorldBox(
            minX: Double(self.left) / worldSize, minY: Double(self.top) / worldSize,
            maxX: Double(self.right) / worldSize, maxY: Double(self.bottom) / worldSize)
    }
}

/// The boxes of the labels that were placed.
private struct TakenBoxes {
    private struct Cell: Hashable {
        let column: Int
        let row: Int
    }

    private var cells: [Cell: [PixelBox]] = [:]
    private var all: [PixelBox] = []
    private static let side = 128
    private static let maximumCells = 256

    private static func cells(of box: PixelBox) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        (
            (box.left >> 7)...max(box.left >> 7, (box.right - 1) >> 7),
            (box.top >> 7)...max(box.top >> 7, (box.bottom - 1) >> 7)
        )
    }

    mutating func insert(_ box: PixelBox) {
        self.all.append(box)
        let (columns, rows) = Self.cells(of: box)
        for row in rows {
            for column in columns { self.cells[Cell(column: column, row: row), default: []].append(box) }
        }
    }

    func isFree(_ box: PixelBox) -> Bool { !self.boxes(near: box).contains { $0.overlaps(box) } }

    /// The boxes that overlap a box, and some others; each once, in the order in which they were inserted.
    func boxes(near box: PixelBox) -> [PixelBox] {
        let (columns, rows) = Self.cells(of: box)
        guard columns.count.multipliedReportingOverflow(by: rows.count).partialValue <= Self.maximumCells,
            columns.count <= Self.maximumCells
        else { return self.all.filter { $0.overlaps(box) } }
        var seen: Set<PixelBox> = []
        var found: [PixelBox] = []
        for row in rows {
            for column in columns {
                for candidate in self.cells[Cell(column: column, row: row)] ?? [] where seen.insert(candidate).inserted
                {
                    found.append(candidate)
                }
            }
        }
        return found
    }
}
