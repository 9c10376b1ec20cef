import IMDF

/// The values that IMDF lists for a property, from one embedded file each.
struct CategoryList: Sendable {
    let values: Set<String>

    private init(_ bytes: [UInt8]) {
        self.values = Set(CodeLists.codes(bytes))
    }

    func contains(_ value: String) -> Bool { self.values.contains(value) }

    static let accessControl = CategoryList(PackageResources.access_control_txt)
    static let accessibility = CategoryList(PackageResources.accessibility_txt)
    static let restriction = CategoryList(PackageResources.restriction_txt)
    static let doorType = CategoryList(PackageResources.door_type_txt)
    static let doorMaterial = CategoryList(PackageResources.door_material_txt)
    static let direction = CategoryList(PackageResources.relationship_direction_txt)

    /// The categories by type. Other types have none.
    static let byType: [FeatureType: CategoryList] = [
        .amenity: CategoryList(PackageResources.amenity_txt),
        .building: CategoryList(PackageResources.building_txt),
        .fixture: CategoryList(PackageResources.fixture_txt),
        .footprint: CategoryList(PackageResources.footprint_txt),
        .geofence: CategoryList(PackageResources.geofence_txt),
        .level: CategoryList(PackageResources.level_txt),
        .occupant: CategoryList(PackageResources.occupant_txt),
        .opening: CategoryList(PackageResources.opening_txt),
        .relationship: CategoryList(PackageResources.relationship_txt),
        .section: CategoryList(PackageResources.section_txt),
        .unit: CategoryList(PackageResources.unit_txt),
        .venue: CategoryList(PackageResources.venue_txt),
    ]
}
