import IMDF

/// Shops and named amenities by which people find their way.
struct Landmarks: Sendable {
    struct Landmark: Sendable {
        let feature: FeatureID
        let labels: Labels
        /// The entrance of a shop, the place of an amenity.
        let point: GridPoint
        let ordinal: Int
        let space: Int
        let isOccupant: Bool
    }

    /// The spaces of a path.
    struct Surroundings {
        /// Those in which it begins or ends.
        let ends: Set<Int>
        /// Those in which it is, or which one opening joins with these. What is behind a wall is not seen.
        let near: Set<Int>

        init(_ path: Path, _ from: RouteEnd, _ to: RouteEnd, _ mesh: VenueMesh, _ shafts: Shafts) {
            self.ends = Set(from.spaces + to.spaces)
            var passed = self.ends
            for step in path.steps {
                switch step {
                case .point: break
                case .portal(_, let space): passed.insert(space)
                case .ride(let departure, let arrival):
                    for stop in [departure, arrival] {
                        passed.formUnion(shafts.stops[stop].triangles.map { mesh.space(of: $0) })
                    }
                }
            }
            self.near = passed.union(
                passed.flatMap { mesh.portalsOfSpace[$0] }.flatMap { mesh.portals[Int($0)].edges }
                    .map { mesh.space(of: $0 / 3) })
        }
    }

    /// The greatest distance of a landmark that is passed, and of one that is named beside a lift, in millimeters.
    private static let passingDistance = 6_000.0
    private static let besideDistance = 12_000.0
    /// Landmarks this close to either end of a leg, in millimeters, are not passed.
    private static let margin = 2_000.0

    private let landmarks: [Landmark]
    private let tree: BoxTree
    private let occupantOfSpace: [Int: Int]

    init(
        _ features: [WayfindingFeature], _ plan: SpacePlan, _ mesh: VenueMesh, _ indexOfSpace: [FeatureID: Int],
        _ byID: [FeatureID: WayfindingFeature]
    ) {
        var landmarks: [Landmark] = []
        var occupants: [Int: Int] = [:]
        let vertical: Set<String> = ["elevator", "escalator", "stairs", "ramp", "movingwalkway"]
        for feature in features {
            guard let labels = Labels(feature.properties["name"]) else { continue }
            let place: (point: GridPoint, space: Int)?
            let isOccupant = feature.type == .occupant
            if isOccupant {
                guard let anchor = feature.id("anchor_id").flatMap({ byID[$0] }), anchor.type == .anchor,
                    let space = anchor.id("unit_id").flatMap({ indexOfSpace[$0] })
                else { continue }
                let entrance = mesh.portalsOfSpace[space].map { mesh.portals[Int($0)] }.first { $0.edges.count == 2 }
                let anchorPoint = plan.point(anchor.geometry)
                // In a hall with several shops, each is where its anchor is.
                let isAlone = plan.spaces[space].category != "walkway"
                place = ((isAlone ? entrance?.middle : nil) ?? anchorPoint).map { ($0, space) }
            } else if feature.type == .amenity, !vertical.contains(feature.text("category") ?? "") {
                let space = feature.ids("unit_ids").lazy.compactMap { indexOfSpace[$0] }.first
                place = plan.point(feature.geometry).flatMap { point in space.map { (point, $0) } }
            } else {
                continue
            }
            guard let place else { continue }
            if isOccupant, occupants[place.space] == nil { occupants[place.space] = landmarks.count }
            landmarks.append(
                Landmark(
                    feature: feature.id, labels: labels, point: place.point,
                    ordinal: plan.spaces[place.space].ordinal, space: place.space, isOccupant: isOccupant))
        }
        self.landmarks = landmarks
        self.occupantOfSpace = occupants
        self.tree = BoxTree(landmarks.map { GridBox($0.point, $0.point) })
    }

    func occupant(of space: Int) -> Landmark? { self.occupantOfSpace[space].map { self.landmarks[$0] } }

    /// A landmark is near a path, and not in a space in which it begins or ends, unless it is an amenity.
    private func isUseful(_ landmark: Landmark, _ ordinal: Int, _ spaces: Surroundings) -> Bool {
        landmark.ordinal == ordinal && spaces.near.contains(landmark.space)
            && !(landmark.isOccupant && spaces.ends.contains(landmark.space))
    }

    func nearest(to point: GridPoint, ordinal: Int, in spaces: Surroundings) -> Landmark? {
        var best: (distance: Double, index: Int)?
        for index in self.tree.indices(
            intersecting: GridBox(point, point).expanded(by: Int(Self.besideDistance)))
        {
            guard self.isUseful(self.landmarks[index], ordinal, spaces) else { continue }
            let distance = self.landmarks[index].point.distance(to: point)
            if distance <= Self.besideDistance, distance < best?.distance ?? .infinity { best = (distance, index) }
        }
        return best.map { self.landmarks[$0.index] }
    }

    /// The two landmarks that are nearest to a line, in the order in which they are passed.
    func along(_ line: [FramePosition], ordinal: Int, in spaces: Surroundings) -> [Landmark] {
        let length = zip(line, line.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        guard length > 15_000, let box = GridBox(line.map(\.rounded)) else { return [] }
        var passed: [(distance: Double, position: Double, index: Int)] = []
        for index in self.tree.indices(intersecting: box.expanded(by: Int(Self.passingDistance))) {
            guard self.isUseful(self.landmarks[index], ordinal, spaces) else { continue }
            let point = FramePosition(self.landmarks[index].point)
            var best = (distance: Double.infinity, position: 0.0)
            var start = 0.0
            for (one, other) in zip(line, line.dropFirst()) {
                let (dx, dy) = (other.x - one.x, other.y - one.y)
                let square = dx * dx + dy * dy
                let share =
                    square > 0 ? min(max(((point.x - one.x) * dx + (point.y - one.y) * dy) / square, 0), 1) : 0
                let foot = FramePosition(x: one.x + dx * share, y: one.y + dy * share)
                let distance = foot.distance(to: point)
                if distance < best.distance { best = (distance, start + one.distance(to: foot)) }
                start += one.distance(to: other)
            }
            guard best.distance <= Self.passingDistance, best.position >= Self.margin,
                best.position <= length - Self.margin
            else { continue }
            passed.append((best.distance, best.position, index))
        }
        passed.sort { $0.distance == $1.distance ? $0.index < $1.index : $0.distance < $1.distance }
        return passed.prefix(2)
            .sorted { $0.position == $1.position ? $0.index < $1.index : $0.position < $1.position }
            .map { self.landmarks[$0.index] }
    }
}
