public import Foundation

// The part of MapLibre Native for iOS that the tutorial's app uses, so that the app is compiled and tested without iOS. Names and
// declarations are those of the framework. Nothing is drawn; tests read what was set.

/// A geometry or a collection of geometries.
open class MLNShape {
    /// The JSON as read. The framework has its own model instead.
    public let json: Data

    public init(data: Data, encoding: UInt) throws {
        guard try JSONSerialization.jsonObject(with: data) is [String: Any] else { throw CocoaError(.coderReadCorrupt) }
        self.json = data
    }
}

open class MLNSource {
    public let identifier: String

    init(named identifier: String) { self.identifier = identifier }
}

public final class MLNShapeSource: MLNSource {
    public var shape: MLNShape?

    public init(identifier: String, shape: MLNShape?, options: [String: Any]? = nil) {
        self.shape = shape
        super.init(named: identifier)
    }
}

open class MLNStyleLayer {
    public let identifier: String
    public let source: MLNSource
    public var isVisible = true

    public init(identifier: String, source: MLNSource) {
        self.identifier = identifier
        self.source = source
    }
}

public final class MLNFillStyleLayer: MLNStyleLayer {}
public final class MLNLineStyleLayer: MLNStyleLayer {}
public final class MLNCircleStyleLayer: MLNStyleLayer {}

public final class MLNStyle {
    public private(set) var sources: [MLNSource] = []
    public private(set) var layers: [MLNStyleLayer] = []

    public init() {}

    public func addSource(_ source: MLNSource) { self.sources.append(source) }

    public func source(withIdentifier identifier: String) -> MLNSource? {
        self.sources.first { $0.identifier == identifier }
    }

    public func addLayer(_ layer: MLNStyleLayer) { self.layers.append(layer) }
}

public struct CLLocationCoordinate2D: Hashable, Sendable {
    public var latitude: Double
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

public final class MLNPointAnnotation {
    public var coordinate = CLLocationCoordinate2D(latitude: 0, longitude: 0)
    public var title: String?

    public init() {}
}

@MainActor
public final class MLNMapView {
    public let style: MLNStyle? = MLNStyle()
    public private(set) var annotations: [MLNPointAnnotation] = []

    public init() {}

    public func addAnnotations(_ annotations: [MLNPointAnnotation]) { self.annotations += annotations }

    public func removeAnnotations(_ annotations: [MLNPointAnnotation]) {
        self.annotations.removeAll { old in annotations.contains { $0 === old } }
    }
}
