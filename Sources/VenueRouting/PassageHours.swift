package import Foundation
package import IMDF
import OpeningHours
package import Wayfinding

/// The opening hours of what can be passed in a venue.
package struct PassageHours: Sendable {
    /// What is closed at a time.
    package struct Closures: Sendable {
        package var features: [FeatureID] = []
        /// Whether all hours could be evaluated. What could not be is taken to be open.
        package var isKnown = true
    }

    /// The features of each text; nil hours cannot be read.
    private let timetables: [(hours: OpeningHours?, features: [FeatureID])]
    private let hoursOfFeature: [FeatureID: OpeningHours]

    /// Parses every text once.
    package init(of map: WayfindingMap, shouldStop: () -> Bool = { false }) {
        var byText: [String: [FeatureID]] = [:]
        for (feature, hours) in map.timetables { byText[hours, default: []].append(feature) }
        var timetables: [(hours: OpeningHours?, features: [FeatureID])] = []
        var hoursOfFeature: [FeatureID: OpeningHours] = [:]
        for (text, features) in byText where !shouldStop() {
            let hours = try? OpeningHours(lenient: text)
            timetables.append((hours, features))
            for feature in features { hoursOfFeature[feature] = hours }
        }
        (self.timetables, self.hoursOfFeature) = (timetables, hoursOfFeature)
    }

    package var isEmpty: Bool { self.timetables.isEmpty }

    package func closures(
        at instant: Date, in timeZone: TimeZone?, shouldStop: () -> Bool = { false }
    ) -> Closures {
        var closures = Closures()
        for (hours, features) in self.timetables where !shouldStop() {
            switch hours?.state(at: instant, in: timeZone) ?? .unknown {
            case .open: break
            case .closed: closures.features += features
            case .unknown: closures.isKnown = false
            }
        }
        return closures
    }

    /// When something that is closed opens again; nil if that is not known, or no more wanted.
    func end(
        of feature: FeatureID, after instant: Date, in timeZone: TimeZone?, shouldStop: () -> Bool
    ) -> Date? {
        self.hoursOfFeature[feature]?.nextChange(after: instant, in: timeZone, shouldStop: shouldStop)
    }
}
