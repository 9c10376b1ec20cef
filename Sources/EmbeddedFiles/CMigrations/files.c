#include "include/CMigrations.h"

static const unsigned char V001__schema_bytes[] = {
#embed "../../../Migrations/V001__schema.sql"
};
EMBEDDED_FILE(V001__schema)

static const unsigned char V002__archive_objects_bytes[] = {
#embed "../../../Migrations/V002__archive_objects.sql"
};
EMBEDDED_FILE(V002__archive_objects)

static const unsigned char V003__match_compression_bytes[] = {
#embed "../../../Migrations/V003__match_compression.sql"
};
EMBEDDED_FILE(V003__match_compression)

static const unsigned char V004__wayfinding_bytes[] = {
#embed "../../../Migrations/V004__wayfinding.sql"
};
EMBEDDED_FILE(V004__wayfinding)

static const unsigned char V005__key_expiry_bytes[] = {
#embed "../../../Migrations/V005__key_expiry.sql"
};
EMBEDDED_FILE(V005__key_expiry)

static const unsigned char V006__key_use_bytes[] = {
#embed "../../../Migrations/V006__key_use.sql"
};
EMBEDDED_FILE(V006__key_use)

static const unsigned char V007__audit_bytes[] = {
#embed "../../../Migrations/V007__audit.sql"
};
EMBEDDED_FILE(V007__audit)

static const unsigned char V008__upload_file_name_bytes[] = {
#embed "../../../Migrations/V008__upload_file_name.sql"
};
EMBEDDED_FILE(V008__upload_file_name)
