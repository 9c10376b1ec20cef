import IMDF

/// Shops and named amenities by which people find their way.
struct Landmarks: Sendable {
    struct Landmark: Sendable {
        let feature: FeatureID
        let labels: Labels
        /// An entrance of a shop, the place of an amenity.
        let point: GridPoint
        /// For an entrance, the space outside of it.
        let outside: Int?
        let ordinal: Int
        let space: Int
        let isOccupant: Bool
    }

    /// Where an occupant has its anchor, or an amenity is.
    private struct Location {
        let feature: WayfindingFeature
        let space: Int
        let point: GridPoint?
        var isOccupant: Bool { self.feature.type == .occupant }

        /// Nil for what is no landmark.
        init?(
            _ feature: WayfindingFeature, _ plan: SpacePlan, _ indexOfSpace: [FeatureID: Int],
            _ byID: [FeatureID: WayfindingFeature]
        ) {
            let geometry: JSONValue
            let units: [FeatureID]
            if feature.type == .occupant {
                guard let anchor = feature.id("anchor_id").flatMap({ byID[$0] }), anchor.type == .anchor else {
                    return nil
                }
                (geometry, units) = (anchor.geometry, [anchor.id("unit_id")].compactMap(\.self))
            } else {
                guard feature.type == .amenity, !Landmarks.verticalCategories.contains(feature.text("category") ?? "")
                else {
                    return nil
                }
                (geometry, units) = (feature.geometry, feature.ids("unit_ids"))
            }
            guard let space = units.lazy.compactMap({ indexOfSpace[$0] }).first else { return nil }
            (self.feature, self.space, self.point) = (feature, space, plan.point(geometry))
        }
    }

    /// The spaces of a path.
    struct Surroundings {
        /// Those in which it begins or ends.
        let ends: Set<Int>
        /// Those in which it is.
        let passed: Set<Int>
        /// These, and those which one opening joins with them. What is behind a wall is not seen.
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
            self.passed = passed
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
    /// Units in which a shop is seen where it stands. Others that have one only are its rooms, and seen by their doors.
    private static let openCategories: Set<String> = [
        "concourse", "fieldofplay", "footbridge", "lobby", "parking", "platform", "recreation", "road", "terrace",
        "unenclosedarea", "vegetation", "waitingroom", "walkway", "walkway.island",
    ]
    private static let verticalCategories: Set<String> = ["elevator", "escalator", "stairs", "ramp", "movingwalkway"]

    private let landmarks: [Landmark]
    private let tree: BoxTree
    private let occupantOfSpace: [Int: Int]

    init(
        _ features: [WayfindingFeature], _ plan: SpacePlan, _ mesh: VenueMesh, _ indexOfSpace: [FeatureID: Int],
        _ byID: [FeatureID: WayfindingFeature]
    ) {
        var landmarks: [Landmark] = []
        var occupants: [Int: Int] = [:]
        let located = features.compactMap { Location($0, plan, indexOfSpace, byID) }
        var counts: [Int: Int] = [:]
        for location in located where location.isOccupant { counts[location.space, default: 0] += 1 }
        for location in located {
            guard let labels = Labels(location.feature.properties["name"]) else { continue }
            let (space, isOccupant) = (location.space, location.isOccupant)
            let hasRooms =
                isOccupant && counts[space] == 1 && !Self.openCategories.contains(plan.spaces[space].category)
            var places = hasRooms ? Self.entrances(of: space, plan, mesh) : []
            if places.isEmpty, let point = location.point { places = [(point: point, outside: nil)] }
            for place in places {
                if isOccupant, occupants[space] == nil { occupants[space] = landmarks.count }
                landmarks.append(
                    Landmark(
                        feature: location.feature.id, labels: labels, point: place.point, outside: place.outside,
                        ordinal: plan.spaces[space].ordinal, space: space, isOccupant: isOccupant))
            }
        }
        self.landmarks = landmarks
        self.occupantOfSpace = occupants
        self.tree = BoxTree(landmarks.map { GridBox($0.point, $0.point) })
    }

    /// The doors by which visitors enter a space, each with the space outside of it.
    private static func entrances(
        of space: Int, _ plan: SpacePlan, _ mesh: VenueMesh
    ) -> [(point: GridPoint, outside: Int?)] {
        mesh.portalsOfSpace[space].map { mesh.portals[Int($0)] }.compactMap {
            portal -> (point: GridPoint, outside: Int?)? in
            guard let doorway = portal.doorway, plan.doorways[doorway].category != "emergencyexit",
                let outside = portal.edges.map({ mesh.space(of: $0 / 3) }).first(where: { $0 != space })
            else { return nil }
            return (point: portal.middle, outside: outside)
        }
    }

    func occupant(of space: Int) -> Landmark? { self.occupantOfSpace[space].map { self.landmarks[$0] } }

    /// A landmark is an entrance from a space on a path, or near it, and not in a space in which it begins or ends, unless it is an
    /// amenity.
    private func isUseful(_ landmark: Landmark, _ ordinal: Int, _ spaces: Surroundings) -> Bool {
        let isSeen =
            landmark.outside.map { spaces.passed.contains($0) } ?? spaces.near.contains(landmark.space)
        return landmark.ordinal == ordinal && isSeen
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
        var known: Set<FeatureID> = []
        return passed.filter { known.insert(self.landmarks[$0.index].feature).inserted }.prefix(2)
            .sorted { $0.position == $1.position ? $0.index < $1.index : $0.position < $1.position }
            .map { self.landmarks[$0.index] }
    }
}
