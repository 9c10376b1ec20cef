import IMDF

/// The checks of the rules about the geometries of single features.
enum GeometryChecks {
    static func geometryClass(_ feature: ValidationFeature, _: ValidationContext, _ run: inout RuleRun) {
        let requirement: String
        switch feature.type.geometryClass {
        case .none: return
        case .any:
            // An extension may have any geometry, even a GeometryCollection.
            guard let defect = feature.defects.first(where: { $0.kind == .malformedCoordinates }) else { return }
            return run.add(
                "The coordinates are empty or not nested as the geometry's type requires.", about: feature,
                path: defect.pointer)
        case .point: requirement = "Point"
        case .lineString: requirement = "LineString"
        case .lineal: requirement = "LineString or MultiLineString"
        case .polygonal: requirement = "Polygon or MultiPolygon"
        }
        if let defect = feature.defects.first(where: { $0.kind == .malformedCoordinates }) {
            run.add(
                "The coordinates are empty or not nested as the geometry's type requires.", about: feature,
                path: defect.pointer)
        } else if let defect = feature.defects.first(where: { $0.kind == .unknownType }) {
            run.add("The geometry must be a \(requirement).", about: feature, path: defect.pointer)
        } else if let geometry = feature.geometry {
            if feature.isLocated { return }
            run.add(
                "The geometry must be a \(requirement) and is a \(geometry.kind).", about: feature,
                path: "/geometry/type")
        } else if !feature.hasGeometry {
            run.add("The geometry is missing; it must be a \(requirement).", about: feature, path: "/geometry")
        }
    }

    static func noGeometry(_ feature: ValidationFeature, _: ValidationContext, _ run: inout RuleRun) {
        guard feature.hasGeometry else { return }
        run.add(
            "The \(feature.type.rawValue) has a geometry, which must be null.", about: feature, path: "/geometry")
    }

    static func ringsAndLines(_ feature: ValidationFeature, _: ValidationContext, _ run: inout RuleRun) {
        for defect in feature.defects {
            let message: String
            switch defect.kind {
            case .openRing:
                message = "The last position of the ring is not the first one; maps do not draw the feature."
            case .tooFewPositions: message = "A ring must have at least four positions, and a line two."
            case .tooFewDistinctPositions:
                message = "The ring encloses no area, or the line has no length: too many of its positions are equal."
            default: continue
            }
            run.add(message, about: feature, path: defect.pointer, at: defect.position)
        }
    }

    static func positions(_ feature: ValidationFeature, _: ValidationContext, _ run: inout RuleRun) {
        for defect in feature.defects {
            let message: String
            switch defect.kind {
            case .notNumbers: message = "A position must be two numbers, longitude and latitude."
            case .outsideGlobe: message = "The longitude is outside of ±180 or the latitude outside of ±90."
            default: continue
            }
            let more = defect.count == 2 ? "So is 1 more position" : "So are \(defect.count - 1) more positions"
            let others = defect.count == 1 ? "" : " \(more) of this geometry."
            run.add(message + (defect.kind == .outsideGlobe ? others : ""), about: feature, path: defect.pointer)
        }
        if feature.altitudes > 0 {
            let positions = feature.altitudes == 1 ? "1 position has" : "\(feature.altitudes) positions have"
            run.add(
                "\(positions) more than two numbers; IMDF has no altitudes.", about: feature,
                path: "/geometry/coordinates", severity: .warning)
        }
    }

    static func decimals(_ feature: ValidationFeature, _: ValidationContext, _ run: inout RuleRun) {
        guard let geometry = feature.geometry else { return }
        var long = 0
        var first: Position?
        geometry.forEachPosition { position in
            if Self.isShort(position.longitude), Self.isShort(position.latitude) { return }
            long += 1
            if first == nil { first = position }
        }
        guard long > 0 else { return }
        run.add(
            "\(long == 1 ? "1 position has" : "\(long) positions have") more than seven decimals.", about: feature,
            path: "/geometry/coordinates",
            at: first)
    }

    /// Whether a number needs no more than seven decimals.
    private static func isShort(_ degrees: Double) -> Bool {
        // The quotient is rounded once, so it is the double nearest to the short decimal.
        (degrees * 1e7).rounded() / 1e7 == degrees
    }

    static func holes(_ feature: ValidationFeature, _: ValidationContext, _ run: inout RuleRun) {
        guard case .polygons(let polygons, let isMulti) = feature.geometry,
            let part = polygons.firstIndex(where: { !$0.holes.isEmpty })
        else { return }
        let count = polygons.reduce(0) { $0 + $1.holes.count }
        run.add(
            count == 1
                ? "The \(feature.type.rawValue) has a hole." : "The \(feature.type.rawValue) has \(count) holes.",
            about: feature, path: "/geometry/coordinates" + (isMulti ? "/\(part)" : "") + "/1",
            severity: feature.type == .section || feature.type == .geofence ? .info : nil,
            at: polygons[part].rings[1].first)
    }

    static func validity(_ venuePlan: VenuePlan, _ run: inout RuleRun) {
        run.addFailures(venuePlan.undrawnCount)
        for flaw in venuePlan.invalidGeometries {
            run.add(
                flaw.message, about: flaw.feature, path: "/geometry", at: flaw.at.map(venuePlan.position))
        }
    }
}
