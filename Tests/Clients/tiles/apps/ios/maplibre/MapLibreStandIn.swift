// The part of MapLibre Native for iOS that the example uses, so that it is compiled and run without iOS. Names and declarations are those
// of the framework. A style is read from JSON instead of being loaded.
import Foundation

@MainActor
public final class MLNMapView {
    public var styleURL: URL?
    public private(set) var style: MLNStyle?
    public private(set) var reloadCount = 0

    public init() {}

    public func load(_ json: Data) throws { self.style = try MLNStyle(json) }

    public func reloadStyle(_ sender: Any?) { self.reloadCount += 1 }
}

@MainActor
public final class MLNStyle {
    public let layers: [MLNStyleLayer]

    init(_ json: Data) throws {
        let style = try JSONSerialization.jsonObject(with: json) as? [String: Any]
        self.layers = (style?["layers"] as? [[String: Any]] ?? []).map { layer in
            guard let source = layer["source"] as? String else { return MLNStyleLayer() }
            return MLNVectorStyleLayer(sourceIdentifier: source, filter: layer["filter"])
        }
    }
}

@MainActor
open class MLNStyleLayer {
    init() {}
}

public final class MLNVectorStyleLayer: MLNStyleLayer {
    public let sourceIdentifier: String?
    public var predicate: NSPredicate?

    init(sourceIdentifier: String, filter: Any?) {
        self.sourceIdentifier = sourceIdentifier
        self.predicate = filter.map { NSPredicate(mglJSONObject: $0) }
    }
}

/// The expressions that predicates were made from. Predicates of Foundation on Linux have none.
@MainActor private var expressions: [(predicate: NSPredicate, object: Any)] = []

@MainActor
extension NSPredicate {
    public convenience init(mglJSONObject object: Any) {
        self.init(value: true)
        expressions.append((self, object))
    }

    public var mgl_jsonExpressionObject: Any { expressions.first { $0.predicate === self }?.object ?? [] }
}

@MainActor
public final class MLNOfflineStorage {
    public static let shared = MLNOfflineStorage()

    public func invalidateAmbientCache(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        completionHandler(nil)
    }
}
