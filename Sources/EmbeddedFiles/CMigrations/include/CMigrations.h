#include "../../embedded_file.h"

EmbeddedFile V001__schema(void);
EmbeddedFile V002__archive_objects(void);
EmbeddedFile V003__match_compression(void);
EmbeddedFile V004__wayfinding(void);
EmbeddedFile V005__key_expiry(void);
EmbeddedFile V006__key_use(void);
EmbeddedFile V007__audit(void);
EmbeddedFile V008__upload_file_name(void);
