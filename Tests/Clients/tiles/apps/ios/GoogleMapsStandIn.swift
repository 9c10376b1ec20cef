// The part of the Google Maps SDK for iOS that the documentation's example uses, as the module `GoogleMaps`. Names and types are those of
// the SDK; there is no map.
@_exported import Foundation
@_exported import FoundationNetworking

@MainActor open class GMSTileLayer {
    public var tileSize = 256
    public private(set) var clearedTileCaches = 0

    public init() {}

    public func clearTileCache() { self.clearedTileCaches += 1 }
}

@MainActor public final class GMSURLTileLayer: GMSTileLayer {
    public let urlConstructor: (UInt, UInt, UInt) -> URL?

    public init(urlConstructor: @escaping (UInt, UInt, UInt) -> URL?) {
        self.urlConstructor = urlConstructor
        super.init()
    }
}
