import IMDF

/// What the rules of geometry find in one feature.
enum GeometryChecks {
    static func geometryClass(_ feature: Subject, _: ValidationContext, _ remarks: inout FindingCollector) {
        let wanted: String
        switch feature.type.geometryClass {
        case .none: return
        case .any:
            // An extension's geometry may be anything, a GeometryCollection too.
            guard let defect = feature.defects.first(where: { $0.kind == .malformedCoordinates }) else { return }
            return remarks.add(
                "The coordinates are empty, or not nested as the geometry's type asks.", about: feature,
                path: defect.pointer)
        case .point: wanted = "Point"
        case .lineString: wanted = "LineString"
        case .lineal: wanted = "LineString or MultiLineString"
        case .polygonal: wanted = "Polygon or MultiPolygon"
        }
        if let defect = feature.defects.first(where: { $0.kind == .malformedCoordinates }) {
            remarks.add(
                "The coordinates are empty, or not nested as the geometry's type asks.", about: feature,
                path: defect.pointer)
        } else if let defect = feature.defects.first(where: { $0.kind == .unknownType }) {
            remarks.add("The geometry has to be a \(wanted).", about: feature, path: defect.pointer)
        } else if let geometry = feature.geometry {
            if feature.isLocated { return }
            remarks.add(
                "The geometry has to be a \(wanted), and is a \(geometry.kind).", about: feature,
                path: "/geometry/type")
        } else if !feature.hasGeometry {
            remarks.add("The geometry is missing; it has to be a \(wanted).", about: feature, path: "/geometry")
        }
    }

    static func noGeometry(_ feature: Subject, _: ValidationContext, _ remarks: inout FindingCollector) {
        guard feature.hasGeometry else { return }
        remarks.add(
            "The \(feature.type.rawValue) has a geometry, which has to be null.", about: feature, path: "/geometry")
    }

    static func ringsAndLines(_ feature: Subject, _: ValidationContext, _ remarks: inout FindingCollector) {
        for defect in feature.defects {
            let message: String
            switch defect.kind {
            case .openRing: message = "The ring does not end where it begins."
            case .tooFewPositions: message = "A ring has at least four positions and a line two; here are fewer."
            case .tooFewDistinctPositions:
                message = "The ring encloses nothing, or the line has no length: its positions are the same."
            default: continue
            }
            remarks.add(message, about: feature, path: defect.pointer, at: defect.position)
        }
    }

    static func positions(_ feature: Subject, _: ValidationContext, _ remarks: inout FindingCollector) {
        for defect in feature.defects {
            let message: String
            switch defect.kind {
            case .notNumbers: message = "A position is two numbers, longitude and latitude."
            case .outsideGlobe: message = "The longitude is outside of ±180 or the latitude outside of ±90."
            default: continue
            }
            let others = defect.count == 1 ? "" : " So are \(defect.count - 1) more of this geometry."
            remarks.add(message + (defect.kind == .outsideGlobe ? others : ""), about: feature, path: defect.pointer)
        }
        if feature.altitudes > 0 {
            remarks.add(
                "\(feature.altitudes) positions have more than two numbers; IMDF has no heights.", about: feature,
                path: "/geometry/coordinates", severity: .warning)
        }
    }

    static func decimals(_ feature: Subject, _: ValidationContext, _ remarks: inout FindingCollector) {
        guard let geometry = feature.geometry else { return }
        var long = 0
        var first: Position?
        geometry.forEachPosition { position in
            if Self.isShort(position.longitude), Self.isShort(position.latitude) { return }
            long += 1
            if first == nil { first = position }
        }
        guard long > 0 else { return }
        remarks.add(
            "\(long == 1 ? "1 position has" : "\(long) positions have") more than seven decimals.", about: feature,
            path: "/geometry/coordinates",
            at: first)
    }

    /// Whether a number needs no more than seven decimals.
    private static func isShort(_ degrees: Double) -> Bool {
        // The quotient is rounded once, so it is the double that the short decimal is read as.
        (degrees * 1e7).rounded() / 1e7 == degrees
    }

    static func holes(_ feature: Subject, _: ValidationContext, _ remarks: inout FindingCollector) {
        guard case .polygons(let polygons, let isMulti) = feature.geometry,
            let part = polygons.firstIndex(where: { !$0.holes.isEmpty })
        else { return }
        let count = polygons.reduce(0) { $0 + $1.holes.count }
        remarks.add(
            count == 1
                ? "The \(feature.type.rawValue) has a hole." : "The \(feature.type.rawValue) has \(count) holes.",
            about: feature, path: "/geometry/coordinates" + (isMulti ? "/\(part)" : "") + "/1",
            severity: feature.type == .section || feature.type == .geofence ? .info : nil,
            at: polygons[part].rings[1].first)
    }

    static func validity(_ site: Site, _ inspection: inout Inspection) {
        inspection.passOver(site.undrawn)
        for flaw in site.flaws {
            inspection.remarks.add(
                flaw.message, about: flaw.feature, path: "/geometry", at: flaw.at.map(site.position))
        }
    }
}
