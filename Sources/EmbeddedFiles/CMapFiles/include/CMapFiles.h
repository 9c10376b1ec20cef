#include "../../embedded_file.h"

EmbeddedFile venuesync_cartography_json(void);
EmbeddedFile venuesync_synonyms_txt(void);
