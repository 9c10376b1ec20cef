import IMDF

/// Places the labels of levels at one zoom, in the order of their priorities. The result depends on the levels, the zoom and the
/// language alone.
struct LabelPlacement {
    private let engine: TextEngine
    private let zoom: Int
    /// The side of the world in pixels.
    private let worldSize: Double
    /// The level whose labels are placed.
    private let level: PreparedLevel
    private let language: String?
    /// The outlines of the levels that are painted over this one.
    private let covers: [Facade]
    private var taken: TakenBoxes
    private var placed: [PlacedLabel] = []

    /// The labels that are placed at most, which bounds memory and time.
    private static let maximumLabels = 20_000
    /// The edges and boxes that are looked at for all levels, at most. The candidates that remain then have no label.
    private static let budget = 100_000_000
    private var work = 0

    /// The labels of each of some levels that are painted over each other. The levels on top have the first choice, so they have the same
    /// labels as alone; the labels of the others are neither over those nor under a level.
    ///
    /// - Parameters:
    ///   - levels: In the order in which they are painted.
    ///   - shouldStop: Called before each candidate; the rest has no labels then.
    static func labels(
        of levels: [PreparedLevel], zoom: Int, language: String?, by engine: TextEngine, shouldStop: () -> Bool
    ) -> [[PlacedLabel]] {
        var (taken, covers) = (TakenBoxes(), [Facade]())
        var labels: [[PlacedLabel]] = []
        var work = 0
        for level in levels.reversed() {
            var placement = LabelPlacement(engine, level, zoom, language, taken, covers)
            placement.work = work
            for candidate in level.candidates
            where placement.placed.count < Self.maximumLabels && placement.work < Self.budget && !shouldStop() {
                placement.place(candidate)
            }
            labels.append(placement.placed)
            (taken, work) = (placement.taken, placement.work)
            covers.append(level.facade)
        }
        return labels.reversed()
    }

    private init(
        _ engine: TextEngine, _ level: PreparedLevel, _ zoom: Int, _ language: String?, _ taken: TakenBoxes,
        _ covers: [Facade]
    ) {
        self.engine = engine
        self.level = level
        self.language = level.effectiveLanguage(language)
        self.zoom = zoom
        self.worldSize = Double(256 << zoom)
        (self.taken, self.covers) = (taken, covers)
    }

    private mutating func place(_ candidate: LabelCandidate) {
        let labelClass = candidate.labelClass
        guard labelClass.zooms.contains(self.zoom) else { return }
        if let pictogram = candidate.pictogram {
            let size = candidate.labelClass.iconSize(at: self.zoom)
            guard let box = self.iconBox(candidate, size) else { return }
            return self.keep(candidate, .icon(pictogram, size: size), box)
        }
        guard !candidate.areas.isEmpty, let names = candidate.names else { return self.placeText(atPoint: candidate) }
        let layouts = self.layouts(names)
        for area in candidate.areas.indices where self.placeText(of: candidate, in: area, layouts) { return }
    }

    /// - Returns: Whether there was a place for it.
    private mutating func placeText(
        of candidate: LabelCandidate, in area: Int, _ layouts: [LabelLayout]
    ) -> Bool {
        let sizes = candidate.labelClass.textSizes(at: self.zoom)
        var best: (layout: LabelLayout, size: Double, center: WorldPoint)?
        for layout in layouts {
            guard let (place, size) = self.place(of: candidate, in: area, layout, sizes) else { continue }
            if layout.value(at: size) > best.map({ $0.layout.value(at: $0.size) }) ?? 0 {
                best = (layout, size, place.center)
            }
        }
        guard let best else { return false }
        if let box = self.freeBox(best.center, best.layout, best.size) {
            self.keep(candidate, .text(best.layout, size: best.size, candidate.labelClass), box)
            return true
        }
        // Something else is there: use the largest place that is left.
        guard candidate.areas[area].neighbour == nil else { return false }
        let aspect = Self.aspect(of: best.layout, candidate)
        for isClear in candidate.areas[area].furniture.isEmpty ? [false] : [true, false] {
            guard let place = self.remainingPlace(of: candidate, in: area, aspect: aspect, isClear: isClear)
            else { continue }
            let size = min(best.size, self.size(of: best.layout, candidate, in: place, sizes))
            guard size >= sizes.lowerBound, let free = self.freeBox(place.center, best.layout, size) else { continue }
            self.keep(candidate, .text(best.layout, size: size, candidate.labelClass), free)
            return true
        }
        return false
    }

    /// The place for a text and its size there, without regard to other labels unless it is beside something: the largest place that is
    /// clear of furniture, unless the text is much larger on it.
    ///
    /// - Returns: Nil if the text does not fit.
    private mutating func place(
        of candidate: LabelCandidate, in index: Int, _ layout: LabelLayout, _ sizes: ClosedRange<Double>
    ) -> (place: InscribedBox, size: Double)? {
        var best: (place: InscribedBox, size: Double)?
        for isClear in candidate.areas[index].furniture.isEmpty ? [false] : [false, true] {
            guard let place = self.place(of: candidate, in: index, layout, isClear: isClear) else { break }
            let size = self.size(of: layout, candidate, in: place, sizes)
            if size >= max(sizes.lowerBound, Self.clearShare * (best?.size ?? 0)) { best = (place, size) }
        }
        return best
    }

    /// How small a text may be because of furniture, as a share of its size on it.
    private static let clearShare = 0.75

    private mutating func place(
        of candidate: LabelCandidate, in index: Int, _ layout: LabelLayout, isClear: Bool
    ) -> InscribedBox? {
        let area = candidate.areas[index]
        guard let neighbour = area.neighbour else {
            return self.level.place(
                of: candidate, in: index, aspect: Self.aspect(of: layout, candidate), isClear: isClear,
                work: &self.work)
        }
        let size = candidate.labelClass.textSizes(at: self.zoom).upperBound
        let pixel = 1 / self.worldSize
        let (width, height) = (
            (layout.width(at: size) / 2 + 2 * Self.margin) * pixel,
            (layout.height(at: size) / 2 + 2 * Self.margin) * pixel
        )
        // The label touches the neighbour if its middle is at the border of the window.
        let window = neighbour.expanded(width, height)
        let others = self.taken.boxes(near: self.pixels(window.expanded(width, height)))
        let obstacles =
            others.map { $0.world(self.worldSize) } + self.covers.compactMap(\.box) + [neighbour]
            + (isClear ? area.furniture : [])
        self.work += 16 * obstacles.count
        let aspect = Self.aspect(of: layout, candidate)
        return BoxSearch(area.polygon, aspect: aspect, window: window, obstacles: obstacles)?
            .best(preferred: nil, work: &self.work)
    }

    /// The largest place that other labels leave, near the preferred one if the candidate has a window.
    private mutating func remainingPlace(
        of candidate: LabelCandidate, in index: Int, aspect: Double, isClear: Bool = false
    ) -> InscribedBox? {
        let area = candidate.areas[index]
        guard let box = self.level.box(of: area.polygon) else { return nil }
        let obstacles =
            self.taken.boxes(near: self.pixels(box)).map { $0.world(self.worldSize) }
            + self.covers.compactMap(\.box).filter { $0.intersects(box) } + (isClear ? area.furniture : [])
        // Finding a box takes longer than looking at an edge.
        self.work += 16 * obstacles.count + self.covers.count
        let preferred = area.window == nil ? nil : candidate.preferred
        return BoxSearch(area, aspect: aspect, obstacles: obstacles)?.best(preferred: preferred, work: &self.work)
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

    /// The proportions of the place for a text: those that it has with its margin at the smallest size, which decides whether it fits.
    private static func aspect(of layout: LabelLayout, _ candidate: LabelCandidate) -> Double {
        layout.aspect(at: candidate.labelClass.textSizes(at: 0).lowerBound, margin: Self.margin)
    }

    /// The largest size, in steps of half a pixel, with which a text fits into a place.
    private func size(
        of layout: LabelLayout, _ candidate: LabelCandidate, in place: InscribedBox, _ sizes: ClosedRange<Double>
    ) -> Double {
        // Positions are rounded to whole pixels, and the halo needs space.
        let height = 2 * place.halfHeight * self.worldSize
        let width = height * Self.aspect(of: layout, candidate)
        let available = min(
            (height - 2 * Self.margin) / layout.height(at: 1), (width - 2 * Self.margin) / layout.width(at: 1))
        return min((available * 2).rounded(.down) / 2, sizes.upperBound)
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
        let worldBox = box.world(self.worldSize)
        guard self.taken.isFree(box), self.level.facade.contains(worldBox, work: &self.work) else { return nil }
        for cover in self.covers where cover.overlaps(worldBox, work: &self.work) { return nil }
        return box
    }

    private mutating func iconBox(_ candidate: LabelCandidate, _ size: Int) -> PixelBox? {
        // An amenity is where its point is; a unit's pictogram is where there is space for it.
        if candidate.type == .amenity, let point = candidate.preferred { return self.free(point, size, size) }
        guard !candidate.areas.isEmpty,
            let place = self.level.place(of: candidate, in: 0, aspect: 1, isClear: false, work: &self.work),
            2 * place.halfHeight * self.worldSize >= Double(size)
        else { return nil }
        if let box = self.free(place.center, size, size) { return box }
        guard let other = self.remainingPlace(of: candidate, in: 0, aspect: 1),
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
