#include "include/COpenAPI.h"

static const unsigned char openapi_yaml_bytes[] = {
#embed "../../SyncServer/openapi.yaml"
};
EMBEDDED_FILE(openapi_yaml)
