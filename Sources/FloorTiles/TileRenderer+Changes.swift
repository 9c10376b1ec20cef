import IMDF

/// The tiles of a level that differ between two states of it.
package enum ChangedTiles: Hashable, Sendable {
    /// Exactly these, by zoom, row and column.
    case some([TileAddress])
    /// Too many to compare.
    case all
}

extension TileRenderer {
    /// How many tiles of a level are compared at most.
    package static let maximumComparedTiles = 10_000

    /// Compares the tiles that show some levels, in two states of each.
    ///
    /// The tiles that may differ are those of the features and labels that differ. Each of them is drawn in both states and compared, so
    /// the result is exact: a wall that was moved behind a shop changes no tile. An image tile counts as different if it differs with
    /// 256 or with 512 pixels.
    ///
    /// - Parameter isCancelled: Checked before each tile.
    package func changedTiles(
        from old: [PreparedLevel], to new: [PreparedLevel], _ variant: TileVariant,
        isCancelled: () -> Bool = { false }
    ) throws -> ChangedTiles {
        let stacks = (LevelStack(old), LevelStack(new))
        // Levels that are painted in another order may differ wherever they overlap.
        guard stacks.0.levels.map(\.id) == stacks.1.levels.map(\.id) else { return .all }
        let pairs = Array(zip(stacks.0.levels, stacks.1.levels))
        for (old, new) in pairs {
            guard old.ordinal == new.ordinal || variant.format == .png, old.archiveLanguage == new.archiveLanguage
            else { return .all }
        }
        var changed: [TileAddress] = []
        var compared = 0
        let parts = pairs.flatMap { Self.changedParts($0, $1, variant.format) }
        for zoom in TileAddress.zooms {
            let boxes =
                switch variant.format {
                case .png: self.changedBoxes(stacks, parts, zoom: zoom, variant, isCancelled)
                case .mvt: Self.changedBoxes(parts, zoom: zoom)
                }
            // Labels that were not placed in either state do not differ.
            if isCancelled() { throw CancellationError() }
            var candidates: Set<TileAddress> = []
            for box in boxes {
                let limit = Self.maximumComparedTiles - compared
                guard let tiles = TileAddress.tiles(of: box, zoom: zoom, limit: limit) else { return .all }
                candidates.formUnion(tiles)
                guard candidates.count <= limit else { return .all }
            }
            compared += candidates.count
            for tile in candidates.sorted(by: { ($0.y, $0.x) < ($1.y, $1.x) }) {
                if isCancelled() { throw CancellationError() }
                let differs = self.differs(tile, old, new, variant, isCancelled)
                if isCancelled() { throw CancellationError() }
                if differs { changed.append(tile) }
            }
        }
        return .some(changed)
    }

    private func differs(
        _ tile: TileAddress, _ old: [PreparedLevel], _ new: [PreparedLevel], _ variant: TileVariant,
        _ isCancelled: () -> Bool
    ) -> Bool {
        for scale in variant.format == .png ? [1, 2] : [1] {
            var variant = variant
            variant.scale = scale
            let (first, second) = (
                self.contentDigest(of: old, at: tile, variant, shouldStop: isCancelled),
                self.contentDigest(of: new, at: tile, variant, shouldStop: isCancelled)
            )
            if first == second { continue }
            if self.content(old, tile, variant, isCancelled) != self.content(new, tile, variant, isCancelled) {
                return true
            }
        }
        return false
    }

    /// What the bytes of a tile depend on, without the cost of compression.
    private func content(
        _ levels: [PreparedLevel], _ tile: TileAddress, _ variant: TileVariant, _ isCancelled: () -> Bool
    ) -> TileContent {
        guard variant.format == .png else {
            let vectors = VectorTile(levels: levels, tile: tile, language: variant.language)
            return .bytes(vectors.encoded(isCancelled: isCancelled))
        }
        let side = 256 * variant.scale
        return .pixels(
            self.pixels(
                levels, zoom: tile.zoom, left: tile.x * side, top: tile.y * side, width: side, height: side, variant,
                isCancelled: isCancelled))
    }

    private enum TileContent: Equatable {
        case bytes([UInt8])
        case pixels([UInt32])
    }

    // MARK: - Candidates

    /// The boxes of the features and points of labels that only one of two states has.
    private static func changedParts(_ old: PreparedLevel, _ new: PreparedLevel, _ format: TileFormat) -> [WorldBox] {
        switch format {
        case .png:
            self.difference(old.features, new.features) { $0.drawingDigest == $1.drawingDigest }.flatMap(\.shape.boxes)
        case .mvt:
            self.difference(old.features, new.features) { $0.contentDigest == $1.contentDigest }.flatMap(\.shape.boxes)
                + self.difference(old.vectors.labels, new.vectors.labels) { $0.isEqual(to: $1) }.map {
                    WorldBox(around: $0.point)
                }
        }
    }

    /// The parts of the world in which images may differ.
    private func changedBoxes(
        _ stacks: (LevelStack, LevelStack), _ parts: [WorldBox], zoom: Int, _ variant: TileVariant,
        _ isCancelled: () -> Bool
    ) -> [WorldBox] {
        let margin = LevelPainter.margin / Double(256 << zoom)
        let labels = (
            self.labels(of: stacks.0, zoom: zoom, variant, shouldStop: isCancelled),
            self.labels(of: stacks.1, zoom: zoom, variant, shouldStop: isCancelled)
        )
        // The pixel on the eastern or southern border belongs to the next tile.
        let inset = 0.25 / Double(256 << zoom)
        return parts.map { $0.insetBy(-margin) }
            + zip(labels.0, labels.1).flatMap { Set($0.labels).symmetricDifference($1.labels) }.map { label in
                PixelBox(left: label.left, top: label.top, width: label.width, height: label.height)
                    .world(Double(256 << zoom)).insetBy(inset)
            }
    }

    private static func changedBoxes(_ parts: [WorldBox], zoom: Int) -> [WorldBox] {
        let margin = TileClipper.buffer / Double(VectorTileLayer.extent) / Double(1 << zoom)
        return parts.map { $0.insetBy(-margin) }
    }

    /// The elements that only one of two states has. Elements are the same if they have the same id and are equal.
    ///
    /// - Parameters:
    ///   - old: Sorted by id, like `new`.
    private static func difference<Element: LevelPart>(
        _ old: [Element], _ new: [Element], isEqual: (Element, Element) -> Bool
    ) -> [Element] {
        var found: [Element] = []
        var (start, newStart) = (0, 0)
        while start < old.count || newStart < new.count {
            let (one, other) = (old[safe: start]?.id, new[safe: newStart]?.id)
            guard let id = one.map({ min($0, other ?? $0) }) ?? other else { break }
            let (end, newEnd) = (old.end(of: id, from: start), new.end(of: id, from: newStart))
            defer { (start, newStart) = (end, newEnd) }
            // Nearly always.
            if end == start + 1, newEnd == newStart + 1, isEqual(old[start], new[newStart]) { continue }
            let (before, after) = (old[start..<end], new[newStart..<newEnd])
            found += before.filter { one in !after.contains { isEqual(one, $0) } }
            found += after.filter { one in !before.contains { isEqual(one, $0) } }
        }
        return found
    }
}

/// What a level consists of.
private protocol LevelPart {
    var id: FeatureID { get }
}

extension TileFeature: LevelPart {}
extension LabelPointEntry: LevelPart {}

extension Array where Element: LevelPart {
    fileprivate subscript(safe index: Int) -> Element? { index < self.count ? self[index] : nil }

    /// Where the elements with an id end that begin at an index.
    fileprivate func end(of id: FeatureID, from start: Int) -> Int {
        var end = start
        while end < self.count, self[end].id == id { end += 1 }
        return end
    }
}
