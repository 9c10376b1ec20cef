#pragma once

#include <cstdint>

#include "CSimdjson.h"

namespace venue {

/// A number as it stands in a document.
struct Number {
    csimdjson_status status = csimdjson_fine;
    /// A double cannot hold what was written.
    bool is_changed = false;
    /// The text has 15 significant digits at most, and the value was not worked out.
    bool is_short = false;
    /// What ECMAScript writes for the double, as it stands in the document; of no length when it does not stand there.
    const uint8_t *text = nullptr;
    uint32_t length = 0;
    double value = 0;
    /// What stands behind the number.
    const uint8_t *end = nullptr;
};

/// Reads the number that begins at `text`. Zero bytes stand behind the document.
Number read_number(const uint8_t *text) noexcept;

}  // namespace venue
