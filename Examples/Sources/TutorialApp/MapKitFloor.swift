import Foundation
public import IMDF
public import MapKit
public import SyncClient
import VenueMap

/// A floor on a MapKit map, with overlays by feature, so that only changed features are replaced.
@MainActor
public final class MapKitFloor {
    private static let overlayTypes: Set<FeatureType> = [.unit, .kiosk, .fixture, .opening]
    private static let markerTypes: Set<FeatureType> = [.occupant, .amenity]

    private let mapView: MKMapView
    private var overlays: [FeatureID: [any MKOverlay]] = [:]
    private var markers: [FeatureID: MKPointAnnotation] = [:]

    public init(mapView: MKMapView) {
        self.mapView = mapView
    }

    public func draw(_ update: ReplicaMapUpdate, of floor: LevelSelection) throws {
        if update.isSnapshot {
            self.mapView.removeOverlays(self.overlays.values.flatMap(\.self))
            self.mapView.removeAnnotations(Array(self.markers.values))
            (self.overlays, self.markers) = ([:], [:])
        }
        for change in update.changes {
            self.mapView.removeOverlays(self.overlays.removeValue(forKey: change.id) ?? [])
            self.updateMarker(change, from: update.map)
        }
        let shown = Set(update.changes.filter { $0.kind != .removed }.map(\.id))
        for type in Self.overlayTypes.intersection(update.changes.map(\.type)) {
            try self.add(type, from: update.map, of: floor) { shown.contains($0) }
        }
    }

    /// MapKit's decoder is strict; the collection meets its requirements: every member is a Feature with properties.
    private func add(
        _ type: FeatureType, from map: VenueMap, of floor: LevelSelection, where isWanted: (FeatureID) -> Bool
    ) throws {
        let collection = map.collection(of: type, in: floor, options: CollectionOptions(needsGeometry: true))
        for case let feature as MKGeoJSONFeature in try MKGeoJSONDecoder().decode(Data(collection)) {
            guard let id = feature.identifier.flatMap({ FeatureID($0) }), isWanted(id) else { continue }
            let drawn = feature.geometry.compactMap { $0 as? any MKOverlay }
            self.overlays[id] = drawn
            self.mapView.addOverlays(drawn)
        }
    }

    /// A shop that moved keeps its annotation, so the map can animate it to its new position.
    private func updateMarker(_ change: MapChange, from map: VenueMap) {
        guard change.kind != .removed, Self.markerTypes.contains(change.type), let point = change.new?.point?.position
        else {
            if let marker = self.markers.removeValue(forKey: change.id) { self.mapView.removeAnnotations([marker]) }
            return
        }
        let marker = self.markers[change.id] ?? MKPointAnnotation()
        marker.coordinate = CLLocationCoordinate2D(latitude: point.latitude, longitude: point.longitude)
        marker.title = map.name(of: change.id, for: Locale.preferredLanguages) ?? map.features[change.id]?.category
        guard self.markers.updateValue(marker, forKey: change.id) == nil else { return }
        self.mapView.addAnnotations([marker])
    }
}
