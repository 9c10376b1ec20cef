import Foundation
import IMDF
import IMDFArchive
import OpeningHours
import RevisionStore
import SyncModel
import Wayfinding

/// A revision of a venue that is ready for routes, with the opening hours of what can be passed.
struct WayfindingVenue: Sendable {
    /// What is closed at a time.
    struct Closures: Sendable {
        var features: [FeatureID] = []
        /// What the map says about hours: nothing, or whether all of them could be evaluated.
        var isKnown = true
    }

    let map: WayfindingMap
    /// The features of each text; nil hours cannot be read.
    private let timetables: [(hours: OpeningHours?, features: [FeatureID])]
    private let hoursOfFeature: [FeatureID: OpeningHours]
    /// About how many bytes it takes.
    let cost: Int

    init(_ features: [FeatureRecord], language: String?, shouldStop: () -> Bool) {
        let reader = JSONReader()
        var bytes = 0
        var read: [WayfindingFeature] = []
        for feature in features where !shouldStop() {
            guard let content = (try? reader.value(of: feature.body))?.object else { continue }
            bytes += feature.body.count
            read.append(WayfindingFeature(id: feature.id, type: feature.type, content: content))
        }
        self.map = WayfindingMap(read, language: language, shouldStop: shouldStop)
        var byText: [String: [FeatureID]] = [:]
        for (feature, hours) in self.map.timetables { byText[hours, default: []].append(feature) }
        var timetables: [(hours: OpeningHours?, features: [FeatureID])] = []
        var hoursOfFeature: [FeatureID: OpeningHours] = [:]
        for (text, features) in byText where !shouldStop() {
            let hours = try? OpeningHours(lenient: text)
            timetables.append((hours, features))
            for feature in features { hoursOfFeature[feature] = hours }
        }
        (self.timetables, self.hoursOfFeature) = (timetables, hoursOfFeature)
        // Values of JSON take several times the bytes of their text.
        self.cost = 1_024 + 8 * bytes + 256 * self.map.triangleCount
    }

    var hasHours: Bool { !self.timetables.isEmpty }

    /// What is closed. What could not be evaluated is taken to be open.
    func closures(at instant: Date, in timeZone: TimeZone?, shouldStop: () -> Bool) -> Closures {
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

    /// When something that is closed opens again.
    func end(of feature: FeatureID, after instant: Date, in timeZone: TimeZone?) -> String? {
        self.hoursOfFeature[feature]?.nextChange(after: instant, in: timeZone).map { Timestamp.text(of: $0) }
    }
}

extension PreparedVenues<WayfindingVenue> {
    convenience init(readModel: ReadModel) {
        self.init(readModel: readModel, bytes: 256 << 20, contentLimit: .seconds(120), cost: \.cost) {
            features, language, shouldStop in
            WayfindingVenue(features, language: language, shouldStop: shouldStop)
        }
    }
}
