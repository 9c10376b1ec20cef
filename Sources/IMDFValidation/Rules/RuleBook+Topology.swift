import IMDF

extension RuleBook {
    /// Containment and topology, level by level. Violations within the tolerance are reported as remarks.
    static let topology: [Rule] = (containment + disjointness + openings + footprints).sorted { $0.id < $1.id }

    private static let containment: [Rule] = [
        .planar(
            "TO-01", .error, "The venue covers all features.", source: "VenueMustCoverAllChildFeatures",
            of: FeatureType.located, .feature(Containment.venueCoversAll)),
        .planar(
            "TO-02", .error, "The level covers the features on it.", source: "{T}MustBeCoveredByReferencedLevel",
            of: FeatureType.onLevel, needs: [.geometry, .references], .level(Containment.levelCoversAll)),
        .planar(
            "TO-03", .error, "The unit covers its anchors.", source: "AnchorMustBeCoveredByReferencedUnit",
            of: [.anchor], needs: [.geometry, .references], .level(Containment.unitCoversAnchor)),
        .planar(
            "TO-04", .warning, "The unit covers its amenities.", source: "AmenityShouldBeCoveredByReferencedUnit",
            of: [.amenity], needs: [.geometry, .references], .level(Containment.unitCoversAmenity)),
        .planar(
            "TO-05", .warning, "A unit covers every fixture and kiosk.",
            source: "FixtureMustBeCoveredByUnit, KioskMustBeCoveredByUnit", of: [.fixture, .kiosk],
            needs: [.geometry, .references], .level(Containment.someUnitCovers)),
        .planar(
            "TO-06", .warning, "Geofences stay within their levels and the footprints of their buildings.",
            source: "GeofenceNotCoveredByReferencedLevel, GeofenceNotWithinReferencedBuildingFootprint",
            of: [.geofence], .feature(Containment.geofenceWithinItsLevels)),
        .planar(
            "TO-07", .warning, "Display points lie within their features.",
            source: "{T}GeometryMustContainDisplayPoint, BuildingFootprintGeometryMustContainDisplayPoint, "
                + "OpeningDisplayPointShouldBeWithinBufferedDistanceOfOpening",
            of: [.venue, .level, .section, .unit, .geofence, .fixture, .kiosk, .opening],
            .feature(Containment.displayPoint), .venue(Containment.displayPointsOfBuildings)),
    ]

    private static let disjointness: [Rule] = [
        .planar(
            "TO-08", .warning, "Units of a level do not overlap.", source: "UnitsMustNotOverlap", of: [.unit],
            .level(Disjointness.units)),
        .planar(
            "TO-09", .warning, "Units cover the whole level.", source: "LevelMustBeFullyCoveredByUnits", of: [.level],
            .level(Containment.unitsCoverLevel)),
        .planar(
            "TO-10", .warning, "Levels of one ordinal do not overlap.", source: "LevelsShouldNotOverlap",
            of: [.level], .venue(Disjointness.levels)),
        .planar(
            "TO-11", .error, "Fixtures do not overlap, nor do kiosks, and none equals a unit.",
            source: "FixturesMustNotOverlap, FixtureMustNotEqualFixture, FixtureMustNotEqualUnit, "
                + "KiosksMustNotOverlap, KioskMustNotEqualUnit",
            of: [.fixture, .kiosk], .level(Disjointness.fixturesAndKiosks)),
        .planar(
            "TO-12", .warning, "Fixtures and kiosks do not overlap.", source: "FixtureMustNotOverlapKiosk",
            of: [.fixture, .kiosk],
            .level { plan, run in
                Disjointness.overlaps(of: .kiosk, with: .fixture, on: plan, &run)
            }),
        .planar(
            "TO-13", .info, "Sections overlap, or geofences do.", source: "SectionsOverlap, GeofencesOverlap",
            of: [.section, .geofence],
            .level { plan, run in
                Disjointness.overlaps(of: .section, on: plan, &run)
                Disjointness.overlaps(of: .geofence, on: plan, &run)
            }),
        .planar(
            "TO-18", .warning, "Amenities of a level have different positions, and so have anchors.",
            source: "AmenityShouldNotEqualAmenity, AnchorShouldNotEqualAnchor", of: [.amenity, .anchor],
            .level(Disjointness.coincidences)),
    ]

    private static let openings: [Rule] = [
        .planar(
            "TO-14", .warning, "Openings lie on the outlines of units.", source: "OpeningMustBeCoveredByUnitBoundary",
            of: [.opening], needs: [.geometry, .references], .level(Openings.onOutlines)),
        .planar(
            "TO-15", .warning, "Openings of a level neither cross nor overlap.",
            source: "OpeningsMustNotCrossOrOverlap",
            of: [.opening], .level(Openings.crossings)),
        .planar(
            "TO-16", .warning, "Openings are wider than 0.8382 m and no wider than 45 m.",
            source: "OpeningIsSuspiciouslySmall, OpeningIsSuspiciouslyLarge", of: [.opening],
            .feature(Openings.width)),
        .planar(
            "TO-17", .info, "A detail intersects an opening.", source: "DetailMustNotIntersectOpening", of: [.detail],
            .level(Openings.details)),
    ]

    private static let footprints: [Rule] = [
        .planar(
            "TO-19", .error, "No ground footprint contains another one, nor does an aerial one.",
            source: "AerialFootprintMustNotContainOrEqualAerialFootprint, "
                + "GroundFootprintMustNotContainOrEqualGroundFootprint",
            of: [.footprint], .venue(Footprints.contained)),
        .planar(
            "TO-20", .warning, "Footprints of one category do not overlap.",
            source: "AerialFootprintsShouldNotOverlap, GroundFootprintsShouldNotOverlap, "
                + "SubterraneanFootprintsOverlap",
            of: [.footprint], .venue(Footprints.overlapping)),
        .planar(
            "TO-21", .warning, "The aerial footprint covers the ground footprint; the subterranean one intersects it.",
            source: "AerialFootprintShouldCoverGroundFootprint, GroundFootprintShouldIntersectSubterraneanFootprint",
            of: [.footprint], .venue(Footprints.stacked)),
        .planar(
            "TO-22", .warning, "The levels of a building cover the same area as its footprints.",
            source: "IndoorLevelNotEqualToGroundFootprint, IndoorLevelNotEqualToAerialFootprint, "
                + "IndoorLevelNotEqualToSubterraneanFootprint",
            of: [.footprint, .level], .venue(Footprints.madeUpOfLevels)),
        .planar(
            "TO-23", .warning, "A level and the footprint that it overlaps belong to the same building.",
            source: "LevelAndAerialFootprintShouldReferenceSameBuilding, "
                + "LevelAndGroundFootprintShouldReferenceSameBuilding, "
                + "LevelAndSubterraneanFootprintShouldReferenceSameBuilding",
            of: [.footprint, .level], .venue(Footprints.ofSameBuilding)),
        .planar(
            "TO-24", .warning, "An outdoor level of ordinal 0 does not overlap a ground footprint.",
            source: "OutdoorLevelShouldNotOverlapGroundFootprint", of: [.footprint, .level],
            .venue(Footprints.outdoorLevels)),
        .planar(
            "TO-25", .warning, "Fixtures and kiosks contain their anchors.",
            source: "FixtureMustContainReferencedAnchor, KioskMustContainReferencedAnchor", of: [.fixture, .kiosk],
            needs: [.geometry, .references], .feature(Containment.anchorOfFixtureOrKiosk)),
    ]
}

extension FeatureType {
    /// Types with a `level_id` and a geometry.
    static let onLevel: [FeatureType] = [.unit, .opening, .section, .fixture, .kiosk, .detail]

    /// The standard types with a geometry, without the venue.
    static let located: [FeatureType] = [
        .footprint, .level, .section, .unit, .anchor, .amenity, .kiosk, .fixture, .detail, .opening, .geofence,
    ]
}
