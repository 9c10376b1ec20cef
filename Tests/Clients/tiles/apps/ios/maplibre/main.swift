// Runs the example for apps.py: VENUE TOKEN STYLE. Each line of the input is the ordinal of a floor, or `reload`; the answer is the
// filters of the layers as JSON, or how often the style was loaded again.
import Foundation
import MapLibre

let arguments = CommandLine.arguments
let map = MLNMapView()
let floors = VenueFloors(on: map, venue: arguments[1], token: arguments[2])
print(map.styleURL?.absoluteString ?? "none")
try map.load(Data(contentsOf: URL(fileURLWithPath: arguments[3])))
floors.didLoadStyle()
fflush(nil)
while let line = readLine() {
    if let ordinal = Int(line) {
        floors.show(ordinal: ordinal)
        let filters = map.style?.layers.map { layer -> Any in
            (layer as? MLNVectorStyleLayer)?.predicate?.mgl_jsonExpressionObject ?? NSNull()
        }
        print(String(decoding: try JSONSerialization.data(withJSONObject: filters ?? []), as: UTF8.self))
    } else {
        floors.reload()
        while map.reloadCount == 0 { await Task.yield() }
        print(map.reloadCount)
    }
    fflush(nil)
}
