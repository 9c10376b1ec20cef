public import Foundation
public import IMDF
public import OpeningHours

extension VenueMap {
    /// The opening state of a feature at a time.
    public struct Openness: Hashable, Sendable {
        public let state: OpeningHours.State
        /// The comment in the opening hours.
        public let comment: String?
        /// When the state changes next; nil if that is unknown or more than a year away.
        public let nextChange: Date?
        /// Whether the hours are not in the strict syntax, but were understood nevertheless. An app may mark them.
        public let isLenient: Bool
    }

    /// A feature's `hours`, read leniently if they are not in the strict syntax; see `OpeningHours.isLenient`. Nil if it has none or
    /// they cannot be read with certainty.
    public func hours(of id: FeatureID) -> OpeningHours? {
        self.features[id]?["hours"]?.string.flatMap { try? OpeningHours(lenient: $0) }
    }

    /// The opening state of a feature, in the time zone of the venue.
    ///
    /// The state is unknown if the feature has no hours, its hours cannot be read with certainty, or the venue has no time zone. Holiday
    /// rules apply on the given days.
    public func openness(of id: FeatureID, at instant: Date, holidays: Holidays = .none) -> Openness {
        guard let hours = self.hours(of: id) else {
            return Openness(state: .unknown, comment: nil, nextChange: nil, isLenient: false)
        }
        let status = hours.status(at: instant, in: self.timeZone, holidays: holidays)
        return Openness(
            state: status.state, comment: status.comment,
            nextChange: hours.nextChange(after: instant, in: self.timeZone, holidays: holidays),
            isLenient: hours.isLenient)
    }

    /// The opening state alone, which is found faster than the next change.
    func state(of id: FeatureID, at instant: Date, holidays: Holidays) -> OpeningHours.State {
        self.hours(of: id)?.status(at: instant, in: self.timeZone, holidays: holidays).state ?? .unknown
    }

    // MARK: - Validity

    /// Whether a time is within a feature's `validity`: from `start` up to, but not including, `end`. A bound that cannot be parsed is
    /// ignored.
    public func isPresent(_ id: FeatureID, at instant: Date) -> Bool {
        let (start, end) = self.validity(of: id)
        return start.map { instant >= $0 } != false && end.map { instant < $0 } != false
    }

    /// The next time after `instant` at which ``isPresent(_:at:)`` changes; nil if it does not.
    public func nextPresenceChange(of id: FeatureID, after instant: Date) -> Date? {
        let (start, end) = self.validity(of: id)
        return [start, end].compactMap(\.self).filter { $0 > instant }.min()
    }

    func validity(of id: FeatureID) -> (start: Date?, end: Date?) {
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
