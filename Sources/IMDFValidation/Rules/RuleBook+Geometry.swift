import IMDF

extension RuleBook {
    /// Geometries by themselves.
    static let geometry: [Rule] = [
        .each(
            "GE-01", .error, "The geometry is of the class that the type asks for.",
            source: "{T}MustHavePointGeometry, {T}MustHaveLineStringGeometry, {T}MustHaveLinealGeometry, "
                + "{T}MustHavePolygonalGeometry",
            needs: [], GeometryChecks.geometryClass),
        .each(
            "GE-02", .error, "Addresses, buildings and occupants have no geometry.", source: "the standard",
            of: [.address, .building, .occupant], needs: [], GeometryChecks.noGeometry),
        .each(
            "GE-03", .info, "A relationship has a geometry.", source: "RelationshipHasGeometry",
            of: [.relationship], needs: []
        ) { feature, _, remarks in
            if feature.hasGeometry {
                remarks.add("The relationship has a geometry.", about: feature, path: "/geometry")
            }
        },
        .each(
            "GE-04", .error, "Rings are closed and have three corners; lines have two ends.", source: "RFC 7946 §3.1",
            needs: [], GeometryChecks.ringsAndLines),
        .each(
            "GE-05", .warning, "Outlines run counter-clockwise and holes clockwise.", source: "RFC 7946 §3.1.6",
            of: FeatureType.polygonal, needs: .geometry, GeometryChecks.direction),
        .each(
            "GE-06", .error, "Positions are two numbers on the globe.", source: "RFC 7946 §3.1.1 and §4",
            needs: [], GeometryChecks.positions),
        .whole(
            "GE-07", .warning, "Everything lies in one place on Earth.", source: "our own",
            of: [], GeometryChecks.whereabouts),
        .each(
            "GE-08", .warning, "Coordinates have seven decimals at most, which is a centimetre.", source: "our own",
            needs: [], GeometryChecks.decimals),
        .plane(
            "GE-09", .error, "Outlines do not cross or touch themselves, holes lie inside, parts lie apart.",
            source: "RFC 7946 §3.1, FileMustBeValidGeoJSON", of: [], needs: [], .site(GeometryChecks.validity)),
        .each(
            "GE-10", .warning, "A Multi* geometry has several parts.", source: "our own", needs: []
        ) { feature, _, remarks in
            guard let geometry = feature.geometry, geometry.isMulti, geometry.parts == 1 else { return }
            remarks.add("The \(geometry.kind) has one part only.", about: feature, path: "/geometry")
        },
        .each(
            "GE-11", .warning, "Areas and lines are large enough to be meant.", source: "our own", needs: [],
            GeometryChecks.size),
        .each(
            "GE-12", .warning, "The area has no hole.",
            source: "VenueGeometryShouldNotHaveInteriorRing, {T}HasInteriorRing",
            of: [.venue, .level, .footprint, .fixture, .kiosk, .section, .geofence], needs: .geometry,
            GeometryChecks.holes),
    ]
}

extension FeatureType {
    static let polygonal: [FeatureType] = [
        .venue, .footprint, .level, .section, .unit, .kiosk, .fixture, .geofence,
    ]

    /// As a sentence begins with it.
    var heading: String {
        guard self.isStandard, let first = self.rawValue.first else { return "Feature" }
        return first.uppercased() + self.rawValue.dropFirst()
    }
}
