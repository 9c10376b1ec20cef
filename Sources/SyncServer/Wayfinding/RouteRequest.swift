import Foundation
import Hummingbird
import IMDF
import SyncModel
import Wayfinding

/// The parameters of a request for a route.
struct RouteRequest: Sendable {
    static let parameters = ["from", "to", "profile", "at", "lang", "closed"]
    private static let closedLimit = 100
    private static let languageLimit = 5

    var from: Place
    var to: Place
    let profile: Profile
    /// The time, and whether it is that of the request.
    let at: (time: Date, isNow: Bool)
    let languages: [String]
    var closed: [FeatureID]
    let isGeoJSON: Bool

    init(_ request: Request, now: Date = Date()) throws {
        let values = QueryValues(request)
        try values.refuseUnknown(except: Self.parameters)
        self.from = try Self.place("from", values)
        self.to = try Self.place("to", values)
        let name = try values.text("profile")
        guard let profile = name.map({ Profile(rawValue: $0) }) ?? .walk else {
            throw Problem.parameter("profile", "It must be walk or step-free.")
        }
        self.profile = profile
        self.at = try values.text("at").map { try SearchRequest.time($0, "at", now) } ?? (now, true)
        self.languages = try values.languages(atMost: Self.languageLimit)
        let ids = values.all("closed").flatMap { $0.split(separator: ",") }
        guard ids.count <= Self.closedLimit else {
            throw Problem.parameter("closed", "It may have \(Self.closedLimit) ids, not \(ids.count).")
        }
        self.closed = try ids.map { text in
            guard let id = FeatureID(String(text)) else {
                throw Problem.parameter("closed", "It must be ids of features, with commas between them.")
            }
            return id
        }
        self.isGeoJSON = request.prefers(["application/geo+json"], over: ["application/json"])
    }

    private static func place(_ name: String, _ values: QueryValues) throws -> Place {
        guard let text = try values.text(name) else {
            throw Problem.parameter(name, "It is missing. A route needs both ends.")
        }
        if let id = FeatureID(text) { return .feature(id) }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 3, let longitude = Double(parts[0]), let latitude = Double(parts[1]),
            let ordinal = Int(parts[2]), (-180...180).contains(longitude), (-90...90).contains(latitude),
            (-1_000_000...1_000_000).contains(ordinal)
        else {
            throw Problem.parameter(
                name, "It must be the id of a feature, or longitude,latitude,ordinal, such as 139.7005,35.6005,0.")
        }
        return .position(longitude: longitude, latitude: latitude, ordinal: ordinal)
    }

    /// The question, without a language if the request names none.
    var query: RouteQuery {
        RouteQuery(
            from: self.from, to: self.to, profile: self.profile,
            closed: Dictionary(self.closed.map { ($0, nil) }, uniquingKeysWith: { first, _ in first }),
            languages: self.languages)
    }

    /// The ids that the request names, with the parameters.
    var ids: [(name: String, id: FeatureID)] {
        let ends = [("from", self.from), ("to", self.to)].compactMap { name, place in
            if case .feature(let id) = place { (name, id) } else { nil }
        }
        return ends + self.closed.map { ("closed", $0) }
    }

    /// Takes other ids, such as those of features instead of their aliases.
    mutating func replaceIDs(_ other: [FeatureID: FeatureID]) {
        func replaced(_ place: Place) -> Place {
            if case .feature(let id) = place { .feature(other[id] ?? id) } else { place }
        }
        (self.from, self.to) = (replaced(self.from), replaced(self.to))
        self.closed = self.closed.map { other[$0] ?? $0 }
    }

    /// The parameters as they were understood; equal requests have equal ones.
    func json(at instant: Date) -> JSONValue {
        [
            "from": Self.json(self.from), "to": Self.json(self.to), "profile": .string(self.profile.rawValue),
            "at": .string(Timestamp.text(of: instant)), "lang": .array(self.languages.map { .string($0) }),
            "closed": .array(Set(self.closed).sorted().map { .string($0.description) }),
            "geojson": .bool(self.isGeoJSON),
        ]
    }

    private static func json(_ place: Place) -> JSONValue {
        switch place {
        case .feature(let id): .string(id.description)
        case .position(let longitude, let latitude, let ordinal):
            [.number(longitude), .number(latitude), .number(Double(ordinal))]
        }
    }
}
