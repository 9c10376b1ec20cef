import IMDF

/// The venue in plane coordinates: draws features, and keeps those that everything else is compared with.
final class VenuePlan {
    let context: ValidationContext
    /// In meters. Violations by no more than this are reported as remarks.
    let tolerance: Double
    let projection: Projection
    let geos: GEOSContext
    private(set) var venue: PlacedFeature?
    /// By id, as are the other collections.
    private(set) var levels: [PlacedFeature] = []
    private(set) var footprints: [PlacedFeature] = []
    private(set) var geofences: [FeatureID: PlacedFeature] = [:]
    private(set) var levelsByID: [FeatureID: PlacedFeature] = [:]
    /// The indices of footprints by the buildings that they refer to.
    private(set) var footprintsByBuilding: [FeatureID: [Int]] = [:]
    /// Geometries that were read without defects but are not valid.
    private(set) var invalidGeometries: [InvalidGeometry] = []
    private(set) var invalidIDs: Set<FeatureID> = []

    /// Features that were not drawn because the budget was used up.
    private(set) var undrawnCount = 0
    /// The budget of the whole pass.
    let budget: WorkBudget
    private let drawingBudget: WorkBudget

    struct InvalidGeometry {
        let feature: ValidationFeature
        let message: String
        let at: PlanarPoint?
    }

    init(_ context: ValidationContext, tolerance: Double, clock: RunClock? = nil) {
        self.geos = GEOSContext(clock: clock)
        self.context = context
        self.tolerance = tolerance
        self.projection = Projection(origin: context.middle)
        let vertices = context.vertices
        self.budget = .ofRun(vertices: vertices)
        self.drawingBudget = .ofDrawing(vertices: vertices, within: self.budget)
        self.venue = context.venue.flatMap { self.draw($0) }
        self.levels = context.features(of: .level).compactMap { self.draw($0) }
        self.footprints = context.features(of: .footprint).compactMap { self.draw($0) }
        for level in self.levels { self.levelsByID[level.feature.id] = level }
        for (index, footprint) in self.footprints.enumerated() {
            for building in Set(footprint.feature.ids("building_ids")) {
                self.footprintsByBuilding[building, default: []].append(index)
            }
        }
        for geofence in context.features(of: .geofence) { self.geofences[geofence.id] = self.draw(geofence) }
    }

    func position(_ point: PlanarPoint) -> Position { self.projection.position(point) }

    /// Converts a feature's geometry. Nil if it has none of its type's class, if the geometry is not valid, which is noted, or if
    /// the budget is used up, which is counted.
    func draw(_ feature: ValidationFeature) -> PlacedFeature? {
        guard feature.isLocated, let geometry = feature.geometry, self.geos.clock?.mustStop != true else { return nil }
        let projected = ProjectedGeometry(geometry, self.projection)
        self.geos.budget = self.drawingBudget
        defer { self.geos.budget = nil }
        do {
            let (shape, dimension) = try self.shape(of: geometry, projected)
            if let flaw = try self.flaw(of: shape, dimension) {
                self.note(flaw.message, feature, flaw.at)
                return nil
            }
            return PlacedFeature(feature, shape, dimension, projected)
        } catch  where error.kind == .intricate {
            self.note("The geometry is too complex: millions of its edges cross each other.", feature, nil)
            return nil
        } catch  where error.kind != .library {
            self.undrawnCount += 1
            self.invalidIDs.insert(feature.id)
            return nil
        } catch {
            self.note("The geometry cannot be processed: \(error).", feature, nil)
            return nil
        }
    }

    private func note(_ message: String, _ feature: ValidationFeature, _ at: PlanarPoint?) {
        self.invalidGeometries.append(InvalidGeometry(feature: feature, message: message, at: at))
        self.invalidIDs.insert(feature.id)
    }

    private func shape(
        of geometry: Geometry, _ projected: ProjectedGeometry
    ) throws(ComputationFailure) -> (PlanarGeometry, GEOSContext.Dimension) {
        var parts: [PlanarGeometry] = []
        switch geometry {
        case .points:
            for path in projected.paths { parts.append(try self.geos.point(path[0])) }
            return (try self.geos.collection(parts, .points), .points)
        case .lines:
            for path in projected.paths { parts.append(try self.geos.line(path)) }
            return (try self.geos.collection(parts, .lines), .lines)
        case .polygons(let polygons, _):
            var rings = projected.paths[...]
            for polygon in polygons {
                parts.append(try self.geos.polygon(Array(rings.prefix(polygon.rings.count))))
                rings = rings.dropFirst(polygon.rings.count)
            }
            return (try self.geos.collection(parts, .areas), .areas)
        }
    }

    private func flaw(
        of shape: PlanarGeometry, _ dimension: GEOSContext.Dimension
    ) throws(ComputationFailure) -> (message: String, at: PlanarPoint?)? {
        switch dimension {
        case .points: return nil
        case .lines:
            // The lines of a feature may meet each other; none may meet itself.
            for part in try shape.parts() {
                if try !part.isSimple() { return ("The line meets itself.", nil) }
            }
            return nil
        case .areas:
            guard let invalidity = try shape.invalidity() else { return nil }
            return (Self.sentence(invalidity.reason), invalidity.at)
        }
    }

    private static func sentence(_ reason: String) -> String {
        switch reason {
        case "Self-intersection": "The outline crosses itself, a hole or another part."
        case "Ring Self-intersection": "The outline touches itself."
        case "Hole lies outside shell": "A hole lies outside the outline."
        case "Holes are nested": "A hole lies in another hole."
        case "Interior is disconnected": "Holes cut the area in two."
        case "Nested shells": "A part lies in another part."
        case "Duplicate Rings": "Two rings are the same."
        default: "The geometry is not valid (\(reason))."
        }
    }
}

extension ValidationContext {
    /// The number of positions in all geometries.
    var vertices: Int {
        self.features.reduce(0) { sum, feature in
            switch feature.geometry {
            case nil: sum
            case .points(let points, _): sum + points.count
            case .lines(let lines, _): lines.reduce(sum) { $0 + $1.count }
            case .polygons(let polygons, _): polygons.reduce(sum) { $1.rings.reduce($0) { $0 + $1.count } }
            }
        }
    }

    /// The origin of the plane coordinates.
    var middle: Position { self.venue?.geometry?.middle ?? self.median }

    /// The median of the features, which a few misplaced features do not move.
    var median: Position {
        let centers = self.features.compactMap { $0.geometry?.middle }
        guard !centers.isEmpty else { return Position(longitude: 0, latitude: 0) }
        return Position(
            longitude: centers.map(\.longitude).sorted()[centers.count / 2],
            latitude: centers.map(\.latitude).sorted()[centers.count / 2])
    }
}
