import Foundation
import MapLibre

/// The floors of a venue on a map of MapLibre Native.
@MainActor
final class VenueFloors {
    private let map: MLNMapView
    private var ordinal = 0

    init(on map: MLNMapView, venue: String, token: String) {
        self.map = map
        map.styleURL = URL(string: "\(venue)/style.json?lang=en&theme=light&token=\(token)")
    }

    func show(ordinal: Int) {
        self.ordinal = ordinal
        for case let layer as MLNVectorStyleLayer in self.map.style?.layers ?? []
        where layer.sourceIdentifier == "venue" {
            guard var filter = layer.predicate?.mgl_jsonExpressionObject as? [Any], filter.count > 1 else { continue }
            filter[1] = ["==", ["get", "ordinal"], ordinal] as [Any]
            layer.predicate = NSPredicate(mglJSONObject: filter)
        }
    }

    /// For `mapView(_:didFinishLoading:)` of the delegate: a style that was loaded shows its first floor.
    func didLoadStyle() { self.show(ordinal: self.ordinal) }

    /// For a revision for which `tiles/changes` lists tiles. Tiles that did not change are answered with 304.
    func reload() {
        MLNOfflineStorage.shared.invalidateAmbientCache { _ in
            Task { @MainActor in self.map.reloadStyle(nil) }
        }
    }
}
