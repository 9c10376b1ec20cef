import IMDF
import VenueRouting
import Wayfinding

extension VenueRoute {
    /// The JSON of the route as a FeatureCollection with a feature for each leg.
    var geoJSON: JSONObject {
        var collection = self.json
        let legs = collection["legs"]?.array ?? []
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
