#include "include/CCodeLists.h"

static const unsigned char access_control_txt_bytes[] = {
#embed "../../IMDFValidation/Categories/access-control.txt"
};
EMBEDDED_FILE(access_control_txt)

static const unsigned char accessibility_txt_bytes[] = {
#embed "../../IMDFValidation/Categories/accessibility.txt"
};
EMBEDDED_FILE(accessibility_txt)

static const unsigned char amenity_txt_bytes[] = {
#embed "../../IMDFValidation/Categories/amenity.txt"
};
EMBEDDED_FILE(amenity_txt)

static const unsigned char building_txt_bytes[] = {
#embed "../../IMDFValidation/Categories/building.txt"
};
EMBEDDED_FILE(building_txt)

static const unsigned char door_material_txt_bytes[] = {
#embed "../../IMDFValidation/Categories/door-material.txt"
};
EMBEDDED_FILE(door_material_txt)

static const unsigned char door_type_txt_bytes[] = {
#embed "../../IMDFValidation/Categories/door-type.txt"
};
EMBEDDED_FILE(door_type_txt)

static const unsigned char fixture_txt_bytes[] = {
#embed "../../IMDFValidation/Categories/fixture.txt"
};
EMBEDDED_FILE(fixture_txt)

static const unsigned char footprint_txt_bytes[] = {
#embed "../../IMDFValidation/Categories/footprint.txt"
};
EMBEDDED_FILE(footprint_txt)

static const unsigned char geofence_txt_bytes[] = {
#embed "../../IMDFValidation/Categories/geofence.txt"
};
EMBEDDED_FILE(geofence_txt)

static const unsigned char level_txt_bytes[] = {
#embed "../../IMDFValidation/Categories/level.txt"
};
EMBEDDED_FILE(level_txt)

static const unsigned char occupant_txt_bytes[] = {
#embed "../../IMDFValidation/Categories/occupant.txt"
};
EMBEDDED_FILE(occupant_txt)

static const unsigned char opening_txt_bytes[] = {
#embed "../../IMDFValidation/Categories/opening.txt"
};
EMBEDDED_FILE(opening_txt)

static const unsigned char relationship_direction_txt_bytes[] = {
#embed "../../IMDFValidation/Categories/relationship-direction.txt"
};
EMBEDDED_FILE(relationship_direction_txt)

static const unsigned char relationship_txt_bytes[] = {
#embed "../../IMDFValidation/Categories/relationship.txt"
};
EMBEDDED_FILE(relationship_txt)

static const unsigned char restriction_txt_bytes[] = {
#embed "../../IMDFValidation/Categories/restriction.txt"
};
EMBEDDED_FILE(restriction_txt)

static const unsigned char section_txt_bytes[] = {
#embed "../../IMDFValidation/Categories/section.txt"
};
EMBEDDED_FILE(section_txt)

static const unsigned char unit_txt_bytes[] = {
#embed "../../IMDFValidation/Categories/unit.txt"
};
EMBEDDED_FILE(unit_txt)

static const unsigned char venue_txt_bytes[] = {
#embed "../../IMDFValidation/Categories/venue.txt"
};
EMBEDDED_FILE(venue_txt)

static const unsigned char countries_txt_bytes[] = {
#embed "../../IMDFValidation/Values/Data/countries.txt"
};
EMBEDDED_FILE(countries_txt)

static const unsigned char languages_txt_bytes[] = {
#embed "../../IMDFValidation/Values/Data/languages.txt"
};
EMBEDDED_FILE(languages_txt)

static const unsigned char scripts_txt_bytes[] = {
#embed "../../IMDFValidation/Values/Data/scripts.txt"
};
EMBEDDED_FILE(scripts_txt)

static const unsigned char subdivisions_txt_bytes[] = {
#embed "../../IMDFValidation/Values/Data/subdivisions.txt"
};
EMBEDDED_FILE(subdivisions_txt)

static const unsigned char superseded_subdivisions_txt_bytes[] = {
#embed "../../IMDFValidation/Values/Data/superseded-subdivisions.txt"
};
EMBEDDED_FILE(superseded_subdivisions_txt)
