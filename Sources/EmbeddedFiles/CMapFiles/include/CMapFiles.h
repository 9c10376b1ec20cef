#include "../../embedded_file.h"

EmbeddedFile cartography_json(void);
EmbeddedFile synonyms_txt(void);
