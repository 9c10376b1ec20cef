public import Foundation
public import IMDF
public import OpeningHours

extension VenueMap {
    /// Whether a feature is open, as far as that is known, and until when.
    public struct Openness: Hashable, Sendable {
        public let state: OpeningHours.State
        /// What somebody wrote about these times.
        public let comment: String?
        /// When the state is the next time a different one; nil when that is not known, or not within a year.
        public let nextChange: Date?
    }

    /// A feature's `hours`; nil where it has none, or they are not in the syntax of opening hours.
    public func hours(of id: FeatureID) -> OpeningHours? {
        self.features[id]?["hours"]?.string.flatMap { try? OpeningHours($0) }
    }

    /// Whether a feature is open by the clocks of the venue.
    ///
    /// Unknown without hours, with hours that cannot be read, and where nobody says in what time zone the venue is. Times for
    /// holidays count on the days that are given as such.
    public func openness(of id: FeatureID, at instant: Date, holidays: Holidays = .none) -> Openness {
        guard let hours = self.hours(of: id) else { return Openness(state: .unknown, comment: nil, nextChange: nil) }
        let status = hours.status(at: instant, in: self.timeZone, holidays: holidays)
        return Openness(
            state: status.state, comment: status.comment,
            nextChange: hours.nextChange(after: instant, in: self.timeZone, holidays: holidays))
    }

    // MARK: - Validity

    /// Whether a feature is there at a time by its `validity`: from `start` on and before `end`. What cannot be read as a time
    /// sets no bound.
    public func isPresent(_ id: FeatureID, at instant: Date) -> Bool {
        let (start, end) = self.validity(of: id)
        return start.map { instant >= $0 } != false && end.map { instant < $0 } != false
    }

    /// The first time after another at which a feature comes or goes by its `validity`; nil when it does neither.
    public func nextPresenceChange(of id: FeatureID, after instant: Date) -> Date? {
        let (start, end) = self.validity(of: id)
        return [start, end].compactMap(\.self).filter { $0 > instant }.min()
    }

    private func validity(of id: FeatureID) -> (start: Date?, end: Date?) {
        let validity = self.features[id]?["validity"]
        return (Self.date(validity?["start"]), Self.date(validity?["end"]))
    }

    private static func date(_ value: JSONValue?) -> Date? {
        guard let text = value?.string else { return nil }
        let whole = Date.ISO8601FormatStyle.iso8601
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return (try? whole.parse(text)) ?? (try? fractional.parse(text))
    }
}
