#include "../../embedded_file.h"

EmbeddedFile openapi_yaml(void);
