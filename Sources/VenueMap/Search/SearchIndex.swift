package import Foundation
package import IMDF
package import OpeningHours

/// What searches of a server need of a map: texts, positions and hours, without bodies and geometries. Features with equal texts share
/// them, so that each text is compared once per search.
package struct SearchIndex: Sendable {
    /// A feature with a name or a category.
    package struct Place: Sendable {
        package let id: FeatureID
        package let type: FeatureType
        package let category: String?
        package let name: Labels?
        /// Its level, or all levels that it touches.
        package let levels: [FeatureID]
        package let point: Position?
        let texts: Int
        let hours: Int?
        /// By its `validity`.
        let start: Date?
        let end: Date?
        /// The categories of amenities and occupants in a unit, which are the same facility with a better position.
        let inside: [String]
    }

    package struct Level: Sendable {
        package let id: FeatureID
        package let ordinal: Int?
        package let name: Labels?
    }

    package let places: [Place]
    /// The levels that places name.
    package let levels: [FeatureID: Level]
    package let language: String?
    let texts: [SearchTexts]
    let names: CategoryTerms
    let around: SurroundingTerms
    package let hours: [OpeningHours]
    /// The bounds of all validities, ascending, each once.
    let bounds: [Date]

    /// - Parameter shouldStop: Called before each feature; the rest is left out when it is true.
    /// - Complexity: As ``VenueMap/search(_:types:on:at:limit:isRelated:where:)`` for an empty text, besides finding the label points.
    package init(_ map: VenueMap, shouldStop: () -> Bool = { false }) {
        var builder = SearchIndexBuilder(map, shouldStop)
        for id in map.features.keys.sorted() where !shouldStop() { builder.add(id) }
        self.places = builder.places
        self.texts = builder.texts
        self.hours = builder.hours
        self.names = builder.names
        self.around = SurroundingTerms(map, shouldStop: shouldStop)
        self.language = map.language
        self.bounds = Set(builder.places.flatMap { [$0.start, $0.end].compactMap(\.self) }).sorted()
        let ids = Set(builder.places.flatMap(\.levels)).union(map.graph.levels.map(\.id))
        self.levels = Dictionary(
            uniqueKeysWithValues: ids.map { id in
                let level = map.level(id)
                return (id, Level(id: id, ordinal: level?.ordinal, name: level?.shortName ?? level?.name))
            })
    }

    /// Increased whenever a search finds something else in the same features. The names of categories and the synonyms are part of it.
    package static let edition = 4

    /// The bytes that it takes in memory, roughly.
    package var cost: Int {
        let texts = self.texts.reduce(0) { sum, texts in
            texts.terms.reduce(sum + 64) { $0 + 64 + $1.text.utf8.count + $1.folded.cost }
        }
        let places = self.places.reduce(0) { sum, place in
            sum + 240 + 16 * place.levels.count + 32 * place.inside.count
                + (place.name?.texts.reduce(64) { $0 + 64 + $1.utf8.count } ?? 0)
        }
        let hours = self.hours.reduce(0) { $0 + 1_024 + 4 * $1.text.utf8.count }
        return texts + places + hours + self.around.cost + 256 * self.levels.count
    }

    /// The time around an instant in which what is present and open does not change: states of opening hours change at whole minutes,
    /// presence at the bounds of validities.
    package func steadyTime(around instant: Date) -> Range<Date> {
        let minute = (instant.timeIntervalSince1970 / 60).rounded(.down) * 60
        var index = self.bounds.partitioned { $0 > instant }
        let next = index < self.bounds.count ? self.bounds[index] : .distantFuture
        index -= 1
        let last = index >= 0 ? self.bounds[index] : .distantPast
        let (start, end) = (Date(timeIntervalSince1970: minute), Date(timeIntervalSince1970: minute + 60))
        return max(start, last)..<min(end, next)
    }
}

extension [Date] {
    /// The index of the first element that satisfies a condition, which all elements after it satisfy, too.
    fileprivate func partitioned(by condition: (Date) -> Bool) -> Int {
        var (low, high) = (0, self.count)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension VenueMap {
    func level(_ id: FeatureID) -> VenueGraph.Level? { self.index.structure.level(id) }

    func texts(of id: FeatureID) -> SearchTexts? { self.index.texts[id] }
}

/// Collects the places of a map.
private struct SearchIndexBuilder {
    private let map: VenueMap
    /// By UTF-8, because hashing a string of many marks takes long.
    private var textsByKey: [[[UInt8]]: Int] = [:]
    private var hoursByText: [[UInt8]: Int?] = [:]
    private let inside: [FeatureID: [String]]
    private(set) var places: [SearchIndex.Place] = []
    private(set) var texts: [SearchTexts] = []
    private(set) var hours: [OpeningHours] = []
    private(set) var names = CategoryTerms()

    init(_ map: VenueMap, _ shouldStop: () -> Bool) {
        self.map = map
        self.inside = map.facilitiesByUnit(shouldStop)
    }

    mutating func add(_ id: FeatureID) {
        guard let feature = self.map.features[id], let texts = self.map.texts(of: id), !texts.terms.isEmpty
        else { return }
        let (start, end) = self.map.validity(of: id)
        let category = texts.category
        _ = self.names[category]
        self.places.append(
            SearchIndex.Place(
                id: id, type: feature.type, category: category, name: Labels(feature["name"]),
                levels: feature.levelIDs, point: self.map.labelPoint(of: feature)?.position,
                texts: self.index(of: texts), hours: self.index(ofHours: feature["hours"]?.string), start: start,
                end: end, inside: self.inside[id] ?? []))
    }

    private mutating func index(of texts: SearchTexts) -> Int {
        let key = texts.terms.map { [UInt8($0.member.rawValue)] + Array($0.text.utf8) }
        if let index = self.textsByKey[key] { return index }
        let index = self.texts.count
        self.texts.append(texts)
        self.textsByKey[key] = index
        return index
    }

    private mutating func index(ofHours text: String?) -> Int? {
        guard let text else { return nil }
        let key = Array(text.utf8)
        if let known = self.hoursByText[key] { return known }
        var index: Int?
        if let hours = try? OpeningHours(lenient: text) {
            index = self.hours.count
            self.hours.append(hours)
        }
        self.hoursByText[key] = .some(index)
        return index
    }
}

extension VenueMap {
    /// More are not compared, so that the time is bounded for any archive. Units of the rest count as facilities of their own.
    private static let maximumComparisons = 4_000_000

    /// The categories of the amenities and occupants that are in units of a related category, by unit.
    fileprivate func facilitiesByUnit(_ shouldStop: () -> Bool) -> [FeatureID: [String]] {
        struct Key: Hashable {
            let level: FeatureID
            let root: Substring
        }
        func root(_ category: String) -> Substring { category.prefix { $0 != "." } }
        var units: [Key: [MapFeature]] = [:]
        var facilities: [MapFeature] = []
        for feature in self.features.values {
            guard let category = feature.category else { continue }
            switch feature.type {
            case .unit:
                for level in feature.levelIDs {
                    units[Key(level: level, root: root(category)), default: []].append(feature)
                }
            case .amenity, .occupant: facilities.append(feature)
            default: break
            }
        }
        var inside: [FeatureID: Set<String>] = [:]
        var comparisons = 0
        for facility in facilities.sorted(by: { $0.id < $1.id }) where !shouldStop() {
            guard let category = facility.category, let point = self.labelPoint(of: facility)?.position else {
                continue
            }
            for level in facility.levelIDs {
                let near = units[Key(level: level, root: root(category))] ?? []
                comparisons += near.count
                guard comparisons <= Self.maximumComparisons else { return inside.mapValues { $0.sorted() } }
                for unit in near where self.isFeature(facility, at: point, in: unit) {
                    inside[unit.id, default: []].insert(category)
                }
            }
        }
        return inside.mapValues { $0.sorted() }
    }
}
