import Foundation
import IMDF
import IMDFArchive
import RevisionStore
import SyncModel
import VenueRouting
import Wayfinding

/// The content of a venue that is ready for routes, with the opening hours of what can be passed.
struct WayfindingVenue: Sendable {
    let map: WayfindingMap
    let hours: PassageHours
    /// About how many bytes it takes.
    let cost: Int

    /// - Parameter former: Another revision of the venue, from which floors are taken on which people walk as they did.
    init(
        _ features: [FeatureRecord], language: String?, reusing former: WayfindingVenue? = nil,
        shouldStop: () -> Bool
    ) {
        let reader = JSONReader()
        var bytes = 0
        var read: [WayfindingFeature] = []
        for feature in features where !shouldStop() {
            guard let content = (try? reader.value(of: feature.body))?.object else { continue }
            bytes += feature.body.count
            read.append(WayfindingFeature(id: feature.id, type: feature.type, content: content))
        }
        self.map = WayfindingMap(read, language: language, reusing: former?.map, shouldStop: shouldStop)
        self.hours = PassageHours(of: self.map, shouldStop: shouldStop)
        // Values of JSON take several times the bytes of their text.
        self.cost = 1_024 + 8 * bytes + 256 * self.map.triangleCount
    }

    /// The map with the travel times of the venue.
    func currentMap(of venue: VenueRecord) -> WayfindingMap {
        var map = self.map
        map.travelTimes = TravelTimes(venue.settings.wayfinding)
        return map
    }
}

extension PreparedVenues<WayfindingVenue> {
    convenience init(readModel: ReadModel, clock: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.init(readModel: readModel, bytes: 256 << 20, contentLimit: .seconds(120), clock: clock, cost: \.cost) {
            features, language, former, shouldStop in
            WayfindingVenue(features, language: language, reusing: former, shouldStop: shouldStop)
        }
    }
}
