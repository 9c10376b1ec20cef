import IMDF

extension RuleBook {
    /// The geometries of single features.
    static let geometry: [Rule] = [
        .each(
            "GE-01", .error, "The geometry is of the class that the type requires.",
            source: "{T}MustHavePointGeometry, {T}MustHaveLineStringGeometry, {T}MustHaveLinealGeometry, "
                + "{T}MustHavePolygonalGeometry",
            needs: [], GeometryChecks.geometryClass),
        .each(
            "GE-02", .error, "Addresses, buildings and occupants have no geometry.", source: "the standard",
            of: [.address, .building, .occupant], needs: [], GeometryChecks.noGeometry),
        .each(
            "GE-03", .info, "A relationship has a geometry.", source: "RelationshipHasGeometry",
            of: [.relationship], needs: []
        ) { feature, _, run in
            if feature.hasGeometry {
                run.add("The relationship has a geometry.", about: feature, path: "/geometry")
            }
        },
        .each(
            "GE-04", .error, "Rings are closed and have three different positions; lines have two.",
            source: "RFC 7946 §3.1",
            needs: [], GeometryChecks.ringsAndLines),
        .each(
            "GE-05", .warning, "Exterior rings run counter-clockwise and holes clockwise.", source: "RFC 7946 §3.1.6",
            of: FeatureType.polygonal, needs: .geometry, GeometryChecks.direction),
        .each(
            "GE-06", .error, "Positions are a longitude and a latitude.", source: "RFC 7946 §3.1.1 and §4",
            needs: [], GeometryChecks.positions),
        .whole(
            "GE-07", .warning, "All features lie near each other.", source: "our own",
            of: [], GeometryChecks.misplaced),
        .each(
            "GE-08", .warning, "Coordinates have at most seven decimals, about a centimetre.", source: "our own",
            needs: [], GeometryChecks.decimals),
        .planar(
            "GE-09", .error,
            "Geometries are valid: outlines do not cross or touch themselves, holes lie inside, parts are disjoint.",
            source: "RFC 7946 §3.1, FileMustBeValidGeoJSON", of: [], needs: [], .venue(GeometryChecks.validity)),
        .each(
            "GE-10", .warning, "A Multi* geometry has more than one part.", source: "our own", needs: []
        ) { feature, _, run in
            guard let geometry = feature.geometry, geometry.isMulti, geometry.parts == 1 else { return }
            run.add("The \(geometry.kind) has only one part.", about: feature, path: "/geometry")
        },
        .each(
            "GE-11", .warning, "Areas and lines are not negligibly small.", source: "our own", needs: [],
            GeometryChecks.size),
        .each(
            "GE-12", .warning, "The area has no hole.",
            source: "VenueGeometryShouldNotHaveInteriorRing, {T}HasInteriorRing",
            of: [.venue, .level, .footprint, .fixture, .kiosk, .section, .geofence], needs: .geometry,
            GeometryChecks.holes),
        .whole(
            "GE-13", .warning, "Geometries are cut at the antimeridian.", source: "RFC 7946 §3.1.9", of: [],
            GeometryChecks.uncut),
    ]
}

extension FeatureType {
    static let polygonal: [FeatureType] = [
        .venue, .footprint, .level, .section, .unit, .kiosk, .fixture, .geofence,
    ]

    /// The type at the beginning of a sentence.
    var heading: String {
        guard self.isStandard, let first = self.rawValue.first else { return "Feature" }
        return first.uppercased() + self.rawValue.dropFirst()
    }
}
