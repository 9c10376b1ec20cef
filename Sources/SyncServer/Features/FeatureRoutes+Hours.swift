import Foundation
import Hummingbird
import IMDF
import IMDFArchive
import OpeningHours
import RevisionStore
import SyncModel

extension FeatureRoutes {
    /// What a request for opening hours may cost besides the turns of others.
    private static var hoursLimit: Duration { .seconds(10) }

    /// `GET /venues/{venue}/features/{id}/hours?at=&days=`: whether the feature is open.
    @Sendable func hours(_ request: Request, _ context: ReaderContext) async throws -> Response {
        let values = QueryValues(request)
        let now = Date()
        let at = try values.text("at").map { try SearchRequest.time($0, "at", now) } ?? (time: now, isNow: true)
        let days = try values.number("days", in: 1...31).map(Int.init) ?? 7
        let name = try context.featureName()
        let venue = context.venue
        let feature = try await venue.readHead {
            let store = self.readModel.reader(of: venue)
            return try await self.find(name, in: venue) { try await store.feature($0, of: venue, at: venue.head) }
        }
        let (body, seconds) = try await self.featurePermits.inTurns(for: venue.key, limit: Self.hoursLimit) {
            shouldStop -> ([UInt8], Int) in
            let report = try HoursReport(feature.found, of: venue, at: at.time, isNow: at.isNow)
            let json = report.json(days: days, revision: venue.head, shouldStop: shouldStop)
            return (CanonicalJSON.data(json), report.secondsUntilChange(after: at.time))
        }
        let control = at.isNow ? "max-age=\(seconds)" : "no-cache"
        return try Response(status: .ok).cached(control, isPublic: venue.settings.public)
            .tagged("\(Digest(of: body).hex.prefix(32))", for: request).with(body, type: "application/json")
            .located(feature.id == FeatureID(name) ? nil : "/venues/\(venue.key)/features/\(feature.id)/hours")
    }
}

/// The opening hours of a feature and what they say about a time.
private struct HoursReport: Sendable {
    private let feature: FeatureRecord
    private let venue: VenueRecord
    /// The beginning of the minute for the present: states change at whole minutes.
    private let instant: Date
    private let value: JSONValue
    private let hours: OpeningHours?
    private let timeZone: TimeZone?
    private let start: Date?
    private let end: Date?

    init(_ feature: FeatureRecord, of venue: VenueRecord, at time: Date, isNow: Bool) throws {
        let properties = try JSONReader.value(of: feature.body)["properties"]
        (self.feature, self.venue) = (feature, venue)
        self.value = properties?["hours"] ?? .null
        self.hours = self.value.string.flatMap { try? OpeningHours(lenient: $0) }
        self.timeZone = venue.settings.timeZone.flatMap { TimeZone(identifier: $0) }
        let validity = properties?["validity"]
        self.start = validity?["start"]?.string.flatMap { Timestamp.date(of: $0) }
        self.end = validity?["end"]?.string.flatMap { Timestamp.date(of: $0) }
        let minute = Date(timeIntervalSince1970: (time.timeIntervalSince1970 / 60).rounded(.down) * 60)
        // A validity that begins or ends within the minute counts, too.
        let last = [self.start, self.end].compactMap(\.self).filter { $0 <= time }.max() ?? minute
        self.instant = isNow ? max(minute, last) : time
    }

    /// How long the response may be used. Rounded down, so that it is not used after the next change.
    func secondsUntilChange(after time: Date) -> Int {
        let minute = (time.timeIntervalSince1970 / 60).rounded(.down) * 60 + 60
        let next = [self.start, self.end].compactMap(\.self).filter { $0 > time }.min() ?? .distantFuture
        return max(0, Int(min(Date(timeIntervalSince1970: minute), next).timeIntervalSince(time)))
    }

    /// - Parameter shouldStop: Called before each day; the value must not be used when it was true.
    func json(days: Int, revision: Int64, shouldStop: () -> Bool) -> JSONValue {
        let status = self.hours?.status(at: self.instant, in: self.timeZone)
        let next = self.hours?.nextChange(after: self.instant, in: self.timeZone, shouldStop: shouldStop)
        let isPresent =
            self.start.map { self.instant >= $0 } != false && self.end.map { self.instant < $0 } != false
        return [
            "id": .string(self.feature.id.description), "revision": .number(Double(revision)),
            "hours": self.value, "reading": .string(self.reading),
            "strict": self.hours.map { .string($0.strictText) } ?? .null,
            "names_holidays": .bool(self.hours?.namesHolidays ?? false),
            "time_zone": self.venue.settings.timeZone.map(JSONValue.string) ?? .null,
            "time_zone_source": self.venue.timeZoneSource.map { .string($0.rawValue) } ?? .null,
            "at": .string(Timestamp.text(of: self.instant)), "present": .bool(isPresent),
            "state": .string((status?.state ?? .unknown).rawValue),
            "reason": self.reason(status?.state).map(JSONValue.string) ?? .null,
            "comment": status?.comment.map(JSONValue.string) ?? .null,
            "next_change": next.map { .string(Timestamp.text(of: $0)) } ?? .null,
            "days": .array(self.table(days, shouldStop)),
        ]
    }

    private var reading: String {
        switch self.hours {
        case let hours?: hours.isLenient ? "lenient" : "strict"
        case nil: self.value.isNull ? "none" : "unreadable"
        }
    }

    /// Why the state is unknown.
    private func reason(_ state: OpeningHours.State?) -> String? {
        if self.value.isNull { return "no-hours" }
        if self.hours == nil { return "unreadable-hours" }
        if self.timeZone == nil { return "no-time-zone" }
        return state == .unknown ? "undetermined" : nil
    }

    private func table(_ days: Int, _ shouldStop: () -> Bool) -> [JSONValue] {
        guard let hours = self.hours, let timeZone = self.timeZone else { return [] }
        return hours.days(days, from: self.instant, in: timeZone, shouldStop: shouldStop).map { day in
            [
                "date": .string(day.date.description),
                "intervals": .array(
                    day.intervals.map { interval in
                        [
                            "start": .string(Timestamp.text(of: interval.start)),
                            "end": .string(Timestamp.text(of: interval.end)),
                            "from": .string(Self.clock(interval.span.start)),
                            "to": .string(Self.clock(interval.span.end)),
                            "state": .string(interval.span.state.rawValue),
                            "comment": interval.span.comment.map(JSONValue.string) ?? .null,
                        ]
                    }),
            ]
        }
    }

    /// `09:30`; above 24:00 on the next day.
    private static func clock(_ minute: Int) -> String {
        let digits = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return digits.joined(separator: ":")
    }
}
