import IMDF

/// The venue on the plane: draws its features and keeps those that everything else is compared with.
final class Site {
    let examination: ValidationContext
    /// In metres. What fails by no more than this is told, but as a remark.
    let tolerance: Double
    let projection: Projection
    let plane: Plane
    private(set) var venue: PlacedFeature?
    /// By id, like all that follow.
    private(set) var levels: [PlacedFeature] = []
    private(set) var footprints: [PlacedFeature] = []
    private(set) var geofences: [FeatureID: PlacedFeature] = [:]
    private(set) var levelsByID: [FeatureID: PlacedFeature] = [:]
    /// The places of footprints by the buildings that they name.
    private(set) var footprintsByBuilding: [FeatureID: [Int]] = [:]
    /// Features whose geometry can be read but is not valid, and why.
    private(set) var flaws: [Flaw] = []
    private(set) var flawed: Set<FeatureID> = []

    /// Features that were not drawn, because there was too much to look at.
    private(set) var undrawn = 0
    /// Of the whole run.
    let budget: WorkBudget
    private let drawingBudget: WorkBudget

    struct Flaw {
        let feature: Subject
        let message: String
        let at: PlanePoint?
    }

    init(_ examination: ValidationContext, tolerance: Double, clock: RunClock? = nil) {
        self.plane = Plane(clock: clock)
        self.examination = examination
        self.tolerance = tolerance
        self.projection = Projection(origin: examination.middle)
        let vertices = examination.vertices
        self.budget = .ofRun(vertices: vertices)
        self.drawingBudget = .ofDrawing(vertices: vertices, within: self.budget)
        self.venue = examination.venue.flatMap { self.draw($0) }
        self.levels = examination.features(of: .level).compactMap { self.draw($0) }
        self.footprints = examination.features(of: .footprint).compactMap { self.draw($0) }
        for level in self.levels { self.levelsByID[level.feature.id] = level }
        for (place, footprint) in self.footprints.enumerated() {
            for building in Set(footprint.feature.ids("building_ids")) {
                self.footprintsByBuilding[building, default: []].append(place)
            }
        }
        for geofence in examination.features(of: .geofence) { self.geofences[geofence.id] = self.draw(geofence) }
    }

    func position(_ point: PlanePoint) -> Position { self.projection.position(point) }

    /// The feature's geometry; nil when it has none that can be read, when it is not valid, which is noted, or when there is
    /// too much to look at, which is counted.
    func draw(_ feature: Subject) -> PlacedFeature? {
        guard feature.isLocated, let geometry = feature.geometry, self.plane.clock?.mustStop != true else { return nil }
        let sketch = Sketch(geometry, self.projection)
        self.plane.budget = self.drawingBudget
        defer { self.plane.budget = nil }
        do {
            let (shape, dimension) = try self.shape(of: geometry, sketch)
            if let flaw = try self.flaw(of: shape, dimension) {
                self.note(flaw.message, feature, flaw.at)
                return nil
            }
            return PlacedFeature(feature, shape, dimension, sketch)
        } catch  where error.kind == .intricate {
            self.note("The geometry is too intricate: millions of its edges lie across each other.", feature, nil)
            return nil
        } catch  where error.kind != .library {
            self.undrawn += 1
            self.flawed.insert(feature.id)
            return nil
        } catch {
            self.note("The geometry cannot be made sense of: \(error).", feature, nil)
            return nil
        }
    }

    private func note(_ message: String, _ feature: Subject, _ at: PlanePoint?) {
        self.flaws.append(Flaw(feature: feature, message: message, at: at))
        self.flawed.insert(feature.id)
    }

    private func shape(
        of geometry: Geometry, _ sketch: Sketch
    ) throws(Plane.Failure) -> (PlaneGeometry, Plane.Dimension) {
        var parts: [PlaneGeometry] = []
        switch geometry {
        case .points:
            for path in sketch.paths { parts.append(try self.plane.point(path[0])) }
            return (try self.plane.collection(parts, .points), .points)
        case .lines:
            for path in sketch.paths { parts.append(try self.plane.line(path)) }
            return (try self.plane.collection(parts, .lines), .lines)
        case .polygons(let polygons, _):
            var rings = sketch.paths[...]
            for polygon in polygons {
                parts.append(try self.plane.polygon(Array(rings.prefix(polygon.rings.count))))
                rings = rings.dropFirst(polygon.rings.count)
            }
            return (try self.plane.collection(parts, .areas), .areas)
        }
    }

    private func flaw(
        of shape: PlaneGeometry, _ dimension: Plane.Dimension
    ) throws(Plane.Failure) -> (message: String, at: PlanePoint?)? {
        switch dimension {
        case .points: return nil
        case .lines:
            // Lines of one feature may meet each other; none may meet itself.
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
    /// In all geometries.
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

    /// What the plane is laid out around.
    var middle: Position { self.venue?.geometry?.middle ?? self.median }

    /// In the middle of the features, however far astray some of them are.
    var median: Position {
        let places = self.features.compactMap { $0.geometry?.middle }
        guard !places.isEmpty else { return Position(longitude: 0, latitude: 0) }
        return Position(
            longitude: places.map(\.longitude).sorted()[places.count / 2],
            latitude: places.map(\.latitude).sorted()[places.count / 2])
    }
}
