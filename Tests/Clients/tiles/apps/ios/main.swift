// Runs the example for apps.py: VENUE ORDINAL TOKEN REVISION. Each line of the input is a tile, `x y z`, or `refresh`; the answer is the
// address, or how often the cache was cleared.
import Foundation
import GoogleMaps

let arguments = CommandLine.arguments
let tiles = FloorTiles(
    venue: arguments[1], ordinal: Int(arguments[2])!, token: arguments[3], revision: Int(arguments[4])!)
let layer = tiles.layer()
while let line = readLine() {
    let numbers = line.split(separator: " ").compactMap { UInt($0) }
    if numbers.count == 3 {
        print(layer.urlConstructor(numbers[0], numbers[1], numbers[2])?.absoluteString ?? "none")
    } else {
        try await tiles.refresh(layer)
        print(layer.clearedTileCaches)
    }
    fflush(nil)
}
