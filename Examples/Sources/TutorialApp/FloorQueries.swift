public import Foundation
public import IMDF
public import VenueMap

/// Queries that apps often need.
public enum FloorQueries {
    /// Shops that are open now, the best match first: `カフェ`, `ｶﾌｪ` and `かふぇ` give the same result. All of them without a text.
    public static func openShops(
        _ text: String = "", in map: VenueMap, at now: Date = Date()
    ) -> [VenueMap.SearchResult] {
        map.searchOpen(text, at: now)
    }

    /// The nearest restrooms from a position, those on this floor first.
    public static func restrooms(near position: Position, on level: FeatureID, in map: VenueMap) -> [FeatureID] {
        map.nearest(3, category: "restroom", from: position, on: level).map(\.id)
    }
}
