package import IMDF

/// The tables of a revision: the venue-wide part first, then its levels.
package struct RevisionTables: Sendable {
    private let tables: [FeatureTable]

    package init(_ tables: [FeatureTable]) {
        self.tables = tables
    }

    /// The features of a type.
    package struct Collection: Sendable {
        package let type: FeatureType
        package let count: Int
        /// Sorted, at most ``FeatureColumns/maximum``.
        package let columns: [String]
        /// West, south, east, north; nil if no feature has a geometry. The west is greater than the east if the features are on both sides of
        /// the antimeridian.
        package let extent: [Double]?
    }

    /// The types of the revision: the standard ones in their order, then the others by name.
    package var types: [FeatureType] {
        Set(self.tables.flatMap { $0.sections.map(\.type) })
            .sorted { ($0.rank, $0.rawValue) < ($1.rank, $1.rawValue) }
    }

    /// A type that IMDF defines has a collection even if the revision has no feature of it, so that stored addresses stay valid. Nil for
    /// other types.
    package func collection(of type: FeatureType) -> Collection? {
        let sections = self.tables.compactMap { $0.section(of: type) }
        guard !sections.isEmpty || type.isStandard else { return nil }
        let box = sections.reduce(GeographicBox.empty) { $0.union($1.box) }
        let longitudes = sections.reduce(into: LongitudeSpan()) { $0.formUnion($1.longitudes) }.bounds
        let columns = sections.reduce(into: Set<String>()) { $0.formUnion($1.columns) }
        return Collection(
            type: type, count: sections.reduce(0) { $0 + $1.rows.count },
            columns: Array(columns.sorted().prefix(FeatureColumns.maximum)),
            extent: longitudes.map { [$0.west, box.south, $0.east, box.north] })
    }

    /// A feature of a page.
    package struct Item: Sendable {
        package let id: FeatureID
        package let level: FeatureID?
        package let bytes: Int
    }

    /// A part of the selected features.
    package struct Page: Sendable {
        package let items: [Item]
        /// The number of all selected features.
        package let matched: Int
        package let offset: Int

        /// The offset of the next page; nil on the last one.
        package var next: Int? {
            let end = self.offset + self.items.count
            return end < self.matched ? end : nil
        }
    }

    /// The selected features of a collection from an offset on, in the order of levels and ids.
    ///
    /// - Parameter bytes: The page ends before the feature that would exceed this size, but has one feature at least.
    /// - Complexity: O(*n*) in the number of features of the type, with some nanoseconds for each.
    package func page(
        of collection: Collection, where filter: ItemsFilter, offset: Int, limit: Int, bytes: Int
    ) -> Page {
        var (items, matched, size): ([Item], Int, Int) = ([], 0, 0)
        var isFull = false
        // Columns without a value are null.
        let overhead = collection.columns.reduce(128) { $0 + $1.utf8.count + 8 }
        for table in self.tables {
            guard let section = table.section(of: collection.type) else { continue }
            table.forEachRow(of: section, where: filter) { row in
                defer { matched += 1 }
                guard matched >= offset, items.count < limit, !isFull else { return }
                size += Int(table.bytes[row]) + overhead
                isFull = !items.isEmpty && size > bytes
                if !isFull {
                    items.append(Item(id: table.ids[row], level: table.level, bytes: Int(table.bytes[row])))
                }
            }
        }
        return Page(items: items, matched: matched, offset: offset)
    }
}
