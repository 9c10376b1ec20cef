import IMDF

extension RuleBook {
    /// Containment and topology on the plane, per level. What fails by no more than the tolerance is told as a remark.
    static let topology: [Rule] = (containment + disjointness + openings + footprints).sorted { $0.id < $1.id }

    private static let containment: [Rule] = [
        .plane(
            "TO-01", .error, "The venue covers everything.", source: "VenueMustCoverAllChildFeatures",
            of: FeatureType.located, .parcel(Containment.venueCoversAll)),
        .plane(
            "TO-02", .error, "The level covers what lies on it.", source: "{T}MustBeCoveredByReferencedLevel",
            of: FeatureType.onLevel, needs: [.geometry, .references], .level(Containment.levelCoversAll)),
        .plane(
            "TO-03", .error, "The unit covers its anchors.", source: "AnchorMustBeCoveredByReferencedUnit",
            of: [.anchor], needs: [.geometry, .references], .level(Containment.unitCoversAnchor)),
        .plane(
            "TO-04", .warning, "The unit covers its amenities.", source: "AmenityShouldBeCoveredByReferencedUnit",
            of: [.amenity], needs: [.geometry, .references], .level(Containment.unitCoversAmenity)),
        .plane(
            "TO-05", .warning, "A unit covers every fixture and kiosk.",
            source: "FixtureMustBeCoveredByUnit, KioskMustBeCoveredByUnit", of: [.fixture, .kiosk],
            needs: [.geometry, .references], .level(Containment.someUnitCovers)),
        .plane(
            "TO-06", .warning, "Geofences stay within their levels and the footprints of their buildings.",
            source: "GeofenceNotCoveredByReferencedLevel, GeofenceNotWithinReferencedBuildingFootprint",
            of: [.geofence], .parcel(Containment.geofenceWithinItsPlaces)),
        .plane(
            "TO-07", .warning, "Label positions lie within what they label.",
            source: "{T}GeometryMustContainDisplayPoint, BuildingFootprintGeometryMustContainDisplayPoint, "
                + "OpeningDisplayPointShouldBeWithinBufferedDistanceOfOpening",
            of: [.venue, .level, .section, .unit, .geofence, .fixture, .kiosk, .opening],
            .parcel(Containment.displayPoint), .site(Containment.displayPointsOfBuildings)),
    ]

    private static let disjointness: [Rule] = [
        .plane(
            "TO-08", .warning, "Units of a level do not overlap.", source: "UnitsMustNotOverlap", of: [.unit],
            .level(Disjointness.units)),
        .plane(
            "TO-09", .warning, "Units cover the whole level.", source: "LevelMustBeFullyCoveredByUnits", of: [.level],
            .level(Containment.unitsCoverLevel)),
        .plane(
            "TO-10", .warning, "Levels of one ordinal do not overlap.", source: "LevelsShouldNotOverlap",
            of: [.level], .site(Disjointness.levels)),
        .plane(
            "TO-11", .error, "Fixtures and kiosks lie apart, and are not the same as a unit.",
            source: "FixturesMustNotOverlap, FixtureMustNotEqualFixture, FixtureMustNotEqualUnit, "
                + "KiosksMustNotOverlap, KioskMustNotEqualUnit",
            of: [.fixture, .kiosk], .level(Disjointness.fixturesAndKiosks)),
        .plane(
            "TO-12", .warning, "Fixtures and kiosks do not overlap.", source: "FixtureMustNotOverlapKiosk",
            of: [.fixture, .kiosk],
            .level { plan, inspection in
                Disjointness.overlaps(of: .kiosk, with: .fixture, on: plan, &inspection)
            }),
        .plane(
            "TO-13", .info, "Sections overlap, or geofences do.", source: "SectionsOverlap, GeofencesOverlap",
            of: [.section, .geofence],
            .level { plan, inspection in
                Disjointness.overlaps(of: .section, on: plan, &inspection)
                Disjointness.overlaps(of: .geofence, on: plan, &inspection)
            }),
        .plane(
            "TO-18", .warning, "No two amenities of a level stand in one place, nor two anchors.",
            source: "AmenityShouldNotEqualAmenity, AnchorShouldNotEqualAnchor", of: [.amenity, .anchor],
            .level(Disjointness.coincidences)),
    ]

    private static let openings: [Rule] = [
        .plane(
            "TO-14", .warning, "Openings lie on the outlines of units.", source: "OpeningMustBeCoveredByUnitBoundary",
            of: [.opening], needs: [.geometry, .references], .level(Openings.onOutlines)),
        .plane(
            "TO-15", .warning, "Openings of a level neither cross nor overlap.",
            source: "OpeningsMustNotCrossOrOverlap",
            of: [.opening], .level(Openings.crossings)),
        .plane(
            "TO-16", .warning, "Openings are wider than 0.8382 m and no wider than 45 m.",
            source: "OpeningIsSuspiciouslySmall, OpeningIsSuspiciouslyLarge", of: [.opening],
            .parcel(Openings.width)),
        .plane(
            "TO-17", .info, "A detail meets an opening.", source: "DetailMustNotIntersectOpening", of: [.detail],
            .level(Openings.details)),
    ]

    private static let footprints: [Rule] = [
        .plane(
            "TO-19", .error, "No ground footprint contains another one, nor does an aerial one.",
            source: "AerialFootprintMustNotContainOrEqualAerialFootprint, "
                + "GroundFootprintMustNotContainOrEqualGroundFootprint",
            of: [.footprint], .site(Footprints.contained)),
        .plane(
            "TO-20", .warning, "Footprints of one category do not overlap.",
            source: "AerialFootprintsShouldNotOverlap, GroundFootprintsShouldNotOverlap, "
                + "SubterraneanFootprintsOverlap",
            of: [.footprint], .site(Footprints.overlapping)),
        .plane(
            "TO-21", .warning, "The aerial footprint covers the ground footprint, the subterranean one meets it.",
            source: "AerialFootprintShouldCoverGroundFootprint, GroundFootprintShouldIntersectSubterraneanFootprint",
            of: [.footprint], .site(Footprints.stacked)),
        .plane(
            "TO-22", .warning, "The levels of a building make up its footprints.",
            source: "IndoorLevelNotEqualToGroundFootprint, IndoorLevelNotEqualToAerialFootprint, "
                + "IndoorLevelNotEqualToSubterraneanFootprint",
            of: [.footprint, .level], .site(Footprints.madeUpOfLevels)),
        .plane(
            "TO-23", .warning, "A level and the footprint that it lies in belong to the same building.",
            source: "LevelAndAerialFootprintShouldReferenceSameBuilding, "
                + "LevelAndGroundFootprintShouldReferenceSameBuilding, "
                + "LevelAndSubterraneanFootprintShouldReferenceSameBuilding",
            of: [.footprint, .level], .site(Footprints.ofSameBuilding)),
        .plane(
            "TO-24", .warning, "An outdoor level on the ground does not overlap a ground footprint.",
            source: "OutdoorLevelShouldNotOverlapGroundFootprint", of: [.footprint, .level],
            .site(Footprints.outdoorLevels)),
        .plane(
            "TO-25", .warning, "Fixtures and kiosks contain their anchors.",
            source: "FixtureMustContainReferencedAnchor, KioskMustContainReferencedAnchor", of: [.fixture, .kiosk],
            needs: [.geometry, .references], .parcel(Containment.anchorOfFixtureOrKiosk)),
    ]
}

extension FeatureType {
    /// What has a `level_id` and a geometry.
    static let onLevel: [FeatureType] = [.unit, .opening, .section, .fixture, .kiosk, .detail]

    /// The standard types with a geometry, but for the venue.
    static let located: [FeatureType] = [
        .footprint, .level, .section, .unit, .anchor, .amenity, .kiosk, .fixture, .detail, .opening, .geofence,
    ]
}
