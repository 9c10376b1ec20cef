import Foundation
public import IMDF
public import MapLibre
public import SyncClient
import VenueMap

/// A floor on a MapLibre map, with one source and one layer for each type.
@MainActor
public final class MapLibreFloor {
    /// The types that are drawn as layers, the lowest first.
    private static let layerTypes: [FeatureType] = [.unit, .kiosk, .fixture, .opening]
    private static let markerTypes: Set<FeatureType> = [.occupant, .amenity]

    private let mapView: MLNMapView
    private var markers: [FeatureID: MLNPointAnnotation] = [:]

    public init(mapView: MLNMapView) {
        self.mapView = mapView
    }

    public func draw(_ update: ReplicaMapUpdate, of floor: LevelSelection) throws {
        if update.isSnapshot {
            self.mapView.removeAnnotations(Array(self.markers.values))
            self.markers = [:]
        }
        // A feature that has another type also leaves the layer of its former type.
        let isRetyped = update.changes.contains { $0.aspects.contains(.style) }
        let changed = Set(update.changes.map(\.type))
        for type in Self.layerTypes where update.isSnapshot || isRetyped || changed.contains(type) {
            try self.fill(type, from: update.map, of: floor)
        }
        for change in update.changes { self.updateMarker(change, from: update.map) }
    }

    /// MapLibre accepts the FeatureCollection unchanged. An existing source gets a new shape, so that its layer keeps its position.
    private func fill(_ type: FeatureType, from map: VenueMap, of floor: LevelSelection) throws {
        guard let style = self.mapView.style else { return }
        let collection = map.collection(
            of: type, in: floor, options: CollectionOptions(idProperty: "id", needsGeometry: true))
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
    private func updateMarker(_ change: MapChange, from map: VenueMap) {
        guard change.kind != .removed, Self.markerTypes.contains(change.type), let point = change.new?.point?.position
        else {
            if let marker = self.markers.removeValue(forKey: change.id) { self.mapView.removeAnnotations([marker]) }
            return
        }
        let marker = self.markers[change.id] ?? MLNPointAnnotation()
        marker.coordinate = CLLocationCoordinate2D(latitude: point.latitude, longitude: point.longitude)
        marker.title = map.name(of: change.id, for: Locale.preferredLanguages) ?? map.features[change.id]?.category
        guard self.markers.updateValue(marker, forKey: change.id) == nil else { return }
        self.mapView.addAnnotations([marker])
    }
}
