#include "include/CPictograms.h"

static const unsigned char pictograms_svg_bytes[] = {
#embed "../../FloorTiles/Cartography/pictograms.svg"
};
EMBEDDED_FILE(pictograms_svg)
