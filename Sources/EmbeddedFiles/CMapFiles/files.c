#include "include/CMapFiles.h"

static const unsigned char cartography_json_bytes[] = {
#embed "../../VenueMap/Cartography/cartography.json"
};
EMBEDDED_FILE(cartography_json)

static const unsigned char synonyms_txt_bytes[] = {
#embed "../../VenueMap/Search/synonyms.txt"
};
EMBEDDED_FILE(synonyms_txt)
