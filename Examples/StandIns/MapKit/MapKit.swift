public import Foundation

// The part of MapKit that the tutorial's app uses, so that the app is compiled and tested where MapKit does not exist. Names and
// declarations are those of the framework. Nothing is drawn; tests read what was set.

public protocol MKGeoJSONObject {}

/// A geometry.
open class MKShape: MKGeoJSONObject {
    public var title: String?
    /// The geometry as read, with sorted members. The framework has its own model instead.
    public internal(set) var json = Data()

    public init() {}
}

public protocol MKOverlay: AnyObject {}

public final class MKPolygon: MKShape, MKOverlay {}
public final class MKMultiPolygon: MKShape, MKOverlay {}
public final class MKPolyline: MKShape, MKOverlay {}
public final class MKMultiPolyline: MKShape, MKOverlay {}

public struct CLLocationCoordinate2D: Hashable, Sendable {
    public var latitude: Double
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

public final class MKPointAnnotation: MKShape {
    public var coordinate = CLLocationCoordinate2D(latitude: 0, longitude: 0)

    public override init() {}
}

public final class MKGeoJSONFeature: MKGeoJSONObject {
    public let identifier: String?
    public let properties: Data?
    public let geometry: [MKShape]

    init(identifier: String?, properties: Data?, geometry: [MKShape]) {
        self.identifier = identifier
        self.properties = properties
        self.geometry = geometry
    }
}

/// As strict as the framework's: it refuses a FeatureCollection with a member that is not a Feature, or with an unknown geometry.
public final class MKGeoJSONDecoder {
    public init() {}

    public func decode(_ data: Data) throws -> [any MKGeoJSONObject] {
        guard let collection = try JSONSerialization.jsonObject(with: data) as? [String: Any],
            collection["type"] as? String == "FeatureCollection",
            let features = collection["features"] as? [[String: Any]]
        else { throw CocoaError(.coderReadCorrupt) }
        return try features.map { try self.feature($0) }
    }

    private func feature(_ content: [String: Any]) throws -> MKGeoJSONFeature {
        guard content["type"] as? String == "Feature", let properties = content["properties"] as? [String: Any] else {
            throw CocoaError(.coderReadCorrupt)
        }
        return MKGeoJSONFeature(
            identifier: content["id"] as? String, properties: try JSONSerialization.data(withJSONObject: properties),
            geometry: try self.shapes(of: content["geometry"] as? [String: Any]))
    }

    private func shapes(of content: [String: Any]?) throws -> [MKShape] {
        let shapes = try self.geometry(content)
        guard let content else { return shapes }
        let json = try JSONSerialization.data(withJSONObject: content, options: .sortedKeys)
        for shape in shapes { shape.json = json }
        return shapes
    }

    private func geometry(_ content: [String: Any]?) throws -> [MKShape] {
        guard let content else { return [] }
        switch content["type"] as? String {
        case "Point":
            let point = MKPointAnnotation()
            let numbers = content["coordinates"] as? [Double] ?? []
            guard numbers.count >= 2 else { throw CocoaError(.coderReadCorrupt) }
            point.coordinate = CLLocationCoordinate2D(latitude: numbers[1], longitude: numbers[0])
            return [point]
        case "LineString": return [MKPolyline()]
        case "MultiLineString": return [MKMultiPolyline()]
        case "Polygon": return [MKPolygon()]
        case "MultiPolygon": return [MKMultiPolygon()]
        default: throw CocoaError(.coderReadCorrupt)
        }
    }
}

@MainActor
public final class MKMapView {
    public private(set) var overlays: [any MKOverlay] = []
    public private(set) var annotations: [MKPointAnnotation] = []

    public init() {}

    public func addOverlays(_ overlays: [any MKOverlay]) { self.overlays += overlays }

    public func removeOverlays(_ overlays: [any MKOverlay]) {
        self.overlays.removeAll { old in overlays.contains { $0 === old } }
    }

    public func addAnnotations(_ annotations: [MKPointAnnotation]) { self.annotations += annotations }

    public func removeAnnotations(_ annotations: [MKPointAnnotation]) {
        self.annotations.removeAll { old in annotations.contains { $0 === old } }
    }
}
