package import IMDF

/// The features of one level, or of the venue-wide part, as queries need them: without their bodies, which are read for the page that
/// is sent.
///
/// Everything is in flat arrays in the order of types and ids, so a query compares the boxes of a type one after the other in memory:
/// some nanoseconds for each feature. Only features that cross the border of the queried box are compared by their geometry.
package final class FeatureTable: Sendable {
    /// The rows of a type.
    package struct Section: Sendable {
        package let type: FeatureType
        package let rows: Range<Int>
        /// The columns of its features, at most ``FeatureColumns/maximum``.
        package let columns: Set<String>
        package let box: GeographicBox
        let longitudes: LongitudeSpan
        /// Whether some of its features have no geometry.
        let hasUnplacedRows: Bool
    }

    /// Nil for the venue-wide part.
    package let level: FeatureID?
    package let sections: [Section]
    package let ids: [FeatureID]
    /// The sizes of the canonical bodies.
    package let bytes: [Int32]
    private let boxes: [GeographicBox]
    private let categories: [String]
    /// For each row an index in ``categories``; -1 without one.
    private let categoryIndices: [Int32]
    /// By row.
    private let touches: [Int: [FeatureID]]
    private let ordinates: [Double]
    private let pathKinds: [Outline.Kind]
    private let pathEnds: [Int32]
    /// For each row the index after its last path.
    private let rowEnds: [Int32]

    /// - Parameter shouldStop: Called before each row; the table must not be used when it was true.
    package init(level: FeatureID?, _ unsorted: [FeatureRow], shouldStop: () -> Bool = { false }) {
        let byType = Dictionary(grouping: unsorted, by: \.type)
        let types = byType.sorted { ($0.key.rank, $0.key.rawValue) < ($1.key.rank, $1.key.rawValue) }
        let rows = types.flatMap { $0.value.sorted { $0.id < $1.id } }
        self.level = level
        self.ids = rows.map(\.id)
        self.bytes = rows.map { Int32(clamping: $0.bytes) }
        self.boxes = rows.map(\.outline.box)
        var (categories, indices, byRow): ([String: Int32], [Int32], [Int: [FeatureID]]) = ([:], [], [:])
        var (ordinates, kinds, ends, rowEnds): ([Double], [Outline.Kind], [Int32], [Int32]) = ([], [], [], [])
        for (index, row) in rows.enumerated() {
            if shouldStop() { break }
            let next = Int32(categories.count)
            indices.append(row.category.map { categories[$0, default: next] } ?? -1)
            if let category = row.category, indices[index] == next { categories[category] = next }
            if !row.touches.isEmpty { byRow[index] = row.touches }
            let start = ordinates.count / 2
            ordinates += row.outline.ordinates
            kinds += row.outline.paths.map(\.kind)
            ends += row.outline.paths.map { Int32(start + $0.end) }
            rowEnds.append(Int32(kinds.count))
        }
        self.categories = categories.sorted { $0.value < $1.value }.map(\.key)
        self.categoryIndices = indices
        self.touches = byRow
        (self.ordinates, self.pathKinds, self.pathEnds, self.rowEnds) = (ordinates, kinds, ends, rowEnds)
        var sections: [Section] = []
        var start = 0
        while start < rows.count {
            let type = rows[start].type
            let end = rows[start...].firstIndex { $0.type != type } ?? rows.count
            var (columns, box, longitudes, hasUnplacedRows) = (
                Set<String>(), GeographicBox.empty, LongitudeSpan(), false
            )
            for index in start..<end {
                if shouldStop() { break }
                box = box.union(self.boxes[index])
                longitudes.formUnion(rows[index].outline.longitudes)
                if rows[index].outline.paths.isEmpty { hasUnplacedRows = true }
                columns.formUnion(rows[index].columns)
                if columns.count > 4 * FeatureColumns.maximum { columns = columns.first(FeatureColumns.maximum) }
            }
            columns = columns.first(FeatureColumns.maximum)
            sections.append(
                Section(
                    type: type, rows: start..<end, columns: columns, box: box, longitudes: longitudes,
                    hasUnplacedRows: hasUnplacedRows))
            start = end
        }
        self.sections = sections
    }

    /// The bytes that it takes in memory, roughly.
    package var cost: Int {
        let columns = self.sections.reduce(0) { $0 + 64 * $1.columns.count }
        return 4_096 + columns + 64 * self.ids.count + 8 * self.ordinates.count + 5 * self.pathEnds.count
            + self.touches.reduce(0) { $0 + 64 + 16 * $1.value.count }
            + self.categories.reduce(0) { $0 + 64 + $1.utf8.count }
    }

    func section(of type: FeatureType) -> Section? { self.sections.first { $0.type == type } }
}

// MARK: - Queries

extension FeatureTable {
    /// Calls a closure with each row of a section that a filter selects, in order.
    func forEachRow(of section: Section, where filter: ItemsFilter, _ body: (Int) -> Void) {
        var category: Int32?
        if let name = filter.category {
            guard let index = self.categories.firstIndex(of: name) else { return }
            category = Int32(index)
        }
        let isWholeLevel = filter.levels.map { $0.includes(self.level) } ?? true
        if !isWholeLevel, self.level != nil { return }
        if let boxes = filter.boxes, !section.hasUnplacedRows, !boxes.contains(where: { $0.intersects(section.box) }) {
            return
        }
        for row in section.rows {
            if let category, self.categoryIndices[row] != category { continue }
            if !isWholeLevel, filter.levels?.includes(venueWide: self.ids[row], touching: self.touches[row]) != true {
                continue
            }
            if let boxes = filter.boxes, !boxes.contains(where: { self.intersects(row, $0) }) { continue }
            body(row)
        }
    }

    /// Whether the geometry of a row has a position in common with a box, or the row has no geometry: as the standard demands, a box selects
    /// the features without a geometry, too (OGC 17-069r4, `/req/core/fc-bbox-response`, C).
    private func intersects(_ row: Int, _ box: GeographicBox) -> Bool {
        let firstPath = row == 0 ? 0 : Int(self.rowEnds[row - 1])
        if firstPath == Int(self.rowEnds[row]) { return true }
        let bounds = self.boxes[row]
        guard bounds.intersects(box) else { return false }
        if box.contains(bounds) { return true }
        // A position of the box, to decide whether a polygon surrounds it.
        let (x, y) = (box.west.isFinite ? box.west : box.east, box.south)
        var isSurrounded = false
        for path in firstPath..<Int(self.rowEnds[row]) {
            let start = path == 0 ? 0 : Int(self.pathEnds[path - 1])
            let end = Int(self.pathEnds[path])
            let kind = self.pathKinds[path]
            var previous = end - 1
            for index in start..<end {
                let (x1, y1) = (self.ordinates[2 * index], self.ordinates[2 * index + 1])
                if box.contains(x: x1, y: y1) { return true }
                guard kind != .points else { continue }
                let (x0, y0) = (self.ordinates[2 * previous], self.ordinates[2 * previous + 1])
                previous = index
                if index > start || kind == .ring, box.intersectsSegment(fromX: x0, y: y0, toX: x1, y: y1) {
                    return true
                }
                if kind == .ring, (y0 > y) != (y1 > y), x < x0 + (y - y0) / (y1 - y0) * (x1 - x0) {
                    isSurrounded.toggle()
                }
            }
        }
        return isSurrounded
    }
}

extension Set<String> {
    /// The first elements in the order of their texts.
    fileprivate func first(_ count: Int) -> Self { self.count <= count ? self : Set(self.sorted().prefix(count)) }
}
