import Foundation
import IMDF
import SyncModel
import Wayfinding

/// The response to a request for a route.
struct RouteDocument: Sendable {
    private let answer: RouteAnswer
    private let request: RouteRequest
    private let instant: Date
    private let hours: String

    init(
        _ venue: WayfindingVenue, _ request: RouteRequest, at instant: Date, in timeZone: TimeZone?,
        shouldStop: @escaping () -> Bool
    ) {
        let closures = venue.closures(at: instant, in: timeZone, shouldStop: shouldStop)
        let query = RouteQuery(
            from: request.from, to: request.to, profile: request.profile,
            closed: Dictionary(
                (closures.features + request.closed).map { ($0, nil) }, uniquingKeysWith: { first, _ in first }),
            languages: request.languages.isEmpty ? [venue.map.language ?? "en"] : request.languages)
        var answer = venue.map.route(query, shouldStop: shouldStop)
        let shut = Set(request.closed)
        // Only what the answer names, because finding the end of one closure takes longer than finding all that is closed.
        for index in answer.reasons.indices where answer.reasons[index].code == "closed" {
            guard let feature = answer.reasons[index].feature, !shut.contains(feature) else { continue }
            answer.reasons[index].until = venue.end(of: feature, after: instant, in: timeZone)
        }
        self.answer = answer
        self.request = request
        self.instant = instant
        self.hours = venue.hasHours ? closures.isKnown ? "applied" : "unknown" : "none"
    }

    func json(venue: String, revision: Int64) -> JSONValue {
        var object = self.answer.json
        object["venue"] = .string(venue)
        object["revision"] = .number(Double(revision))
        object["as_of"] = .string(Timestamp.text(of: self.instant))
        object["profile"] = .string(self.request.profile.rawValue)
        object["hours"] = .string(self.hours)
        return self.request.isGeoJSON ? .object(Self.geoJSON(object)) : .object(object)
    }

    /// A FeatureCollection with a feature for each leg.
    private static func geoJSON(_ object: JSONObject) -> JSONObject {
        var collection = object
        let legs = object["legs"]?.array ?? []
        collection["legs"] = nil
        collection["type"] = "FeatureCollection"
        collection["features"] = .array(
            legs.enumerated().map { index, leg in
                var properties = leg.object ?? [:]
                properties["geometry"] = nil
                properties["leg"] = .number(Double(index + 1))
                return [
                    "type": "Feature", "geometry": leg["geometry"] ?? .null, "properties": .object(properties),
                ]
            })
        return collection
    }
}
