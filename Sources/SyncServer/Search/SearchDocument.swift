import Foundation
import IMDF
import OpeningHours
import SyncModel
import VenueMap

/// The response to a search as JSON.
struct SearchDocument {
    private let index: SearchIndex
    private let request: SearchRequest
    private let results: ArraySlice<SearchIndex.Result>
    private let isComplete: Bool
    private let instant: Date?
    private let timeZone: TimeZone?
    private let shouldStop: () -> Bool

    /// Searches with a limit of one more than requested.
    ///
    /// - Parameter shouldStop: Called often, also while the JSON is made; the document must not be used when it was true.
    init(
        _ index: SearchIndex, _ conditions: SearchIndex.Conditions, _ request: SearchRequest,
        shouldStop: @escaping () -> Bool
    ) {
        let found = index.search(conditions, shouldStop: shouldStop)
        self.index = index
        self.request = request
        self.results = found.prefix(request.limit)
        self.isComplete = found.count <= request.limit
        (self.instant, self.timeZone) = (conditions.openAt, conditions.timeZone)
        self.shouldStop = shouldStop
    }

    func json(venue: String, revision: Int64, query: JSONValue) -> JSONValue {
        var nextChanges: [String: JSONValue] = [:]
        var results: [JSONValue] = []
        // A name may have thousands of languages, and the next change of opening hours may be sought for a year.
        for (index, result) in self.results.enumerated() where !self.shouldStop() {
            results.append(self.json(of: result, rank: index + 1, &nextChanges))
        }
        return [
            "venue": .string(venue), "revision": .number(Double(revision)), "query": query,
            "time_zone": self.timeZone.map { .string($0.identifier) } ?? .null,
            "count": .number(Double(self.results.count)), "more": .bool(!self.isComplete), "results": .array(results),
            "floors": .array(self.floors),
        ]
    }

    private func json(
        of result: SearchIndex.Result, rank: Int, _ nextChanges: inout [String: JSONValue]
    ) -> JSONValue {
        let place = result.place
        var members: [JSONObject.Member] = []
        func add(_ key: String, _ value: JSONValue?) {
            if let value { members.append(.init(key: key, value: value)) }
        }
        add("rank", .number(Double(rank)))
        add("id", .string(place.id.description))
        add("feature_type", .string(place.type.rawValue))
        add("category", place.category.map(JSONValue.string) ?? .null)
        let categoryName = place.category.map {
            VenueMap.categoryName($0, of: place.type, for: self.request.languages)
        }
        add("category_name", categoryName.map(JSONValue.string) ?? .null)
        add("name", self.text(place.name))
        add("level_id", place.levels.count == 1 ? .string(place.levels[0].description) : .null)
        add("level_ids", .array(place.levels.map { .string($0.description) }))
        add("point", place.point.map { [.number($0.longitude), .number($0.latitude)] } ?? .null)
        add("match", .string("\(result.match)"))
        add("text", .string(result.text))
        if self.request.near != nil {
            // Decimetres: labels are not placed more precisely.
            add("distance", result.distance.map { .number(($0 * 10).rounded() / 10) } ?? .null)
            add("floors", result.floors.map { .number(Double($0)) } ?? .null)
        }
        if let hours = result.hours {
            let next = nextChanges[hours.text] ?? self.nextChange(of: hours)
            nextChanges[hours.text] = next
            add("open", ["state": "open", "next_change": next])
        }
        return .object(JSONObject(members))
    }

    private func nextChange(of hours: OpeningHours) -> JSONValue {
        guard let instant,
            let next = hours.nextChange(after: instant, in: self.timeZone, shouldStop: self.shouldStop)
        else { return .null }
        return .string(Timestamp.text(of: next))
    }

    private func text(_ labels: Labels?) -> JSONValue {
        guard let labels else { return .null }
        return .string(labels.text(for: self.request.languages, archiveLanguage: self.index.language))
    }

    /// The floors of the results, each at the place of its first one.
    private var floors: [JSONValue] {
        var order: [FeatureID?] = []
        var ranks: [FeatureID?: [JSONValue]] = [:]
        for (index, result) in self.results.enumerated() {
            let level = result.place.levels.count == 1 ? result.place.levels[0] : nil
            if ranks[level] == nil { order.append(level) }
            ranks[level, default: []].append(.number(Double(index + 1)))
        }
        return order.map { id in
            let level = id.flatMap { self.index.levels[$0] }
            let name: JSONValue = self.shouldStop() ? .null : self.text(level?.name)
            return [
                "level_id": id.map { .string($0.description) } ?? .null,
                "ordinal": level?.ordinal.map { .number(Double($0)) } ?? .null, "name": name,
                "ranks": .array(ranks[id] ?? []),
            ]
        }
    }
}
