public import IMDF

/// How the drawing of one feature changed.
public struct MapChange: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case added, changed, removed
    }

    /// What differs in a feature that changed.
    public struct Aspects: OptionSet, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The position of the label or marker.
        public static let point = Aspects(rawValue: 1)
        /// The feature's own geometry.
        public static let geometry = Aspects(rawValue: 2)
        /// A name, in any language.
        public static let label = Aspects(rawValue: 4)
        /// The type or category; for a unit, also the categories of its occupants.
        public static let style = Aspects(rawValue: 8)
        /// The levels, or an ordinal of them.
        public static let level = Aspects(rawValue: 16)
        /// Any property, such as the opening hours or a name.
        public static let properties = Aspects(rawValue: 32)

        static let everything: Aspects = [.point, .geometry, .label, .style, .level, .properties]
    }

    public let id: FeatureID
    /// The type after the change, or before the removal.
    public let type: FeatureType
    public let kind: Kind
    /// What differs; for ``Kind/added`` and ``Kind/removed``, everything.
    public let aspects: Aspects
    /// Before the change. Nil for a feature that was not drawn.
    public let old: DrawnFeature?
    /// After the change. Nil for a feature that is no longer drawn.
    public let new: DrawnFeature?
}

/// What an update changed in the drawing of a map.
public struct MapUpdate: Hashable, Sendable {
    /// Each drawn feature at most once, by id.
    public let changes: [MapChange]

    /// The changes on some levels of the map, by id.
    ///
    /// A feature that leaves them is ``MapChange/Kind/removed`` there, and one that enters them is ``MapChange/Kind/added``. `old`
    /// and `new` still contain both places, so that an app can animate the feature.
    public func changes(in levels: LevelSelection) -> [MapChange] {
        self.changes.compactMap { change in
            let kind: MapChange.Kind
            switch (change.old.map(levels.contains) ?? false, change.new.map(levels.contains) ?? false) {
            case (false, false): return nil
            case (false, true): kind = .added
            case (true, false): kind = .removed
            case (true, true): kind = .changed
            }
            return MapChange(
                id: change.id, type: change.type, kind: kind, aspects: kind == .changed ? change.aspects : .everything,
                old: change.old, new: change.new)
        }
    }
}
