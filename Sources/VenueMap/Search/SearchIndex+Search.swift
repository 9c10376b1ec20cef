package import Foundation
package import IMDF
package import OpeningHours

extension SearchIndex {
    /// Where somebody is.
    package struct Origin: Hashable, Sendable {
        package let position: Position
        /// The levels of the floor; nil if it is not known.
        package let levels: Set<FeatureID>?

        package init(position: Position, levels: Set<FeatureID>?) {
            self.position = position
            self.levels = levels
        }
    }

    package struct Conditions: Sendable {
        package var text = ""
        package var types: Set<FeatureType>?
        /// Only places that are on one of these levels or touch it, without the levels themselves; nil for all.
        package var levels: Set<FeatureID>?
        /// In addition to `levels`: places that belong to no level.
        package var includesVenueWide = false
        package var category: String?
        /// Only places that are present and open at this time; nil for all.
        package var openAt: Date?
        /// The time zone of the venue. Without one, nothing is known to be open.
        package var timeZone: TimeZone?
        package var origin: Origin?
        package var limit = 20

        package init() {}
    }

    package struct Result: Sendable {
        package let place: Place
        package let match: SearchMatch
        /// The best matching text.
        package let text: String
        /// In metres over the ground, in a straight line; nil without an origin or a position.
        package let distance: Double?
        /// The number of floors up from the origin, negative for down; nil if one of the floors is not known.
        package let floors: Int?
        /// The opening hours if ``Conditions/openAt`` is given.
        package let hours: OpeningHours?
    }

    /// The first places, at most `limit`, in the order of ``VenueMap/search(_:types:on:at:limit:isRelated:where:)`` with related ones.
    ///
    /// With an origin, places that match equally well are ordered by the number of floors, then by distance. Without a text they are the
    /// nearest facilities, in the order and by the rules of ``VenueMap/nearest(_:category:from:on:types:)``.
    ///
    /// - Parameter shouldStop: Called often; what was not compared until then matches nothing when it is true.
    /// - Complexity: O(*n*) in the number of different texts, besides sorting the matches.
    package func search(_ conditions: Conditions, shouldStop: @escaping () -> Bool = { false }) -> [Result] {
        guard conditions.limit > 0, let query = SearchQuery(conditions.text) else { return [] }
        guard !query.text.isEmpty else {
            let hits = self.texts.map { shouldStop() ? nil : query.hit(in: $0) }
            return self.results(conditions, isBlank: true, shouldStop) { hits[$0.texts] }
        }
        var names = self.names
        return RelatedQuery.results(of: query, shouldStop: shouldStop) { hit in
            let hits = self.texts.map { shouldStop() ? nil : hit($0, names[$0.category]) }
            return self.results(conditions, shouldStop) { hits[$0.texts] }
        } around: { hit in
            self.results(conditions, shouldStop) { place in
                guard !shouldStop() else { return nil }
                let texts = self.texts[place.texts]
                return hit(texts, names[texts.category], self.around.lists(of: place.levels))
            }
        }
    }

    private func results(
        _ conditions: Conditions, isBlank: Bool = false, _ shouldStop: () -> Bool,
        _ match: (Place) -> SearchQuery.Hit?
    ) -> [Result] {
        var types = conditions.types
        if isBlank, conditions.origin != nil, types == nil { types = [.amenity, .unit, .occupant] }
        var candidates: [Candidate] = []
        for place in self.places {
            guard types?.contains(place.type) != false, conditions.includes(place),
                conditions.category.map(place.isOf) != false, conditions.openAt.map(place.isPresent) != false,
                let hit = match(place)
            else { continue }
            if isBlank, conditions.origin != nil {
                guard place.point != nil, conditions.category.map(place.isRepresented) != true else { continue }
            }
            candidates.append(
                Candidate(
                    place: place, base: SearchCandidate(hit: hit, id: place.id, type: place.type),
                    nearness: conditions.origin.flatMap { self.nearness(of: place, to: $0) }))
        }
        if isBlank, conditions.origin != nil {
            candidates.sort { $0.isNearer($1) ?? ($0.place.id < $1.place.id) }
        } else {
            candidates.sort { $0.precedes($1) }
        }
        var states: [Int: OpeningHours.State] = [:]
        var results: [Result] = []
        for candidate in candidates where results.count < conditions.limit {
            if let instant = conditions.openAt {
                // Thousands of places with different hours may be closed.
                guard !shouldStop() else { break }
                guard let index = candidate.place.hours else { continue }
                let state = states[index] ?? self.hours[index].state(at: instant, in: conditions.timeZone)
                states[index] = state
                guard state == .open else { continue }
            }
            results.append(self.result(candidate, conditions))
        }
        return results
    }

    private func result(_ candidate: Candidate, _ conditions: Conditions) -> Result {
        Result(
            place: candidate.place, match: candidate.base.hit.match, text: candidate.base.hit.term.text,
            distance: candidate.nearness?.distance, floors: candidate.nearness?.floors,
            hours: conditions.openAt == nil ? nil : candidate.place.hours.map { self.hours[$0] })
    }

    /// Nil for a place without a position.
    private func nearness(of place: Place, to origin: Origin) -> Nearness? {
        guard let point = place.point else { return nil }
        let distance = point.distance(to: origin.position)
        guard let levels = origin.levels else { return Nearness(isElsewhere: false, floors: nil, distance: distance) }
        if place.levels.contains(where: { levels.contains($0) }) {
            return Nearness(isElsewhere: false, floors: 0, distance: distance)
        }
        let start = levels.lazy.compactMap { self.levels[$0]?.ordinal }.first
        let floors = place.levels.compactMap { level -> Int? in
            guard let start, let ordinal = self.levels[level]?.ordinal else { return nil }
            let difference = ordinal.subtractingReportingOverflow(start)
            return difference.overflow ? nil : difference.partialValue
        }
        let nearest = floors.min { ($0.magnitude, $0) < ($1.magnitude, $1) }
        return Nearness(isElsewhere: true, floors: nearest, distance: distance)
    }
}

extension SearchIndex.Conditions {
    fileprivate func includes(_ place: SearchIndex.Place) -> Bool {
        guard let levels = self.levels else { return true }
        // A level is no place on itself.
        guard place.type != .level else { return false }
        return place.levels.isEmpty ? self.includesVenueWide : place.levels.contains { levels.contains($0) }
    }
}

private struct Nearness {
    let isElsewhere: Bool
    let floors: Int?
    let distance: Double

    /// Nil if both are equally near.
    func precedes(_ other: Nearness) -> Bool? {
        if self.isElsewhere != other.isElsewhere { return other.isElsewhere }
        let (near, far) = (self.floors?.magnitude ?? .max, other.floors?.magnitude ?? .max)
        if near != far { return near < far }
        return self.distance == other.distance ? nil : self.distance < other.distance
    }
}

private struct Candidate {
    let place: SearchIndex.Place
    let base: SearchCandidate
    let nearness: Nearness?

    /// Places without a position come last. Nil if both are equally near.
    func isNearer(_ other: Candidate) -> Bool? {
        switch (self.nearness, other.nearness) {
        case (let nearness?, let otherNearness?): nearness.precedes(otherNearness)
        case (nil, nil): nil
        default: other.nearness == nil
        }
    }

    func precedes(_ other: Candidate) -> Bool {
        let (left, right) = (self.base.hit, other.base.hit)
        if (left.match, left.rank) == (right.match, right.rank), let isNearer = self.isNearer(other) { return isNearer }
        return self.base.precedes(other.base)
    }
}

extension SearchIndex.Place {
    fileprivate func isOf(_ category: String) -> Bool {
        self.category.map { CategoryNames.isCategory($0, of: category) } ?? false
    }

    /// Whether the unit contains an amenity or occupant of a category.
    fileprivate func isRepresented(_ category: String) -> Bool {
        self.inside.contains { CategoryNames.isCategory($0, of: category) }
    }

    fileprivate func isPresent(at instant: Date) -> Bool {
        self.start.map { instant >= $0 } != false && self.end.map { instant < $0 } != false
    }
}
