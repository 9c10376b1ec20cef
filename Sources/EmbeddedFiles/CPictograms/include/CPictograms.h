#include "../../embedded_file.h"

EmbeddedFile pictograms_svg(void);
