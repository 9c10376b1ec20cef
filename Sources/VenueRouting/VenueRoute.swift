public import Foundation
public import IMDF
public import SyncModel
public import Wayfinding

/// A route in a revision of a venue at a time, or the reason why there is none: what `GET /venues/{venue}/route` responds with.
public struct VenueRoute: Hashable, Sendable {
    /// What is known of opening hours.
    public enum Hours: String, Hashable, Sendable {
        /// The map states none.
        case none
        /// All were evaluated.
        case applied
        /// Some could not be evaluated; what they are about is taken to be open.
        case unknown
    }

    public let venue: VenueKey
    /// Nil if the replica holds nothing yet.
    public let revision: Int64?
    /// The time at which opening hours were evaluated.
    public let instant: Date
    public let profile: Profile
    public let hours: Hours
    public let answer: RouteAnswer

    public var status: RouteAnswer.Status { self.answer.status }
    public var legs: [RouteAnswer.Leg] { self.answer.legs }
    public var reasons: [RouteAnswer.Reason] { self.answer.reasons }

    /// The answer as JSON; once it is written canonically, it has the bytes of the server's response.
    public var json: JSONObject {
        var object = self.answer.json
        object["venue"] = .string(self.venue.description)
        object["revision"] = self.revision.map { .number(Double($0)) } ?? .null
        object["as_of"] = .string(Timestamp.text(of: self.instant))
        object["profile"] = .string(self.profile.rawValue)
        object["hours"] = .string(self.hours.rawValue)
        return object
    }
}

extension VenueRoute {
    /// Searches a route.
    ///
    /// - Parameters:
    ///   - query: What is closed in it is closed beside what is closed by its opening hours.
    ///   - missing: The levels of the venue that the map lacks.
    ///   - shouldStop: Is called often; whether the route is not wanted any more.
    package init(
        _ query: RouteQuery, at instant: Date, in timeZone: TimeZone?, _ map: WayfindingMap, _ hours: PassageHours,
        venue: VenueKey, revision: Int64?, missing: [FeatureID] = [], shouldStop: @escaping () -> Bool = { false }
    ) {
        let closures = hours.closures(at: instant, in: timeZone, shouldStop: shouldStop)
        var closing = query
        for feature in closures.features where closing.closed[feature] == nil { closing.closed[feature] = .some(nil) }
        if closing.languages.isEmpty { closing.languages = [map.language ?? "en"] }
        var answer = map.route(closing, shouldStop: shouldStop)
        // Only what the answer names, because finding the end of one closure takes longer than finding all that is closed.
        for index in answer.reasons.indices where answer.reasons[index].code == "closed" {
            guard let feature = answer.reasons[index].feature, query.closed[feature] == nil else { continue }
            let end = hours.end(of: feature, after: instant, in: timeZone, shouldStop: shouldStop)
            answer.reasons[index].until = end.map { Timestamp.text(of: $0) }
        }
        answer.addLevelsNotHeld(missing)
        self.answer = answer
        self.venue = venue
        self.revision = revision
        self.instant = instant
        self.profile = query.profile
        self.hours = hours.isEmpty ? .none : closures.isKnown ? .applied : .unknown
    }
}
