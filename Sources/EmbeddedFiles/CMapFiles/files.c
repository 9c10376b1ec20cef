#include "include/CMapFiles.h"

static const unsigned char venuesync_cartography_json_bytes[] = {
#embed "../../VenueMap/Cartography/cartography.json"
};
EMBEDDED_FILE(venuesync_cartography_json)

static const unsigned char venuesync_synonyms_txt_bytes[] = {
#embed "../../VenueMap/Search/synonyms.txt"
};
EMBEDDED_FILE(venuesync_synonyms_txt)
