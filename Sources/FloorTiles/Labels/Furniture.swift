import IMDF

/// The boxes of kiosks and fixtures, which labels keep clear of where they can.
final class Furniture {
    private let boxes: [WorldBox]
    private let grid: FeatureGrid
    /// How many boxes may still be looked at. After that, labels have no regard to furniture.
    private var budget = 10_000_000

    /// With more of it in a room there is no place without.
    private static let maximumCount = 48

    init(_ features: [TileFeature]) {
        self.boxes = features.filter { $0.type == .fixture || $0.type == .kiosk }.map(\.box)
        self.grid = FeatureGrid(self.boxes)
    }

    /// What is in a room, without what takes most of it, such as carpets and walls around it; nothing if there is too much.
    func boxes(in room: WorldBox) -> [WorldBox] {
        guard !self.boxes.isEmpty, self.budget > 0 else { return [] }
        var found: [WorldBox] = []
        self.grid.forEachCandidate(in: room) { index in
            self.budget -= 1
            let box = self.boxes[index]
            let common = box.intersection(room)
            guard found.count <= Self.maximumCount, common.width > 0, common.height > 0,
                common.width * common.height < 0.5 * room.width * room.height
            else { return }
            found.append(box)
        }
        return found.count <= Self.maximumCount ? found : []
    }
}
