import Foundation
import IMDF
public import MapKit
import SyncClient
import VenueMap

/// A floor on a MapKit map, with overlays by feature, so that only changed features are replaced.
@MainActor
public final class MapKitFloor {
    private let mapView: MKMapView
    private var overlays: [FeatureID: [any MKOverlay]] = [:]
    private var markers: [FeatureID: MKPointAnnotation] = [:]
    private var level: FeatureID?

    public init(mapView: MKMapView) {
        self.mapView = mapView
    }

    public func draw(_ content: FloorFeed.Content) throws {
        switch content {
        case .floor(let map, let level):
            self.level = level
            self.mapView.removeOverlays(self.overlays.values.flatMap(\.self))
            self.mapView.removeAnnotations(Array(self.markers.values))
            (self.overlays, self.markers) = ([:], [:])
            for type in [.unit, .fixture, .kiosk, .opening] as [FeatureType] {
                try self.add(type, from: map) { _ in true }
            }
            for occupant in map.features(of: .occupant, on: level) { self.updateMarker(occupant.id, from: map) }
        case .changes(let changes, let map):
            for change in changes {
                self.mapView.removeOverlays(self.overlays.removeValue(forKey: change.id) ?? [])
                if change.type == .occupant { self.updateMarker(change.id, from: map) }
            }
            let changed = Set(changes.map(\.id))
            for type in Set(changes.map(\.type)) { try self.add(type, from: map) { changed.contains($0) } }
        }
    }

    /// MapKit's decoder is strict; the collection meets its requirements: every member is a Feature with properties.
    private func add(_ type: FeatureType, from map: VenueMap, where isWanted: (FeatureID) -> Bool) throws {
        let collection = map.collection(of: type, on: self.level, options: CollectionOptions(needsGeometry: true))
        for case let feature as MKGeoJSONFeature in try MKGeoJSONDecoder().decode(Data(collection)) {
            guard let id = feature.identifier.flatMap({ FeatureID($0) }), isWanted(id) else { continue }
            let drawn = feature.geometry.compactMap { $0 as? any MKOverlay }
            self.overlays[id] = drawn
            self.mapView.addOverlays(drawn)
        }
    }

    /// A shop that moved keeps its annotation, so the map can animate it to its new position.
    private func updateMarker(_ id: FeatureID, from map: VenueMap) {
        guard let point = map.labelPoint(of: id)?.position else {
            if let marker = self.markers.removeValue(forKey: id) { self.mapView.removeAnnotations([marker]) }
            return
        }
        let marker = self.markers[id] ?? MKPointAnnotation()
        marker.coordinate = CLLocationCoordinate2D(latitude: point.latitude, longitude: point.longitude)
        marker.title = map.name(of: id, for: Locale.preferredLanguages)
        guard self.markers.updateValue(marker, forKey: id) == nil else { return }
        self.mapView.addAnnotations([marker])
    }
}
