import CCodeLists
import IMDF

/// The values that IMDF lists for a property, from one embedded file each.
struct CategoryList: Sendable {
    let values: Set<String>

    private init(_ file: EmbeddedFile) {
        self.values = Set(CodeLists.codes(file))
    }

    func contains(_ value: String) -> Bool { self.values.contains(value) }

    static let accessControl = CategoryList(access_control_txt())
    static let accessibility = CategoryList(accessibility_txt())
    static let restriction = CategoryList(restriction_txt())
    static let doorType = CategoryList(door_type_txt())
    static let doorMaterial = CategoryList(door_material_txt())
    static let direction = CategoryList(relationship_direction_txt())

    /// The categories by type. Other types have none.
    static let byType: [FeatureType: CategoryList] = [
        .amenity: CategoryList(amenity_txt()),
        .building: CategoryList(building_txt()),
        .fixture: CategoryList(fixture_txt()),
        .footprint: CategoryList(footprint_txt()),
        .geofence: CategoryList(geofence_txt()),
        .level: CategoryList(level_txt()),
        .occupant: CategoryList(occupant_txt()),
        .opening: CategoryList(opening_txt()),
        .relationship: CategoryList(relationship_txt()),
        .section: CategoryList(section_txt()),
        .unit: CategoryList(unit_txt()),
        .venue: CategoryList(venue_txt()),
    ]
}
