import Foundation
import IMDF
public import MapLibre
import SyncClient
import VenueMap

/// A floor on a MapLibre map, with one source and one layer for each type.
@MainActor
public final class MapLibreFloor {
    private let mapView: MLNMapView
    private var markers: [FeatureID: MLNPointAnnotation] = [:]
    private var level: FeatureID?

    public init(mapView: MLNMapView) {
        self.mapView = mapView
    }

    public func draw(_ content: FloorFeed.Content) throws {
        switch content {
        case .floor(let map, let level):
            self.level = level
            for type in [.unit, .fixture, .kiosk, .opening] as [FeatureType] { try self.fill(type, from: map) }
            self.mapView.removeAnnotations(Array(self.markers.values))
            self.markers = [:]
            for occupant in map.features(of: .occupant, on: level) { self.updateMarker(occupant.id, from: map) }
        case .changes(let changes, let map):
            for type in Set(changes.map(\.type)) where type != .occupant { try self.fill(type, from: map) }
            for change in changes where change.type == .occupant { self.updateMarker(change.id, from: map) }
        }
    }

    /// MapLibre accepts the FeatureCollection unchanged. An existing source gets a new shape and is not removed.
    private func fill(_ type: FeatureType, from map: VenueMap) throws {
        guard let style = self.mapView.style else { return }
        let collection = map.collection(
            of: type, on: self.level, options: CollectionOptions(idProperty: "id", needsGeometry: true))
        let shape = try MLNShape(data: Data(collection), encoding: String.Encoding.utf8.rawValue)
        if let source = style.source(withIdentifier: type.rawValue) as? MLNShapeSource {
            source.shape = shape
            return
        }
        let source = MLNShapeSource(identifier: type.rawValue, shape: shape, options: nil)
        style.addSource(source)
        style.addLayer(
            type == .opening
                ? MLNLineStyleLayer(identifier: type.rawValue, source: source)
                : MLNFillStyleLayer(identifier: type.rawValue, source: source))
    }

    /// A shop that moved keeps its marker, so the map can animate it to its new position.
    private func updateMarker(_ id: FeatureID, from map: VenueMap) {
        guard let point = map.labelPoint(of: id)?.position else {
            if let marker = self.markers.removeValue(forKey: id) { self.mapView.removeAnnotations([marker]) }
            return
        }
        let marker = self.markers[id] ?? MLNPointAnnotation()
        marker.coordinate = CLLocationCoordinate2D(latitude: point.latitude, longitude: point.longitude)
        marker.title = map.name(of: id, for: Locale.preferredLanguages)
        guard self.markers.updateValue(marker, forKey: id) == nil else { return }
        self.mapView.addAnnotations([marker])
    }
}
