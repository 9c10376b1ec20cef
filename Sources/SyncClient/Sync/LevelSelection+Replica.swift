public import IMDF

extension LevelSelection {
    /// These levels and the venue-wide part.
    public static func levels(_ names: Set<Name>) -> LevelSelection { LevelSelection(names: names) }

    /// A selection with more levels; they alone if nothing was selected yet.
    static func adding(_ names: Set<Name>, to selection: LevelSelection?) -> LevelSelection {
        guard let selection else { return LevelSelection(names: names) }
        return LevelSelection(names: selection.names?.union(names))
    }

    /// The selection without a level. A name that covers further levels, such as an ordinal or `everything`, is first replaced by
    /// the names of the held levels that it covers.
    func without(_ name: Name, among held: [ReplicaLevel]) -> LevelSelection {
        let dropped = held.filter { level in
            switch name {
            case .level(let id): level.level == id
            case .ordinal(let ordinal): level.ordinal == ordinal
            case .venueWide: false
            }
        }.compactMap(\.level)
        var names: Set<Name> = []
        for wanted in self.names ?? Set(held.compactMap { $0.level.map(Name.level) }) where wanted != name {
            switch wanted {
            case .level(let id) where dropped.contains(id): break
            case .ordinal(let ordinal)
            where held.contains { $0.ordinal == ordinal && $0.level.map(dropped.contains) == true }:
                for level in held where level.ordinal == ordinal {
                    if let id = level.level, !dropped.contains(id) { names.insert(.level(id)) }
                }
            default: names.insert(wanted)
            }
        }
        return LevelSelection(names: names.isEmpty ? [.venueWide] : names)
    }
}
