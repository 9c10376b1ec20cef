#pragma once

#include <cstdint>

#include "CSimdjson.h"

namespace venue {

/// A number as it stands in a document.
struct Number {
    csimdjson_status status = csimdjson_fine;
    /// The text is what ECMAScript writes for the double; `length` bytes from `text` on are it.
    bool is_canonical = false;
    /// A double cannot hold what was written.
    bool is_changed = false;
    const uint8_t *text = nullptr;
    uint32_t length = 0;
    /// Only worked out when the text is not canonical.
    double value = 0;
    /// What stands behind the number.
    const uint8_t *end = nullptr;
};

/// Reads the number that begins at `text`. Zero bytes stand behind the document.
Number read_number(const uint8_t *text) noexcept;

}  // namespace venue
